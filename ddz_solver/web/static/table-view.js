// The table: every seat with its name, role, cards and last play; the viewer's seat below, the others in playing order
// clockwise from its left.

import { h } from "./dom.js";
import { chips } from "./cards.js";
import { showBacks, showHand } from "./hand-view.js";
import { t } from "./words.js";

/** The role of a seat, as words. */
function roleOf(seat, state) {
  if (state.landlord === null) return "";
  const step = (seat - state.landlord + state.players) % state.players;
  if (state.players === 2) return t(step ? "role_peasant" : "role_landlord");
  if (step === 0) return t("role_landlord");
  return t(step === 1 ? "role_landlord_down" : step === state.players - 1 ? "role_landlord_up" : "role_landlord_across");
}

/** The last thing that each seat did in this trick or auction: its text, null for nothing yet. */
function lastActions(state) {
  const actions = new Array(state.players).fill(null);
  if (state.phase === "auction" || !state.history.length) {
    for (const [seat, bid] of state.calls) if (state.phase === "auction") actions[seat] = { call: bid };
    return actions;
  }
  for (const [seat, play] of state.history.slice(1 - state.players)) actions[seat] = { play };
  if (state.to_beat === null && state.phase === "play") return actions.map((action) => action && action.play.play === "pass" ? action : action && { ...action, won: true });
  if (state.to_beat_by !== null) actions[state.to_beat_by] = { play: state.to_beat };
  return actions;
}

/**
 * The table as an element. `view`: { me, names, open (seats whose cards are shown), controls (elements for the viewer's
 * place), mine (false where the viewer's own cards are shown by the controls) }.
 */
export function showTable(state, view) {
  const { players } = state;
  const others = Array.from({ length: players - 1 }, (_, index) => (view.me + players - 1 - index) % players);
  const actions = lastActions(state);
  return h("section.table", { class: `players-${players}` },
    h("div.others", others.map((seat) => showSeat(seat, state, view, actions[seat]))),
    h("div.middle", showMiddle(state)),
    showSeat(view.me, state, view, actions[view.me]));
}

function showMiddle(state) {
  const facts = [];
  if (state.bottom) facts.push(h("span.fact", `${t("bottom")} `, state.landlord === null ? "?" : chips(state.bottom)));
  if (state.bid && state.deal) facts.push(h("span.fact", t("played_for", { bid: state.bid, factor: state.factor })));
  return facts;
}

function showSeat(seat, state, view, action) {
  const own = seat === view.me;
  const cards = state.hands[seat];
  const shown = own ? view.mine !== false : view.open.includes(seat);
  const turn = state.turn === seat;
  const count = state.counts[seat];
  return h("div.seat", { class: `${own ? "own" : ""} ${turn ? "turn" : ""} ${state.landlord === seat ? "landlord" : ""}`, "data-seat": seat },
    h("div.plate",
      h("span.name", view.names[seat]), h("span.role", roleOf(seat, state)),
      h("span.count", { class: count <= 2 && count > 0 ? "few" : "", title: t("cards_n", { n: count }) }, String(count))),
    own && view.mine === false ? null : shown && cards ? showHand(cards, own ? "small" : "tiny", view.names[seat]) : showBacks(count),
    h("div.action", showAction(action)),
    own ? view.controls : null);
}

function showAction(action) {
  if (!action) return null;
  if (action.call !== undefined) return h("span.bubble", t(`call_${action.call}`));
  if (action.play.play === "pass") return h("span.bubble", t("pass"));
  return h("div.laid", { class: action.play.bomb ? "bomb" : "" }, showHand(action.play.cards, "small spread"));
}
