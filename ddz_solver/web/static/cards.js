// Cards as text (3456789TJQKA2XD, ascending), and their pictures: one SVG symbol a rank, drawn once.

import { h, s } from "./dom.js";
import { t } from "./words.js";

export const RANKS = "3456789TJQKA2XD";

const PIPS = {
  3: [[2, 0], [2, 3], [2, 6]],
  4: [[0, 0], [4, 0], [0, 6], [4, 6]],
  5: [[0, 0], [4, 0], [2, 3], [0, 6], [4, 6]],
  6: [[0, 0], [4, 0], [0, 3], [4, 3], [0, 6], [4, 6]],
  7: [[0, 0], [4, 0], [2, 1.5], [0, 3], [4, 3], [0, 6], [4, 6]],
  8: [[0, 0], [4, 0], [2, 1.5], [0, 3], [4, 3], [2, 4.5], [0, 6], [4, 6]],
  9: [[0, 0], [4, 0], [0, 2], [4, 2], [2, 3], [0, 4], [4, 4], [0, 6], [4, 6]],
  T: [[0, 0], [4, 0], [2, 1], [0, 2], [4, 2], [0, 4], [4, 4], [2, 5], [0, 6], [4, 6]],
};
const HAT = "M19 66 Q13 44 24 46 Q32 47 36 33 Q40 47 48 46 Q59 44 53 66 Z";
const EMBLEMS = {
  J: ["M22 36 h28 v13 q0 16 -14 22 q-14 -6 -14 -22 Z", "M36 41 v24 M28 50 h16"],
  Q: ["M36 70 C18 62 18 46 24 40 C28 46 32 48 36 52 C40 48 44 46 48 40 C54 46 54 62 36 70 Z", "M36 68 C29 58 30 44 36 34 C42 44 43 58 36 68 Z"],
  K: ["M20 66 L16 42 L27 51 L36 35 L45 51 L56 42 L52 66 Z", "M20 71 h32"],
  A: ["M36 30 L41 46 L57 51 L41 56 L36 72 L31 56 L15 51 L31 46 Z", ""],
  X: [HAT, ""],
  D: [HAT, ""],
};

/** The rank as it is printed on a card. */
export const face = (rank) => (rank === "T" ? "10" : rank);

/** Counts of all ranks, lowest first. */
export function countsOf(text) {
  const counts = new Array(RANKS.length).fill(0);
  for (const card of text) if (RANKS.includes(card)) counts[RANKS.indexOf(card)] += 1;
  return counts;
}

const textOf = (counts) => counts.map((count, rank) => RANKS[rank].repeat(Math.max(0, count))).join("");
export const sorted = (text) => textOf(countsOf(text));
export const add = (a, b) => sorted(a + b);

/** What is left of `a` without the cards of `b`; cards that `a` has not are ignored. */
export function minus(a, b) {
  const taken = countsOf(b);
  return textOf(countsOf(a).map((count, rank) => count - taken[rank]));
}

export const holds = (a, b) => minus(b, a) === "";

/** Cards from what people write (10, BJ, RJ, 小王, 大王, lower case, blanks, commas); null where it is something else. */
export function read(text) {
  let rest = text.normalize("NFKC").toUpperCase().replace(/[\s,、]+/g, "");
  rest = rest.replace(/10/g, "T").replace(/BJ|小王/g, "X").replace(/[RC]J|大王/g, "D").replace(/B/g, "X").replace(/R/g, "D");
  return [...rest].every((card) => RANKS.includes(card)) ? sorted(rest) : null;
}

/** What a screen reader says for cards. */
export const spoken = (text) => [...text].map((card) => t(`rank_${card}`)).join(" ");

/** Puts the symbols into the page; every card picture refers to them. */
export function installFaces() {
  if (document.getElementById("faces")) return;
  document.body.append(s("svg", { id: "faces", width: 0, height: 0, "aria-hidden": "true" }, [...RANKS].map(symbol), back()));
}

/** The picture of a card, or of a back where `rank` is null. */
export function picture(rank) {
  return s("svg.card-picture", { viewBox: "0 0 64 88", "aria-hidden": "true" }, s("use", { href: `#face-${rank ?? "back"}` }));
}

/** Small text boxes, one a card. */
export function chips(text) {
  if (!text || text === "pass") return h("span.chips.pass", t("pass"));
  return h("span.chips", { "aria-label": spoken(text), role: "img" }, [...text].map((card) => h(`span.chip.rank-${card}`, chipFace(card))));
}

const chipFace = (card) => (card === "T" ? "10" : card === "X" ? t("joker_small") : card === "D" ? t("joker_big") : card);

function symbol(rank) {
  const joker = rank === "X" || rank === "D";
  return s(`symbol.face.rank-${rank}`, { id: `face-${rank}`, viewBox: "0 0 64 88" },
    s("rect.paper", { x: 0.75, y: 0.75, width: 62.5, height: 86.5, rx: 6 }),
    joker ? jokerIndex() : s("text.index", { x: rank === "T" ? 2.5 : 5, y: 21, "letter-spacing": rank === "T" ? -2 : 0 }, face(rank)),
    rank === "2" ? coins() : PIPS[rank] ? PIPS[rank].map(grain) : emblem(rank));
}

function jokerIndex() {
  return [..."JOKER"].map((letter, index) => s("text.letter", { x: 9.5, y: 14 + 11.5 * index, "text-anchor": "middle" }, letter));
}

function grain([x, y]) {
  return s("path.pip", { transform: `translate(${27 + 6.4 * x} ${29 + 8 * y})`, d: "M0 -5.4 Q7.6 0 0 5.4 Q-7.6 0 0 -5.4 Z" });
}

function emblem(rank) {
  const [area, line] = EMBLEMS[rank];
  const bells = rank === "X" || rank === "D" ? [[19, 44], [36, 31], [53, 44]].map(([cx, cy]) => s("circle.area", { cx, cy, r: 3.6 })) : [];
  return [s("path.area", { d: area, transform: "translate(2 4)" }), line && s("path.line", { d: line, transform: "translate(2 4)" }),
    bells.map((bell) => s("g", { transform: "translate(2 4)" }, bell)), bells.length ? s("path.line", { d: "M20 72 h32", transform: "translate(2 4)" }) : null];
}

function coins() {
  return [[32, 42], [46, 62]].map(([x, y]) =>
    s("g", { transform: `translate(${x} ${y})` }, s("circle.ring", { r: 11 }), s("rect.ring", { x: -4, y: -4, width: 8, height: 8 })));
}

function back() {
  return s("symbol.face.back", { id: "face-back", viewBox: "0 0 64 88" },
    s("rect.paper", { x: 0.75, y: 0.75, width: 62.5, height: 86.5, rx: 6 }),
    s("rect.cloth", { x: 5, y: 5, width: 54, height: 78, rx: 4 }),
    s("path.thread", { d: "M5 24 L59 64 M5 64 L59 24 M32 5 L59 44 L32 83 L5 44 Z" }));
}
