// The review part: choose a game of this browser or open a record; then step through it while the engine analyses.

import { h, replace } from "./dom.js";
import { ReviewView, namesOf } from "./review-view.js";
import { seatNames } from "./part-play.js";
import { ask, stream } from "./server.js";
import { gameOf, games, load, save, saveGame } from "./store.js";
import { t } from "./words.js";

const LONGEST = 60000; // characters of a record that the server takes

/** The text of the first hand of a record: hands are a blank line apart, or a line of JSON each. */
function firstHand(text) {
  const end = text.search(text.trimStart().startsWith("{") ? /\n\s*(?=\{)/ : /\n\s*\n(?=\[)/);
  return end < 0 ? text : text.slice(0, end + 1);
}

export function mount(root, about, [id]) {
  let view = null;
  let question = null;
  const onKey = (event) => { if (!event.target.matches?.("input, textarea, select, button")) view?.key(event); };
  addEventListener("keydown", onKey);
  const game = id && gameOf(id);
  if (game) showGame(game);
  else if (load("record", null)) show(load("record", null), 0);
  else choose();

  async function showGame(kept) {
    await show({ game: kept.spec, names: seatNames(kept) }, kept.me);
  }

  /** `source`: what the question `read` takes; `ofSeveral`: the first hand of several. */
  async function show(source, me, ofSeveral = false) {
    let record;
    try {
      record = await ask("read", source);
    } catch (error) {
      save("record", null);
      choose(error.message);
      return;
    }
    record.names = namesOf(record.names, record.state.players);
    view = new ReviewView(record, me, (step) => playOn(record, step));
    replace(root, h("div.stack", h("div.row", h("button.button.small", { type: "button", id: "other-record", onclick: () => { save("record", null); leave(); history.replaceState(null, "", "#review"); choose(); } }, t("open_record")), h("span.muted", t(ofSeveral ? "first_of_several" : "keys_review"))), view.root));
    const found = view;
    view.add([], record.frames.length - 1);
    question = stream("review", { game: record.game, parts: true }, ({ decisions, total }) => found.add(decisions, total));
    question.done.catch(() => {});
  }

  /** Takes the place of the seat to move at a step, against the strongest level. */
  function playOn(record, step) {
    const frame = record.frames[step];
    const spec = structuredClone(record.game);
    spec.plays = spec.plays.slice(0, Math.max(0, step - spec.calls.length));
    spec.calls = spec.calls.slice(0, step);
    const me = frame.turn ?? 0;
    const level = (about.presets[spec.rules] ?? about.presets[frame.players === 4 ? "classic4" : "classic"]).levels.at(-1);
    const kept = { id: Date.now().toString(36), begun: Date.now(), rules: spec.rules, me, levels: record.names.map(() => level), seed: step, open: true, speed: "normal", spec };
    saveGame(kept);
    save("current", kept.id);
    location.hash = "#play";
  }

  function choose(problem = "") {
    view = null;
    const area = h("textarea", { id: "record-text", rows: 10, spellcheck: "false", placeholder: '[Rules "classic"] …', "aria-label": t("paste_record") });
    const open = (all) => {
      const text = firstHand(all);
      if (text.length > LONGEST) {
        choose(t("record_too_long"));
        return;
      }
      save("record", { text });
      show({ text }, 0, text.length < all.trimEnd().length);
    };
    const kept = games();
    replace(root, h("div.columns",
      h("section.panel", { "aria-label": t("saved_games") }, h("h2", t("saved_games")), kept.length
        ? h("ul.game-list", kept.slice(0, 30).map((game) => h("li", h("span", `${game.spec.rules} `, h("span.muted", new Date(game.begun).toLocaleString())),
          h("button.button.small", { type: "button", onclick: () => { location.hash = `#review/${game.id}`; } }, t("review")))))
        : h("p.muted", t("no_games"))),
      h("section.panel", { "aria-label": t("open_record") }, h("h2", t("open_record")), area,
        h("div.row", h("button.button.primary", { type: "button", id: "open-record", onclick: () => open(area.value) }, t("open")),
          h("input", { type: "file", id: "record-file", "aria-label": t("paste_record"), onchange: async ({ target }) => { if (target.files[0]) open(await target.files[0].text()); } })),
        h("p.problem", { role: "alert" }, problem))));
  }

  function leave() {
    question?.stop();
    view = null;
  }

  return () => {
    removeEventListener("keydown", onKey);
    leave();
  };
}
