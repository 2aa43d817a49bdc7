// Small SVG charts: a line over the moves of a game, and bars.

import { s } from "./dom.js";

const WIDTH = 640;
const HEIGHT = 150;
const LEFT = 42;
const BOTTOM = 18;

/** Win chances (0..1, null where unknown) over moves. `at`: the move that is shown; `onPick(index)` when one is clicked. */
export function winChart(values, at, marks, onPick, label) {
  const x = (index) => LEFT + ((WIDTH - LEFT - 8) * index) / Math.max(1, values.length - 1);
  const y = (value) => 8 + (HEIGHT - 8 - BOTTOM) * (1 - value);
  const known = values.map((value, index) => [index, value]).filter(([, value]) => value !== null);
  const points = known.map(([index, value]) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`);
  const area = points.length > 1 ? `M${x(known[0][0])} ${y(0)} L${points.join(" L")} L${x(known.at(-1)[0])} ${y(0)} Z` : "";
  const grid = [0, 0.5, 1].map((value) => [
    s("line.grid", { x1: LEFT, x2: WIDTH - 8, y1: y(value), y2: y(value) }),
    s("text.tick", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, `${100 * value}%`),
  ]);
  const chart = s("svg.chart", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    grid, area && s("path.area", { d: area }), points.length > 1 && s("path.line", { d: `M${points.join(" L")}` }),
    marks.map((index) => values[index] !== null && s("circle.mark", { cx: x(index), cy: y(values[index]), r: 4.5 })),
    s("line.cursor", { x1: x(at), x2: x(at), y1: 4, y2: HEIGHT - BOTTOM }));
  chart.addEventListener("click", (event) => {
    const box = chart.getBoundingClientRect();
    const inside = ((event.clientX - box.left) / box.width) * WIDTH;
    const index = Math.round(((inside - LEFT) / (WIDTH - LEFT - 8)) * (values.length - 1));
    onPick(Math.max(0, Math.min(values.length - 1, index)));
  });
  return chart;
}

/** One bar an item: `{ label, value, best }`; values may be negative. */
export function barChart(items, format, label) {
  const [width, row, from, to] = [320, 28, 64, 250];
  const low = Math.min(0, ...items.map(({ value }) => value));
  const high = Math.max(0, ...items.map(({ value }) => value));
  const x = (value) => from + ((to - from) * (value - low)) / Math.max(0.01, high - low);
  return s("svg.chart.bars", { viewBox: `0 0 ${width} ${row * items.length}`, role: "img", "aria-label": label },
    items.map(({ label: name, value, best }, index) => {
      const middle = row * index + row / 2;
      const [left, right] = [Math.min(x(0), x(value)), Math.max(x(0), x(value))];
      return s("g", { class: best ? "best" : "" },
        s("text", { x: 4, y: middle + 5 }, name),
        s("rect.beam", { x: left, y: middle - 8, width: Math.max(2, right - left), height: 16, rx: 3 }),
        s("text", { x: width - 4, y: middle + 5, "text-anchor": "end" }, format(value)));
    }),
    s("line.zero", { x1: x(0), x2: x(0), y1: 2, y2: row * items.length - 2 }));
}
