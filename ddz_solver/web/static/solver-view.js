// What the solver says about a position: every legal play won or lost, with the line; and the solver as a player.

import { h, replace } from "./dom.js";
import { chips } from "./cards.js";
import { stream } from "./server.js";
import { t } from "./words.js";

/** The last part of what the solver says about a position. */
async function solved(spec) {
  let last = null;
  await stream("solve", { game: spec }, (part) => { last = part; }).done;
  return last;
}

/** The solver's move for the seat to move: a winning play, else the one that holds out. */
export async function bestReply({ spec }) {
  const { plays } = await solved(spec);
  return (plays.find(({ verdict }) => verdict === "win") ?? plays.find(({ verdict }) => verdict === null) ?? plays[0]).play;
}

/** The plays of the seat to move with their verdicts; hidden until they are asked for. */
export class MarksView {
  /** `onChoose(play)` when one is clicked. */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.shown = false;
    this.chosen = null;
    this.found = null;
    this.root = h("div.stack");
    this.#render();
  }

  /** Asks the solver about a position. */
  solve(spec) {
    this.stop();
    this.spec = spec;
    this.found = null;
    this.chosen = null;
    this.line = null;
    this.problem = "";
    this.#render();
    this.question = stream("solve", { game: spec }, (found) => {
      this.found = found;
      this.#render();
    });
    this.question.done.catch((error) => {
      this.problem = error.message;
      this.#render();
    });
  }

  stop() {
    this.question?.stop();
  }

  clear() {
    this.stop();
    this.found = null;
    replace(this.root);
  }

  reveal() {
    this.shown = true;
    this.#render();
  }

  /** "win", "loss" or null for a play of the position that was solved last; null too where every play loses. */
  verdictOf(play) {
    const { plays = [] } = this.found ?? {};
    if (!plays.some(({ verdict }) => verdict === "win")) return null;
    return plays.find((other) => other.play === play)?.verdict ?? null;
  }

  #render() {
    const toggle = h("button.button.small", { type: "button", id: "solution", "aria-expanded": String(this.shown), onclick: () => { this.shown = !this.shown; this.#render(); } }, t(this.shown ? "hide_solution" : "solution"));
    if (!this.shown) {
      replace(this.root, h("div", toggle));
      return;
    }
    replace(this.root, h("div", toggle), this.problem && h("p.problem", { role: "alert" }, this.problem), this.found ? this.#marks() : !this.problem && h("p.muted", t("thinking")));
  }

  #marks() {
    const { plays, nodes, decided } = this.found;
    const order = { win: 0, null: 1, loss: 2 };
    const list = [...plays].sort((a, b) => order[a.verdict] - order[b.verdict]);
    const hopeless = decided && plays.every(({ verdict }) => verdict === "loss");
    return [
      hopeless && h("p.bad", t("no_win")),
      h("div.marks", list.map((play) => h("button.mark-play", {
        type: "button", class: play.verdict === "win" ? "wins" : play.verdict === "loss" ? "loses" : "", "data-play": play.play, "aria-pressed": String(this.chosen === play.play),
        onclick: () => this.#choose(play),
      }, chips(play.cards || "pass"), h("span.verdict", t(play.verdict === "win" ? "wins" : play.verdict === "loss" ? "loses" : "unknown"))))),
      this.line && h("p.solution-line", h("b", `${t("line")}: `), this.line.map(({ cards }) => chips(cards || "pass"))),
      h("p.muted.number", t("nodes", { n: nodes.toLocaleString() })),
    ];
  }

  /** Selects a play and asks how it goes on with best play of everybody. */
  async #choose(play) {
    this.chosen = play.play;
    this.line = null;
    this.onChoose(play);
    this.#render();
    const after = { ...this.spec, plays: [...this.spec.plays, play.play] };
    const rest = await solved(after).catch(() => null); // the hand may be over then
    if (this.chosen !== play.play) return;
    this.line = [play, ...(rest?.line ?? [])];
    this.#render();
  }
}
