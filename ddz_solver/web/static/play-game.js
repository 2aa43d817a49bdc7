// A game that is being played here: its description is kept in this browser after every step, the server keeps nothing.

import { ask } from "./server.js";
import { saveGame } from "./store.js";

export const SPEEDS = { slow: 1400, normal: 700, fast: 250, instant: 0 };

/** A new game: `settings` are { rules, me, levels (one a seat), seed, open, speed }. */
export async function newGame(settings) {
  const seed = settings.seed ?? Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  const { deal } = await ask("game", { game: { rules: settings.rules, seed } });
  const game = { id: Date.now().toString(36), begun: Date.now(), ...settings, seed, spec: { rules: settings.rules, deal, calls: [], plays: [] } };
  saveGame(game);
  return game;
}

/** How games against the engine's levels are kept and played on. */
export const LEVELS = {
  keep: saveGame,
  async move({ spec, levels, seed }, state) {
    const steps = spec.calls.length + spec.plays.length;
    const { call, play } = await ask("move", { game: spec, level: levels[state.turn], seed: (seed + 7919 * steps) % Number.MAX_SAFE_INTEGER });
    return call ?? play.play;
  },
};

/** Plays a game on: asks `table.move` for the other seats, until it is this person's turn or the hand is over. */
export class Player {
  /** `table`: { keep(game) after every change, move(game, state) }. `onState(state)` after every step; `onError(error)`. */
  constructor(game, table, onState, onError) {
    this.game = game;
    this.table = table;
    this.onState = onState;
    this.onError = onError;
    this.state = null;
    this.acted = false;
    this.round = 0; // counts up whenever what is under way has become void
  }

  get mine() {
    return this.state !== null && this.state.turn === this.game.me && !this.acted;
  }

  get started() {
    return this.game.spec.calls.length + this.game.spec.plays.length > 0;
  }

  stop() {
    this.round += 1;
  }

  async run() {
    const round = (this.round += 1);
    try {
      while (await this.#refresh(round)) {
        const { game } = this;
        if (this.state.turn === null || this.mine) return;
        const [move] = await Promise.all([
          this.table.move(game, this.state),
          new Promise((resolve) => setTimeout(resolve, SPEEDS[game.speed])),
        ]);
        if (round !== this.round) return;
        this.#add(move);
      }
    } catch (error) {
      if (round === this.round) this.onError(error);
    }
  }

  /** This person's call (a number) or play (a text). */
  act(what) {
    this.acted = true; // until the server has told what stands then
    this.#add(what);
    return this.run();
  }

  /** Takes back everything since this person's last decision, and that decision. */
  async undo() {
    this.round += 1;
    this.acted = true; // what is shown is no longer where the game stands
    const { spec, me } = this.game;
    const { players } = this.state;
    const first = this.state.calls.length ? this.state.calls[0][0] : this.state.turn;
    const actors = [
      ...spec.calls.map((_, index) => (first + index) % players),
      ...this.state.history.map(([seat]) => seat),
    ];
    let steps = actors.length;
    do steps -= 1; while (steps >= 0 && actors[steps] !== me);
    if (steps >= 0) {
      const calls = spec.calls.length;
      spec.plays = spec.plays.slice(0, Math.max(0, steps - calls));
      spec.calls = spec.calls.slice(0, steps);
      delete this.game.result;
      this.table.keep(this.game);
    }
    await this.run();
  }

  #add(what) {
    const { spec } = this.game;
    if (typeof what === "number") spec.calls.push(what);
    else spec.plays.push(what);
    this.table.keep(this.game);
  }

  async #refresh(round) {
    const state = await ask("game", { game: this.game.spec });
    if (round !== this.round) return false;
    this.state = state;
    this.acted = false;
    if (state.phase === "over") {
      this.game.result = { payoffs: state.payoffs, winners: state.winners, redeal: state.redeal };
      this.table.keep(this.game);
    }
    this.onState(state);
    return true;
  }
}
