// A client of the JSON API: plays one hand of cards with hints for seat 0 and engine levels for the others.
//
//   ddz serve --no-browser &
//   node examples/client.mjs http://127.0.0.1:8010 classic4
//
// The server keeps nothing: `game` is the whole game, and every request carries it. See /openapi.json for all requests.

const [server = "http://127.0.0.1:8010", rules = "classic", seed = "7"] = process.argv.slice(2);

async function ask(name, body) {
  const answer = await fetch(new URL(`/api/${name}`, server), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const value = await answer.json();
  if (!answer.ok) throw new Error(`${name}: ${value.error.message}`);
  return value;
}

const game = { rules, seed: Number(seed), calls: [], plays: [] };
let state = await ask("game", { game });

while (state.phase === "auction") {
  const { seat, call } = await ask("move", { game });
  console.log(`seat ${seat} calls ${call || "pass"}`);
  game.calls.push(call);
  state = await ask("game", { game });
}

while (state.phase === "play") {
  const seat = state.turn;
  if (seat === 0) {
    // What seat 0 sees, as a person would tell it: nothing here gives away the cards of the others.
    const [best] = (await ask("advice", { game, top: 1 })).plays;
    console.log(`seat 0 plays ${best.play} (wins ${(100 * best.win).toFixed(0)} %)`);
    game.plays.push(best.play);
  } else {
    const { play } = await ask("move", { game, seed: game.plays.length });
    console.log(`seat ${seat} plays ${play.play}`);
    game.plays.push(play.play);
  }
  state = await ask("game", { game });
}

console.log(state.redeal ? "nobody bid" : `points: ${state.payoffs.join(" ")}`);
