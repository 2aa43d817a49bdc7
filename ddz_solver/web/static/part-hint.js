// The hint board: facts on one side, ranked plays as they come in on the other; advice on the bid for a hand as dealt.

import { announce, debounce, h, replace } from "./dom.js";
import { chips } from "./cards.js";
import { showHand } from "./hand-view.js";
import { HintForm } from "./hint-form.js";
import { PlaysView, percent } from "./plays-view.js";
import { showAdvice, showProblem } from "./bid-view.js";
import { stream } from "./server.js";
import { pick, t } from "./words.js";

const WAIT = 25; // milliseconds after the last click
const SECONDS = 2; // that the engine thinks about the plays
const WORLDS = 200; // deals in which a hand is played out for the advice on the bid

export function mount(root, about) {
  const form = new HintForm(about, debounce(ask, WAIT));
  const plays = new PlaysView(choose);
  const busy = h("span.dot", { hidden: true, title: t("thinking") });
  const problem = h("p.problem", { role: "alert" });
  const table = h("div.felt.chosen");
  const bids = h("section.panel.bids", { hidden: true, "aria-label": t("bid_advice") });
  let running = [];

  replace(root, h("div.columns", form.root, h("div.stack", bids,
    h("section.panel", { "aria-label": t("best_plays") }, h("header", h("h2", t("best_plays")), busy), problem, table, plays.root))));
  ask();

  function ask() {
    for (const question of running) question.stop();
    running = [];
    replace(problem);
    bids.hidden = !form.asDealt || !bids.childElementCount;
    if (!form.facts.hand) {
      table.hidden = true;
      plays.clear(t("empty_hand"));
      return;
    }
    plays.chosen = null;
    if (form.asDealt && !form.facts.role) {
      table.hidden = true;
      plays.clear(t("as_dealt"));
      askBid();
      return;
    }
    let first = true;
    follow("hint", { ...form.request(), seconds: SECONDS }, (found) => {
      plays.show(found.plays, found.assumed);
      lay(found.plays.find(({ play }) => play === plays.chosen) ?? found.plays[0]);
      if (first && form.asDealt) askBid(); // after the first line, which shall not wait for it
      first = false;
    }, (message) => {
      replace(problem, message);
      plays.clear();
      table.hidden = true;
    });
  }

  function askBid() {
    const { rules, hand, calls } = form.facts;
    const onCalls = (text) => { form.facts.calls = text; ask(); };
    follow("bid", { rules, hand, calls, worlds: WORLDS }, (found) => showAdvice(bids, found, calls, onCalls), (message) => showProblem(bids, message, calls, onCalls));
  }

  function follow(name, body, onPart, onProblem) {
    busy.hidden = false;
    const question = stream(name, body, onPart);
    running.push(question);
    question.done.catch((error) => {
      if (running.includes(question)) onProblem(error.message);
    }).finally(() => {
      running = running.filter((other) => other !== question);
      busy.hidden = running.length > 0;
    });
  }

  function choose(play) {
    lay(play);
    announce(`${pick(play.name)} ${percent(play.win)}`);
  }

  function lay(play) {
    table.hidden = false;
    replace(table,
      h("div.laid", play.play === "pass" ? h("span.bubble", t("pass")) : showHand(play.cards, "small spread")),
      h("div.laid-text", h("b", play.play === "pass" ? t("pass") : pick(play.name)), h("span", `${t("win")} ${percent(play.win)}`),
        play.line?.length ? h("span.line", `${t("expected")}: `, play.line.map(({ cards }) => chips(cards || "pass"))) : null));
  }

  return () => running.forEach((question) => question.stop());
}
