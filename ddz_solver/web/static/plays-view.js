// Ranked plays: one line a play with bars for the win chance, points, proof marks and reasons.

import { h, replace } from "./dom.js";
import { chips } from "./cards.js";
import { pick, t } from "./words.js";

const FEW = 8;

export const percent = (value) => `${(100 * value).toFixed(value > 0.995 && value < 1 ? 1 : 0)} %`;
export const signed = (value, digits = 2) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;

/** A list of plays as the server describes them; `onChoose(play)` when one is clicked. */
export class PlaysView {
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.root = h("div.plays");
    this.all = false;
    this.chosen = null;
  }

  show(plays, assumed = []) {
    this.plays = plays;
    this.assumed = assumed;
    this.#render();
  }

  clear(message = "") {
    this.plays = [];
    replace(this.root, message && h("p.muted", message));
  }

  #render() {
    const shown = this.all ? this.plays : this.plays.slice(0, FEW);
    const more = this.plays.length > FEW && h("button.button.small.quiet", { type: "button", onclick: () => this.#toggle() },
      this.all ? t("show_less") : t("show_all", { count: this.plays.length }));
    replace(this.root,
      h("ol.play-list", shown.map((play, index) => this.#line(play, index))), more,
      this.assumed.length ? h("p.muted.assumed", t("assumed", { facts: this.assumed.map(pick).join(t("comma")) })) : null);
  }

  #toggle() {
    this.all = !this.all;
    this.#render();
  }

  #line(play, index) {
    const reasons = play.reasons.map(pick).join(t("comma"));
    const name = play.play === "pass" ? "" : pick(play.name);
    return h("li", h("button.play-line", {
      type: "button", "aria-pressed": String(play.play === this.chosen), "data-play": play.play,
      onclick: () => { this.chosen = play.play; this.#render(); this.onChoose(play); },
    },
    h("span.place", `${index + 1}`),
    h("span.what", chips(play.cards || "pass"), h("span.kind", name)),
    h("span.chance", h("span.bar", { style: { "--fill": String(play.win) } }), h("span.number", percent(play.win))),
    h("span.points.number", { class: play.score < 0 ? "bad" : "good", title: t("points") }, signed(play.score)),
    h("span.why", play.proven ? h("b.proof", t("proven")) : null, play.proven && reasons ? " · " : null, reasons)));
  }
}
