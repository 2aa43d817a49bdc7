// The facts of a decision: cards by clicks or text into four trays (hand, to beat, bottom, played), and what else is known.

import { h, replace } from "./dom.js";
import { RANKS, add, countsOf, face, holds, minus, picture, read, sorted, spoken } from "./cards.js";
import { handRow } from "./hand-view.js";
import { load, save } from "./store.js";
import { t } from "./words.js";

const TRAYS = ["hand", "to_beat", "bottom", "played"];
const EMPTY = { rules: "classic", tray: "hand", hand: "", to_beat: "", bottom: "", played: "", role: "", by: "", counts: [], history: "", bid: 1, factor: 1, objective: "", calls: "" };

export class HintForm {
  /** `about`: what the server knows; `onChange()` after each change of a fact. */
  constructor(about, onChange) {
    this.about = about;
    this.onChange = onChange;
    this.facts = { ...EMPTY, ...load("hint", {}) };
    if (!about.presets[this.facts.rules]) this.facts.rules = "classic";
    this.root = h("section.panel.hint-form", { "aria-label": t("your_hand") });
    this.render();
  }

  get preset() {
    return this.about.presets[this.facts.rules];
  }

  /** Whether this is a hand as dealt, before anything was played. */
  get asDealt() {
    const { hand, to_beat, history, played } = this.facts;
    return hand.length === this.preset.hand_size && this.preset.auction !== "none" && !to_beat && !history.trim() && !played;
  }

  /** The facts as the server reads them. */
  request() {
    const { rules, hand, to_beat, bottom, played, role, by, counts, history, bid, factor, objective } = this.facts;
    const body = { rules, hand, bid, factor };
    for (const [name, value] of Object.entries({ to_beat, bottom, role, history: history.trim(), objective })) if (value) body[name] = value;
    if (to_beat && by) body.to_beat_by = by;
    if (played) body.played = holds(played, to_beat) ? played : add(played, minus(to_beat, played));
    const others = counts.slice(0, this.preset.players - 1);
    if (others.length === this.preset.players - 1 && others.every(Boolean)) body.counts = others;
    return body;
  }

  render() {
    const { facts } = this;
    replace(this.root,
      h("div.row.between", h("h2", t("your_hand")), h("div.row",
        h("button.button.small", { type: "button", id: "deal-me", onclick: () => this.#deal() }, t("random_hand")),
        h("button.button.small.quiet", { type: "button", id: "afresh", onclick: () => this.#set({ ...EMPTY, rules: facts.rules }) }, t("clear_all")))),
      h("div.grid-2",
        this.#choice("rules", t("rules"), Object.keys(this.about.presets).map((name) => [name, name]), () => this.#set({ counts: [], role: "", by: "" })),
        this.#choice("role", t("role"), [["", t("auto")], ...this.#roles()])),
      h("div.trays", { role: "tablist" }, TRAYS.map((name) => h("button", {
        type: "button", role: "tab", "aria-selected": String(facts.tray === name), "data-tray": name,
        onclick: () => { facts.tray = name; this.#save(); this.render(); },
      }, t(name), h("span.count", String(facts[name].length))))),
      this.#tray(), this.#picker(), this.#text(), this.#more());
  }

  #roles() {
    return this.preset.roles.map(({ id }) => [id, t(`role_${id}`)]);
  }

  #tray() {
    const { tray } = this.facts;
    const cards = [...this.facts[tray]].reverse();
    const half = Math.ceil(cards.length / (cards.length > 20 && window.innerWidth < 900 ? 2 : 1)) || 1;
    return h("div.hand.tray", { role: "group", "aria-label": t(tray) },
      cards.length ? [cards.slice(0, half), cards.slice(half)].filter((row) => row.length).map((row) => handRow(row.map((rank) =>
        h("button.card", { type: "button", "data-rank": rank, "aria-label": t("remove_card", { card: spoken(rank) }), onclick: () => this.#put(tray, minus(this.facts[tray], rank)) }, picture(rank)))))
        : h("p.muted", t(tray === "hand" ? "empty_hand" : "none")));
  }

  #picker() {
    const { facts } = this;
    const used = countsOf(add(add(facts.hand, facts.played), holds(facts.played, facts.to_beat) ? "" : facts.to_beat));
    const mine = countsOf(facts[facts.tray]);
    return h("div.picker", { role: "group" }, [...RANKS].map((rank, index) => {
      const copies = this.preset.decks * (index > 12 ? 1 : 4);
      const free = facts.tray === "bottom" ? mine[index] < copies : used[index] < copies;
      return h("button.pick", { type: "button", class: `rank-${rank}`, "data-rank": rank, disabled: !free,
        "aria-label": t("add_card", { card: spoken(rank), count: mine[index] }), onclick: () => this.#put(facts.tray, add(facts[facts.tray], rank)) },
      index > 12 ? h("span.joker", t(rank === "X" ? "joker_small" : "joker_big")) : face(rank), h("span.left", String(Math.max(0, copies - used[index]))));
    }));
  }

  #text() {
    const { tray } = this.facts;
    const problem = h("p.problem", { role: "alert" });
    return h("div", h("input", { type: "text", id: "cards-text", placeholder: t("paste"), "aria-label": t("paste"), autocomplete: "off", value: this.facts[tray],
      onchange: ({ target }) => {
        const cards = read(target.value);
        target.setAttribute("aria-invalid", String(cards === null));
        replace(problem, cards === null ? t("not_cards") : "");
        if (cards !== null) this.#put(tray, cards);
      } }), problem);
  }

  #more() {
    const { facts } = this;
    const me = Math.max(0, this.#roles().findIndex(([id]) => id === facts.role));
    const others = Array.from({ length: this.preset.players - 1 }, (_, index) => this.#roles()[(me + 1 + index) % this.preset.players]);
    return h("details", { open: facts.open, ontoggle: ({ target }) => { facts.open = target.open; this.#save(); } }, h("summary", t("more_facts")),
      h("div.grid-2",
        this.#choice("by", t("by"), [["", t("auto")], ...this.#roles()]),
        others.map(([, name], index) => h("label.field", t("counts", { role: facts.role ? name : `+${index + 1}` }), h("input", {
          type: "number", min: 1, max: 54, placeholder: t("auto"), value: facts.counts[index] ?? "",
          onchange: ({ target }) => { facts.counts[index] = Number(target.value) || null; this.#changed(); } }))),
        this.#choice("bid", t("bid"), [1, 2, 3].map((bid) => [bid, String(bid)]), undefined, Number),
        this.#choice("factor", t("factor"), [1, 2, 4, 8, 16, 32].map((factor) => [factor, `× ${factor}`]), undefined, Number),
        this.#choice("objective", t("objective"), [["", t("objective_auto")], ["win", t("objective_win")], ["score", t("objective_score")]])),
      h("label.field", t("history"), h("textarea", { rows: 2, placeholder: t("history_example"), value: facts.history, onchange: ({ target }) => { facts.history = target.value; this.#changed(); } })));
  }

  #choice(name, label, options, then = () => {}, read_ = String) {
    const value = this.facts[name];
    return h("label.field", label, h("select", { id: `fact-${name}`, onchange: ({ target }) => { this.facts[name] = read_(target.value); then(); this.#changed(); this.render(); } },
      options.map(([id, text]) => h("option", { value: id, selected: String(id) === String(value) }, text))));
  }

  #deal() {
    const pack = [...RANKS].flatMap((rank, index) => new Array(this.preset.decks * (index > 12 ? 1 : 4)).fill(rank));
    const cards = Array.from({ length: this.preset.hand_size }, () => pack.splice(Math.floor(Math.random() * pack.length), 1)[0]);
    this.#set({ ...EMPTY, rules: this.facts.rules, hand: sorted(cards.join("")) });
  }

  #put(tray, cards) {
    const focused = document.activeElement?.dataset?.rank;
    const picking = document.activeElement?.classList.contains("pick");
    this.#set({ [tray]: cards });
    if (focused) this.root.querySelector(`${picking ? ".pick" : ".card"}[data-rank="${focused}"]`)?.focus();
  }

  #set(changes) {
    Object.assign(this.facts, changes);
    this.#changed();
    this.render();
  }

  #changed() {
    this.#save();
    this.onChange();
  }

  #save() {
    save("hint", this.facts);
  }
}
