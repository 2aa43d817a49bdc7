// The play part: setting up a game, playing it, and the list of games kept in this browser.

import { h, replace } from "./dom.js";
import { PlayBoard } from "./play-board.js";
import { LEVELS, newGame } from "./play-game.js";
import { signed } from "./plays-view.js";
import { ask } from "./server.js";
import { download, gameOf, games, load, removeGame, save } from "./store.js";
import { t } from "./words.js";

const RULES = { classic: 3, classic4: 4 };

export function mount(root, about) {
  let board = null;
  const place = h("div.stack");
  const side = h("aside.stack.side");
  replace(root, h("div.game-columns", place, side));
  const current = gameOf(load("current", ""));
  if (current) open(current);
  else showSetup();

  function open(game) {
    board?.leave();
    save("current", game.id);
    board = new PlayBoard(game, seatNames(game), LEVELS, {
      hints: true,
      state: ({ phase }) => phase === "over" && showSide(),
      again: () => start(settingsOf(game)),
      review: ({ id }) => { location.hash = `#review/${id}`; },
    });
    replace(place, board.root);
    showSide();
  }

  async function start(settings) {
    save("setup", { ...settings, seed: undefined });
    open(await newGame(settings));
  }

  function showSetup() {
    board?.leave();
    board = null;
    save("current", "");
    replace(place, setup(about, start));
    showSide();
  }

  function showSide() {
    const kept = games();
    replace(side, board?.hintPanel,
      h("section.panel", h("header", h("h2", t("saved_games")), board && h("button.button.small", { type: "button", id: "other-game", onclick: showSetup }, t("new_game"))),
        total(kept), kept.length ? h("ul.game-list", kept.slice(0, 30).map(line)) : h("p.muted", t("no_games"))));
  }

  function line(game) {
    const points = game.result?.payoffs?.[game.me];
    const button = (words, act) => h("button.button.small.quiet", { type: "button", onclick: act }, words);
    return h("li", { "data-game": game.id },
      h("span", game.spec.rules, " ", h("span.muted", new Date(game.begun).toLocaleString())),
      game.result ? h("b.number", { class: points < 0 ? "bad" : "good" }, signed(points, 0)) : h("span.muted", t("unfinished")),
      h("div.row", button(t(game.result ? "open" : "continue"), () => open(game)), button(t("review"), () => { location.hash = `#review/${game.id}`; }),
        button(t("download"), () => saveRecord(game)), button(t("remove"), () => { removeGame(game.id); showSide(); })));
  }

  return () => board?.leave();
}

/** What the seats of a game are called. */
export function seatNames(game) {
  return game.levels.map((level, seat) => (seat === game.me ? t("seat_you") : `${t("opponent", { n: (seat - game.me + game.levels.length) % game.levels.length })} · ${t(`level_${level}`)}`));
}

async function saveRecord(game) {
  const names = game.levels.map((level, seat) => (seat === game.me ? "human" : level));
  download(`ddz-${game.id}.txt`, (await ask("write", { game: game.spec, names })).text);
}

function settingsOf({ rules, me, levels, open, speed }) {
  return { rules, me, levels, open, speed };
}

function total(list) {
  const ended = list.filter(({ result }) => result && !result.redeal);
  if (!ended.length) return null;
  const points = ended.reduce((sum, { result, me }) => sum + result.payoffs[me], 0);
  return h("p.number", t("total", { points: signed(points, 0), hands: ended.length }));
}

/** The level to begin with: the strongest that answers at once. */
const usual = (known) => (known.includes("net") ? "net" : known.at(-1));

function setup(about, start) {
  const last = load("setup", {});
  const chosen = { rules: "classic", open: false, speed: "normal", ...last };
  if (!about.presets[chosen.rules]) chosen.rules = "classic";
  const levels = last.levels ?? [];
  const root = h("section.panel.setup", { "aria-label": t("new_game") });
  let seed = "";
  render();
  return root;

  function render() {
    const { players, levels: known } = about.presets[chosen.rules];
    chosen.levels = Array.from({ length: players }, (_, seat) => (known.includes(levels[seat]) ? levels[seat] : usual(known)));
    replace(root, h("h2", t("new_game")),
      h("div.row", { role: "group", "aria-label": t("rules") }, Object.entries(RULES).map(([rules, count]) => h("button.button", { type: "button", "aria-pressed": String(chosen.rules === rules), "data-rules": rules,
        onclick: () => { chosen.rules = rules; render(); } }, t(`players_${count}`)))),
      h("div.grid-2",
        h("label.field", t("rules"), h("select", { id: "setup-rules", onchange: ({ target }) => { chosen.rules = target.value; render(); } },
          Object.keys(about.presets).map((name) => h("option", { value: name, selected: name === chosen.rules }, name)))),
        chosen.levels.slice(1).map((level, index) => h("label.field", `${t("opponent", { n: index + 1 })}: ${t("level")}`, h("select", { id: `level-${index + 1}`, onchange: ({ target }) => { levels[index + 1] = target.value; chosen.levels[index + 1] = target.value; } },
          known.map((name) => h("option", { value: name, selected: name === level }, t(`level_${name}`)))))),
        h("label.field", t("seed"), h("input", { type: "text", id: "setup-seed", inputmode: "numeric", placeholder: t("any"), value: seed, oninput: ({ target }) => { seed = target.value; } }))),
      h("div.row", h("button.button.primary", { type: "button", id: "start", onclick: () => begin() }, t("deal")),
        h("label.tick", h("input", { type: "checkbox", checked: chosen.open, onchange: ({ target }) => { chosen.open = target.checked; } }), t("open_hands"))));
  }

  function begin() {
    const number = /^\d{1,15}$/.test(seed.trim()) ? Number(seed) : undefined;
    start({ rules: chosen.rules, me: 0, levels: chosen.levels, open: chosen.open, speed: chosen.speed, seed: number });
  }
}
