// Sets up open hands: rules, every seat's cards, who is the landlord, who moves, what is to be beaten.

import { h, replace } from "./dom.js";
import { read } from "./cards.js";
import { t } from "./words.js";

const SEATS = { 2: ["classic,players=2", "rlcard,players=2"], 3: ["classic", "rlcard", "douzero", "openspiel", "botzone", "tencent"], 4: ["classic4"] };

/** The form as an element; `onSolve(spec)` with the game's description. `last`: the description to begin with. */
export function positionForm(about, last, onSolve) {
  const facts = { rules: "classic,players=2", hands: ["", "", "", ""], landlord: 0, turn: 0, to_beat: "", ...last };
  facts.hands = [...facts.hands, "", "", "", ""].slice(0, 4);
  let players = last?.hands.length ?? 2;
  const root = h("div.setup");
  const problem = h("p.problem", { role: "alert" });
  render();
  return root;

  function render() {
    const seats = Array.from({ length: players }, (_, seat) => seat);
    const select = (id, label, value, options, act) => h("label.field", label, h("select", { id, onchange: ({ target }) => { act(target.value); } },
      options.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text))));
    replace(root,
      h("div.row", { role: "group" }, [2, 3, 4].map((count) => h("button.button.small", { type: "button", "aria-pressed": String(count === players), "data-players": count,
        onclick: () => { players = count; [facts.rules] = SEATS[count]; facts.landlord = 0; facts.turn = 0; render(); } }, t("hands_n", { n: count })))),
      seats.map((seat) => h("label.field", t("seat_n", { n: seat }), h("input", { type: "text", id: `own-${seat}`, autocomplete: "off", value: facts.hands[seat], onchange: ({ target }) => { facts.hands[seat] = target.value; } }))),
      h("div.grid-2",
        select("own-rules", t("rules"), facts.rules, SEATS[players].map((rules) => [rules, rules.replace(",players=2", "")]), (value) => { facts.rules = value; }),
        players > 2 && select("own-landlord", t("side_landlord"), facts.landlord, seats.map((seat) => [seat, t("seat_n", { n: seat })]), (value) => { facts.landlord = Number(value); }),
        select("own-turn", t("to_move"), facts.turn, seats.map((seat) => [seat, t("seat_n", { n: seat })]), (value) => { facts.turn = Number(value); }),
        h("label.field", t("to_beat"), h("input", { type: "text", id: "own-beat", autocomplete: "off", placeholder: t("none"), value: facts.to_beat ?? "", onchange: ({ target }) => { facts.to_beat = target.value.trim(); } }))),
      problem,
      h("div", h("button.button.primary", { type: "button", id: "own-solve", onclick: solve }, t("solve"))));
  }

  function solve() {
    const hands = facts.hands.slice(0, players).map(read);
    const wrong = hands.findIndex((cards) => !cards);
    replace(problem, wrong >= 0 ? t("hand_wrong", { n: wrong }) : "");
    if (wrong >= 0) return;
    const spec = { rules: facts.rules, hands, landlord: facts.landlord, turn: facts.turn };
    if (facts.to_beat) spec.to_beat = facts.to_beat;
    onSolve(spec);
  }
}
