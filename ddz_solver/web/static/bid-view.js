// Advice on the bid: what each call is worth, as a graph.

import { h, replace } from "./dom.js";
import { barChart } from "./chart.js";
import { percent, signed } from "./plays-view.js";
import { t } from "./words.js";

/** Fills `root` with the server's advice; `onCalls(text)` when the calls so far are changed. */
export function showAdvice(root, advice, calls, onCalls) {
  const items = advice.choices.map(({ call, points }) => ({ label: t(`call_${call}`), value: points, best: call === advice.best }));
  replace(root,
    h("header", h("h2", t("bid_advice")), h("b.answer", { id: "bid-answer" }, t(`call_${advice.best}`))),
    h("p", t("as_landlord", { win: percent(advice.landlord_win) })),
    h("figure.graph", barChart(items, (value) => signed(value), t("expected_points")), h("figcaption.muted", t("expected_points"))),
    h("label.field", t("calls_so_far"), h("input", { type: "text", value: calls, placeholder: t("calls_example"), onchange: ({ target }) => onCalls(target.value.trim()) })));
}
