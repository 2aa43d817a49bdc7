// A hand of overlapping cards; the cards can be buttons that are selected by clicks, arrow keys and letters.

import { h } from "./dom.js";
import { RANKS, picture, sorted, spoken } from "./cards.js";
import { t } from "./words.js";

const NARROW = 640;

/** Rows of cards: one, or two where the hand is large and the page narrow. High cards come first. */
function rows(cards) {
  const shown = [...sorted(cards)].reverse();
  const most = window.innerWidth < NARROW ? 17 : 40;
  const count = Math.ceil(shown.length / most) || 1;
  const size = Math.ceil(shown.length / count);
  return Array.from({ length: count }, (_, index) => shown.slice(index * size, (index + 1) * size));
}

/** Card elements in a row that overlap as far as the width makes them. */
export const handRow = (cards) => h("div.hand-row", { style: { "--n": String(cards.length) } }, cards);

/** Cards that are only looked at. `size`: "", "small" or "tiny". */
export function showHand(cards, size = "", label = "") {
  return h("div.hand", { class: size, role: "img", "aria-label": `${label} ${spoken(cards)}`.trim() },
    rows(cards).map((row) => handRow(row.map((rank) => h("span.card", picture(rank))))));
}

/** So many cards face down. */
export function showBacks(count, size = "tiny") {
  return h("div.hand.backs", { class: size, role: "img", "aria-label": t("cards_n", { n: count }) },
    handRow(Array.from({ length: count }, () => h("span.card", picture(null)))));
}

/** A hand whose cards can be selected. `onSelect(text)` gets the selected cards after each change. */
export class HandView {
  constructor(onSelect) {
    this.onSelect = onSelect;
    this.root = h("div.hand", { role: "group", "aria-label": t("your_hand"), onkeydown: (event) => this.#move(event) });
    this.buttons = [];
    this.cards = "";
  }

  get selected() {
    return sorted(this.buttons.filter((button) => pressed(button)).map((button) => button.dataset.rank).join(""));
  }

  /** Shows these cards; those that stay keep their selection. */
  show(cards) {
    if (cards === this.cards) return;
    const selected = this.selected;
    const focused = this.buttons.indexOf(document.activeElement);
    this.cards = cards;
    this.buttons = [];
    this.root.replaceChildren(...rows(cards).map((row) => handRow(row.map((rank) => this.#button(rank)))));
    this.select(selected, false);
    if (focused >= 0) this.buttons[Math.min(focused, this.buttons.length - 1)]?.focus();
  }

  /** Selects exactly these cards, as far as they are in the hand. */
  select(text, tell = true) {
    const wanted = [...text];
    for (const button of this.buttons) {
      const at = wanted.indexOf(button.dataset.rank);
      if (at >= 0) wanted.splice(at, 1);
      press(button, at >= 0);
    }
    if (tell) this.onSelect(this.selected);
  }

  /** Selects one more card of a rank, or none of it once all are selected. */
  toggleRank(rank) {
    const of = this.buttons.filter((button) => button.dataset.rank === rank);
    const next = of.find((button) => !pressed(button));
    if (next) press(next, true);
    else for (const button of of) press(button, false);
    if (of.length) this.onSelect(this.selected);
  }

  #button(rank) {
    const button = h("button.card", { type: "button", "aria-pressed": "false", "aria-label": spoken(rank), "data-rank": rank }, picture(rank));
    button.addEventListener("click", () => {
      press(button, !pressed(button));
      this.onSelect(this.selected);
    });
    this.buttons.push(button);
    return button;
  }

  #move(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = this.buttons.indexOf(document.activeElement);
    if (!step || at < 0) return;
    this.buttons[(at + step + this.buttons.length) % this.buttons.length].focus();
    event.preventDefault();
  }
}

/** The rank that a key stands for, or undefined: the letter on the card, 0 and T for ten, B and R for the jokers. */
export function rankOfKey(key) {
  const rank = { 0: "T", B: "X", R: "D" }[key.toUpperCase()] ?? key.toUpperCase();
  return rank.length === 1 && RANKS.includes(rank) ? rank : undefined;
}

const pressed = (button) => button.getAttribute("aria-pressed") === "true";
const press = (button, on) => button.setAttribute("aria-pressed", String(on));
