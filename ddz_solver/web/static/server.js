// Asks the engine over one WebSocket: for an answer, or for answers that get better. A lost connection is taken up again
// and the open questions are asked anew, so that nothing is lost.

import { explain } from "./words.js";

const listeners = new Set();
let connected = true;

/** Calls `listener(true or false)` whenever the connection comes or goes. */
export const onConnection = (listener) => listeners.add(listener);

class ServerError extends Error {
  constructor(error) {
    super(explain(error));
    this.code = error.code;
  }
}

function tell(state) {
  if (state === connected) return;
  connected = state;
  for (const listener of listeners) listener(state);
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const patience = (attempt) => Math.min(4000, 250 * 2 ** attempt);

/** The answer to a question; waits for the server as long as it takes. Throws ServerError where the question is bad. */
export async function ask(name, body = {}) {
  let answer = null;
  await stream(name, body, (part) => { answer = part; }).done;
  return answer;
}

const LATER = ["busy", "rate"]; // refusals that a pause helps against
const LONGEST = 1 << 18; // bytes of a message that the server takes
const open = new Map();
let socket = null;
let number = 0;
let failures = 0;

/** Asks for an answer in parts: `onPart(part)` for each. Returns `{ done, stop }`; `done` rejects with a ServerError. */
export function stream(name, body, onPart) {
  const id = (number += 1);
  const question = { message: JSON.stringify({ id, ask: name, body }), onPart };
  question.done = new Promise((resolve, reject) => Object.assign(question, { resolve, reject }));
  if (new Blob([question.message]).size > LONGEST) { // the server would end the connection, time and again
    question.reject(new ServerError({ code: "size", message: "too long a question" }));
    return { done: question.done, stop() {} };
  }
  open.set(id, question);
  if (socket?.readyState === WebSocket.OPEN) socket.send(question.message);
  else connect();
  return {
    done: question.done,
    stop() {
      if (!open.delete(id)) return;
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id, stop: true }));
      question.resolve();
    },
  };
}

function connect() {
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  socket = new WebSocket(new URL("api/stream", location.href.replace(/^http/, "ws")));
  socket.onopen = () => {
    failures = 0;
    tell(true);
    for (const { message } of open.values()) socket.send(message);
  };
  socket.onmessage = ({ data }) => receive(JSON.parse(data));
  socket.onclose = async () => {
    socket = null;
    if (!open.size) return;
    tell(false);
    await pause(patience((failures += 1)));
    if (open.size) connect();
  };
}

async function receive({ id, part, done, error }) {
  const question = open.get(id);
  if (!question) return;
  if (part) question.onPart(part);
  else if (error && LATER.includes(error.code)) {
    await pause(1000);
    if (open.has(id) && socket?.readyState === WebSocket.OPEN) socket.send(question.message);
  } else {
    open.delete(id);
    if (done) question.resolve();
    else question.reject(new ServerError(error));
  }
}
