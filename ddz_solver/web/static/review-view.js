// A game step by step: the table, a graph of the win chance, every decision with what it cost. Needs no server.

import { h, replace } from "./dom.js";
import { chips } from "./cards.js";
import { winChart } from "./chart.js";
import { percent, signed } from "./plays-view.js";
import { showTable } from "./table-view.js";
import { t } from "./words.js";

const COSTLY = 0.05; // win chance lost that makes a decision a mistake
const DEAR = 0.25; // points lost that make a call a mistake
const WORST = 5;

export class ReviewView {
  /** `record`: { names, state, frames }; `whatIf(step)` plays on from a step, null where there is no engine. */
  constructor(record, me, whatIf = null) {
    Object.assign(this, record, { me, whatIf });
    this.decisions = new Map();
    this.last = 0; // decisions from the first on that the engine is done with
    this.at = 0;
    this.table = h("div");
    this.graph = h("div");
    this.stepper = this.#makeStepper();
    this.progress = h("span.muted");
    this.moves = h("div.moves", { id: "moves", "aria-label": t("history") });
    this.worst = h("div.moves", { id: "mistakes" });
    this.root = h("div.game-columns", { onkeydown: (event) => this.key(event) },
      h("div.stack", this.table, h("section.panel", this.stepper,
        h("div.row.between", h("h3", t("win_chance")), this.progress), this.graph)),
      h("aside.stack",
        h("section.panel", h("header", h("h2", t("mistakes"))), this.worst),
        h("section.panel", h("header", h("h2", t("moves")), whatIf && h("button.button.small", { type: "button", id: "what-if", onclick: () => whatIf(this.at) }, t("what_if"))), this.moves)));
    this.go(this.frames.length - 1 > 0 && this.state.phase === "over" ? 0 : this.frames.length - 1);
  }

  /** Adds what the engine thinks of decisions. */
  add(decisions, total) {
    for (const decision of decisions) this.decisions.set(decision.step, decision);
    this.last = Math.max(this.last, ...decisions.map(({ step }) => step + 1));
    replace(this.progress, this.last < total ? t("analysing", { done: this.last, all: total }) : "");
    this.#showMoves();
    this.#showGraph();
  }

  go(step) {
    this.at = Math.max(0, Math.min(this.frames.length - 1, step));
    const frame = this.frames[this.at];
    const calls = this.state.calls.length;
    const state = { ...frame, history: this.state.history.slice(0, Math.max(0, this.at - calls)) };
    const others = this.names.map((_, seat) => seat);
    replace(this.table, showTable(state, { me: this.me, names: this.names, open: others, controls: this.#verdict() }));
    this.slider.value = String(this.at);
    replace(this.place, t("move_n", { n: this.at, all: this.frames.length - 1 }));
    this.#showGraph();
    this.#mark();
  }

  key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[event.key];
    if (!step || event.target.matches?.("input[type=text], textarea, select")) return;
    this.go(this.at + step);
    event.preventDefault();
  }

  /** How the decision that comes next was played, or how the game ended. */
  #verdict() {
    const decision = this.decisions.get(this.at);
    const { state } = this;
    if (this.at === this.frames.length - 1 && state.payoffs) {
      return h("div.scores", state.payoffs.map((points, seat) => h("span", `${this.names[seat]} `, h("b.number", signed(points, 0)))));
    }
    if (!decision) return null;
    if (isCall(decision)) {
      return h("p.says", `${this.names[decision.seat]}: ${t(`call_${decision.call}`)} ${signed(decision.points)}`,
        decision.best_call === decision.call ? null : ` · ${t("best")} ${t(`call_${decision.best_call}`)} ${signed(decision.best_points)}`);
    }
    const [, made] = state.history[this.at - state.calls.length];
    return h("div.verdict-row", h("p.says", `${this.names[decision.seat]}: `, chips(made.cards || "pass"), ` ${percent(decision.win)}`),
      h("p.choices", `${t("engine_says")} `, decision.plays.map(({ play, cards, win }) => h("span.choice", { class: play === made.play ? "made" : "" }, chips(cards || "pass"), ` ${percent(win)}`))));
  }

  #makeStepper() {
    const button = (label, sign, step) => h("button.button", { type: "button", "aria-label": label, title: label, onclick: () => this.go(step()) }, sign);
    this.slider = h("input", { type: "range", min: 0, max: this.frames.length - 1, value: 0, "aria-label": t("moves"), oninput: () => this.go(Number(this.slider.value)) });
    this.place = h("span.muted.number");
    return h("div.stepper", button(t("step_first"), "⇤", () => 0), button(t("step_back"), "◀", () => this.at - 1), this.slider,
      button(t("step_next"), "▶", () => this.at + 1), button(t("step_last"), "⇥", () => this.frames.length - 1), this.place);
  }

  #showGraph() {
    const values = this.frames.map((_, step) => this.decisions.get(step)?.landlord_win ?? null);
    const { winner, landlord } = this.state;
    if (winner !== null && this.decisions.size) values[values.length - 1] = winner === landlord ? 1 : 0;
    replace(this.graph, winChart(values, this.at, this.#mistakes().map(({ step }) => step), (step) => this.go(step), t("win_chance")));
  }

  #mistakes() {
    return [...this.decisions.values()].filter((decision) => loss(decision) >= COSTLY).sort((a, b) => loss(b) - loss(a));
  }

  #showMoves() {
    const { calls, history } = this.state;
    const line = (step, seat, what, decision) => h("button", { type: "button", "data-step": step, onclick: () => this.go(step) },
      h("span.who", this.names[seat]), what, decision && loss(decision) >= COSTLY ? h("span.loss", `−${percent(loss(decision))}`) : null,
      pointsLost(decision) >= DEAR ? h("span.loss", signed(-pointsLost(decision))) : null);
    replace(this.moves,
      calls.map(([seat, bid], step) => line(step, seat, h("span", t(`call_${bid}`)), this.decisions.get(step))),
      history.map(([seat, play], index) => line(calls.length + index, seat, chips(play.cards || "pass"), this.decisions.get(calls.length + index))));
    const worst = this.#mistakes().slice(0, WORST);
    replace(this.worst, worst.length ? worst.map((decision) => this.#mistake(decision)) : h("p.muted", this.decisions.size ? t("no_mistakes") : "…"));
    this.#mark();
  }

  #mistake(decision) {
    const [, made] = this.state.history[decision.step - this.state.calls.length];
    return h("button", { type: "button", "data-step": decision.step, onclick: () => this.go(decision.step) },
      h("span.who", this.names[decision.seat]), chips(made.cards || "pass"), h("span.muted", `→ ${t("best")}`), chips(decision.best.cards || "pass"), h("span.loss", `−${percent(loss(decision))}`));
  }

  #mark() {
    for (const button of this.moves.querySelectorAll("button")) {
      const current = Number(button.dataset.step) === this.at;
      button.setAttribute("aria-current", String(current));
      if (current) this.moves.scrollTop = button.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2;
    }
  }
}

const isCall = (decision) => decision.call !== undefined;
const loss = (decision) => (isCall(decision) ? 0 : Math.max(0, decision.best_win - decision.win));
const pointsLost = (decision) => (decision && isCall(decision) ? decision.best_points - decision.points : 0);

/** What a seat is called where a record names nobody. */
export const namesOf = (names, players) => Array.from({ length: players }, (_, seat) => names[seat] || t("seat_n", { n: seat }));
