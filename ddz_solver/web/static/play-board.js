// The table of a game with this person's hand: selecting cards, playing, passing, calling, hints, undo, keys.

import { announce, debounce, h, replace } from "./dom.js";
import { spoken } from "./cards.js";
import { showAdvice } from "./bid-view.js";
import { HandView, rankOfKey } from "./hand-view.js";
import { Player, SPEEDS } from "./play-game.js";
import { PlaysView, signed } from "./plays-view.js";
import { ask, stream } from "./server.js";
import { showTable } from "./table-view.js";
import { pick, t } from "./words.js";

const SECONDS = 1; // that the engine thinks about a hint
const WORLDS = 200; // deals in which a hand is played out for the advice on the bid

export class PlayBoard {
  /**
   * `root` is the table, `hintPanel` the place of hints. `table`: how the game is kept and the others move. `on`:
   * { state(state) after every step, again() and review(game) from the buttons at the end, hints: whether there are any }.
   */
  constructor(game, names, table, on) {
    Object.assign(this, { game, names, table, on });
    this.hand = new HandView(() => this.#judge());
    this.explain = debounce(() => this.#explain(), 120);
    this.says = h("p.says", { role: "status" });
    this.actions = h("div.row.actions");
    this.place = h("div");
    this.hints = new PlaysView((play) => this.hand.select(play.cards));
    this.hintPanel = h("section.panel", { hidden: true, "aria-label": t("hint") });
    this.root = h("div.stack", this.place, h("p.muted.keys", t("keys_play")));
    this.player = new Player(game, table, (state) => this.#show(state), (error) => this.#say(error.message, true));
    this.onKey = (event) => this.#key(event);
    addEventListener("keydown", this.onKey);
    this.player.run();
  }

  leave() {
    removeEventListener("keydown", this.onKey);
    this.player.stop();
    this.question?.stop();
  }

  #show(state) {
    this.state = state;
    this.hintPanel.hidden = true;
    this.question?.stop();
    this.choices = null;
    this.hand.show(state.hands[this.game.me]);
    if (!this.player.mine) this.hand.select("", false);
    this.#render();
    this.#tell();
    if (state.phase !== "over") this.#judge();
    this.on.state(state);
  }

  #render() {
    const { state, game } = this;
    const over = state.phase === "over";
    const controls = h("div.controls", over ? this.#result() : this.says, this.actions, this.hand.root);
    const others = this.names.map((_, seat) => seat).filter((seat) => seat !== game.me);
    const focused = document.activeElement?.id;
    const card = this.hand.buttons.indexOf(document.activeElement);
    replace(this.place, showTable(state, { me: game.me, names: this.names, open: game.open || over ? others : [], mine: false, controls }));
    this.#showActions();
    if (card >= 0) this.hand.buttons[card].focus();
    else if (focused) document.getElementById(focused)?.focus();
  }

  #result() {
    const { state, game } = this;
    const title = state.winner === null ? t("all_passed") : t(state.winners.includes(game.me) ? "won" : "lost_game");
    const scores = state.payoffs.map((points, seat) => h("span", `${this.names[seat]} `, h("b.number", signed(points, 0))));
    return h("div.over", { role: "status" }, h("h2", title), h("div.scores", scores));
  }

  #showActions() {
    const { state, player, game } = this;
    const button = (id, words, act, more = {}) => h("button.button", { type: "button", id, onclick: act, ...more }, words);
    const undo = button("undo", t("undo"), () => this.#undo(), { disabled: !player.started });
    const tools = [undo,
      this.on.hints && h("label.tick", h("input", { type: "checkbox", id: "open", checked: game.open, onchange: ({ target }) => this.#setting("open", target.checked) }), t("open_hands")),
      h("label.tick", t("speed"), h("select.speed", { id: "speed", onchange: ({ target }) => this.#setting("speed", target.value) },
        Object.keys(SPEEDS).map((name) => h("option", { value: name, selected: name === game.speed }, t(`speed_${name}`)))))];
    if (state.phase === "over") {
      replace(this.actions, button("again", t("deal_again"), () => this.on.again(), { class: "primary" }), this.on.review && button("to-review", t("review"), () => this.on.review(game)), undo);
    } else if (!player.mine) {
      replace(this.actions, tools);
    } else if (state.phase === "auction") {
      replace(this.actions, button("do-hint", t("hint"), () => this.#adviseBid()), state.legal_calls.map((bid) => button(`call-${bid}`, t(`call_${bid}`), () => this.#act(bid), { class: bid ? "primary" : "" })), tools);
    } else {
      const passes = state.legal_plays[0]?.play === "pass";
      replace(this.actions,
        button("do-play", t("do_play"), () => this.#play(), { class: "primary", disabled: !this.choices?.length }),
        passes && button("do-pass", t("do_pass"), () => this.#act("pass")),
        this.on.hints && button("do-hint", t("hint"), () => this.#hint()), tools);
    }
  }

  #act(what) {
    if (!this.player.mine) return;
    this.player.act(what);
    this.#showActions();
  }

  #undo() {
    this.player.undo();
    this.#showActions();
  }

  /** What the selected cards are and whether they may be played. */
  #judge() {
    if (!this.player.mine || this.state.phase !== "play") return;
    const { selected } = this.hand;
    this.choices = selected ? this.state.legal_plays.filter(({ cards }) => cards === selected) : [];
    const playButton = document.getElementById("do-play");
    if (playButton) playButton.disabled = !this.choices.length;
    if (this.choices.length > 1) {
      this.#say(t("two_readings"), false, this.choices.map((play) => h("button.button.small", { type: "button", onclick: () => this.#act(play.play) }, `${pick(play.name)} ${play.play}`)));
    } else if (this.choices.length) this.#say(pick(this.choices[0].name));
    else if (selected) this.explain();
    else this.#prompt();
  }

  async #explain() {
    const { selected } = this.hand;
    if (!selected || this.choices?.length || !this.player.mine) return;
    const { state } = this;
    const found = await ask("check", { rules: state.rules, hand: state.hands[this.game.me], cards: selected, to_beat: state.to_beat?.play ?? "" });
    if (this.hand.selected !== selected || this.choices?.length) return;
    const kind = found.readings.length ? pick(found.readings[0].name) : "";
    const beat = found.to_beat ? `${pick(found.to_beat.name)} ${found.to_beat.cards}` : "";
    if (found.problem) this.#say(t(found.problem, { cards: selected, kind, play: beat }), true);
  }

  #prompt() {
    const { state } = this;
    if (state.phase === "auction") this.#say(t("your_call"));
    else if (state.to_beat === null) this.#say(t("your_turn_lead"));
    else if (state.legal_plays.length === 1) this.#say(t("nothing_beats"));
    else this.#say(t("your_turn_beat", { play: `${pick(state.to_beat.name)} ${state.to_beat.cards}` }));
  }

  /** Says whose turn it is, and to screen readers what was done last. */
  #tell() {
    const { state } = this;
    const last = state.phase === "auction" || !state.history.length ? state.calls.at(-1) : state.history.at(-1);
    if (last) {
      const [seat, what] = last;
      const words = typeof what === "number" ? (what ? t("bids", { bid: what }) : t("call_0")) : what.cards ? `${pick(what.name)} ${spoken(what.cards)}` : t("pass");
      announce(t("says", { name: this.names[seat], what: words }));
    }
    if (state.turn === null) return;
    if (this.player.mine) this.#prompt();
    else this.#say(t("waiting", { name: this.names[state.turn] }));
  }

  #say(text, wrong = false, more = []) {
    this.says.classList.toggle("wrong", wrong);
    replace(this.says, text, more.length ? h("span.row", more) : null);
  }

  #play() {
    if (this.choices?.length) this.#act(this.choices[0].play);
  }

  #hint() {
    this.question?.stop();
    replace(this.hintPanel, h("header", h("h2", t("hint"))), this.hints.root);
    this.hintPanel.hidden = false;
    this.hints.clear(t("thinking"));
    let chosen = null; // the cards of the best play so far; another selection is the person's own
    this.question = stream("advice", { game: this.game.spec, seconds: SECONDS }, ({ plays }) => {
      this.hints.show(plays);
      if (chosen === null || this.hand.selected === chosen) {
        chosen = plays[0].cards;
        this.hand.select(chosen);
      }
      if (!plays[0].cards) this.#say(`${t("hint")}: ${t("pass")}`);
    });
    this.question.done.catch((error) => this.hints.clear(error.message));
  }

  /** What each call is worth. */
  #adviseBid() {
    this.question?.stop();
    const place = h("div.stack");
    replace(this.hintPanel, place);
    this.hintPanel.hidden = false;
    const { rules, calls, hands } = this.state;
    const body = { rules, hand: hands[this.game.me], calls: calls.map(([, bid]) => bid || "pass").join(" "), worlds: WORLDS };
    this.question = stream("bid", body, (found) => showAdvice(place, found));
    this.question.done.catch((error) => replace(place, h("p.problem", error.message)));
  }

  #setting(name, value) {
    this.game[name] = value;
    this.table.keep(this.game);
    this.#render();
    if (this.player.mine) this.#judge();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea")) return;
    const onButton = event.target.matches?.("button, a, summary");
    const rank = rankOfKey(event.key);
    if (event.key === "Enter" && (!onButton || event.target.classList.contains("card"))) this.#play();
    else if (event.key === " " && !onButton) document.getElementById("do-pass")?.click();
    else if (event.key === "Escape") this.hand.select("");
    else if (event.key.toLowerCase() === "h") document.getElementById("do-hint")?.click();
    else if (event.key.toLowerCase() === "u") document.getElementById("undo")?.click();
    else if (this.state?.phase === "auction" && this.player.mine && /^[0-3]$/.test(event.key)) document.getElementById(`call-${event.key}`)?.click();
    else if (rank && this.player.mine) this.hand.toggleRank(rank);
    else return;
    event.preventDefault();
  }
}
