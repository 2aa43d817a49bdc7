// Advice on the bid: what each call is worth, as a graph.

import { h, replace } from "./dom.js";
import { barChart } from "./chart.js";
import { percent, signed } from "./plays-view.js";
import { t } from "./words.js";

/** The chance to win as the landlord: that of the dearest call, whose win chance is the landlord's. */
const asLandlord = ({ sampled, choices }) => sampled?.win ?? choices.at(-1).win;

/** Fills `root` with the server's advice; `onCalls(text)`, if given, when the calls so far are changed. */
export function showAdvice(root, advice, calls = "", onCalls = null) {
  const items = advice.choices.map(({ call, points }) => ({ label: t(`call_${call}`), value: points, best: call === advice.best }));
  fill(root, calls, onCalls,
    h("header", h("h2", t("bid_advice")), h("b.answer", { id: "bid-answer" }, t(`call_${advice.best}`))),
    h("p", t("as_landlord", { win: percent(asLandlord(advice)) })),
    h("figure.graph", barChart(items, (value) => signed(value), t("expected_points")), h("figcaption.muted", t("expected_points"))));
}

/** Says in `root` why there is no advice. */
export function showProblem(root, message, calls, onCalls) {
  fill(root, calls, onCalls, h("h2", t("bid_advice")), h("p.problem", { role: "alert" }, message));
}

/** Shows this above the field of calls, which stays as it is while somebody types into it. */
function fill(root, calls, onCalls, ...shown) {
  root.hidden = false;
  let place = root.querySelector(".advice");
  if (!place) replace(root, (place = h("div.advice")), onCalls && callsField(calls, onCalls));
  replace(place, ...shown);
  const field = root.querySelector("input");
  if (field && field !== document.activeElement) field.value = calls;
}

function callsField(calls, onCalls) {
  return h("label.field", t("calls_so_far"), h("input", { type: "text", value: calls, placeholder: t("calls_example"), onchange: ({ target }) => onCalls(target.value.trim()) }));
}
