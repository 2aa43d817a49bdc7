// Puzzles and open hands: published positions to win by force against the solver, and one's own positions solved.

import { h, replace } from "./dom.js";
import { chips } from "./cards.js";
import { PlayBoard } from "./play-board.js";
import { MarksView, bestReply } from "./solver-view.js";
import { positionForm } from "./position-form.js";
import { load, save } from "./store.js";
import { t } from "./words.js";

export function mount(root, about, [wanted]) {
  let board = null;
  let marks = null;
  let collection = [];
  const place = h("div.stack");
  const list = h("section.panel", { "aria-label": t("puzzles") });
  const panel = h("section.panel", { "aria-label": t("solution") });
  const own = h("section.panel", { "aria-label": t("own_position") }, h("h2", t("own_position")), positionForm(about, load("position", null), (spec) => {
    save("position", spec);
    open({ spec });
  }));
  replace(root, h("div.game-columns", place, h("aside.stack.side", panel, list, own)));
  fetch("static/puzzles.json").then((answer) => answer.json()).then(start);

  function start(puzzles) {
    collection = puzzles;
    const position = load("position", null);
    if (wanted === "own" && position) open({ spec: position });
    else openNumber(Number(wanted ?? load("puzzle", 1)) || 1);
  }

  function openNumber(number) {
    const index = Math.max(0, Math.min(collection.length - 1, number - 1));
    save("puzzle", index + 1);
    open({ number: index + 1, ...collection[index] });
  }

  function open(puzzle) {
    board?.leave();
    marks?.stop();
    const spec = { calls: [], plays: [], ...structuredClone(puzzle.spec) };
    const me = spec.turn ?? spec.landlord ?? 0;
    const game = { spec, me, open: true, speed: "normal" };
    marks = new MarksView((play) => board.hand.select(play.cards));
    const goal = h("p.goal", goalOf(puzzle));
    const says = h("p.verdict", { role: "status" });
    board = new PlayBoard(game, namesOf(spec, me), { keep() {}, move: bestReply }, {
      hints: false,
      again: () => open(puzzle),
      state: (state) => judge(state, puzzle, says),
    });
    board.root.querySelector(".keys")?.remove();
    replace(place, board.root);
    replace(panel, h("header", h("h2", puzzle.number ? t("puzzle_n", { n: puzzle.number }) : t("own_position")), h("button.button.small", { type: "button", id: "restart", onclick: () => open(puzzle) }, t("restart"))),
      goal, says, marks.root, puzzle.source ? h("p.muted", t("source", { source: puzzle.source })) : null);
    if (!puzzle.number) marks.reveal();
    showList(puzzle.number);
  }

  /** Tells what the last own play was worth, and asks the solver about the position that stands now. */
  function judge(state, puzzle, says) {
    const mine = state.history.filter(([seat]) => seat === board.game.me).length;
    if (state.phase === "over") {
      const won = state.winners.includes(board.game.me);
      replace(says, t(won ? "solved" : "failed"));
      says.className = `verdict ${won ? "good" : "bad"}`;
      marks.clear();
      if (won && puzzle.number) {
        save("solved", [...new Set([...load("solved", []), puzzle.number])]);
        showList(puzzle.number);
      }
    } else if (state.turn === board.game.me) {
      marks.solve(board.game.spec);
      if (mine === 0) replace(says);
    } else if (mine > 0 && state.history.at(-1)[0] === board.game.me) {
      const verdict = marks.verdictOf(state.history.at(-1)[1].play);
      if (verdict) {
        replace(says, t(verdict === "win" ? "still_won" : "went_wrong"));
        says.className = `verdict ${verdict === "win" ? "good" : "bad"}`;
      }
    }
  }

  function showList(current) {
    const solved = new Set(load("solved", []));
    replace(list, h("h2", t("puzzles")), h("div.puzzle-grid", collection.map((_, index) => h("button.button.small", {
      type: "button", class: solved.has(index + 1) ? "solved" : "", "aria-pressed": String(index + 1 === current), "data-puzzle": index + 1,
      "aria-label": t("puzzle_n", { n: index + 1 }) + (solved.has(index + 1) ? `, ${t("done_mark")}` : ""), onclick: () => openNumber(index + 1),
    }, String(index + 1)))));
  }

  return () => {
    board?.leave();
    marks?.stop();
  };
}

function goalOf({ spec }) {
  return spec.to_beat ? [t("you_answer_1"), " ", chips(spec.to_beat), " ", t("you_answer_2")] : t("you_move");
}

function namesOf(spec, me) {
  const landlord = spec.landlord ?? 0;
  const partner = (seat) => me !== landlord && seat !== landlord;
  return spec.hands.map((_, seat) => t(seat === me ? "seat_you" : partner(seat) ? "partner_name" : "opponent_name"));
}

