// Asks the engine: one answer over HTTP, or answers that get better over one WebSocket. Lost connections are taken up
// again and the open questions asked anew, so that nothing is lost.

const listeners = new Set();
let connected = true;

/** Calls `listener(true or false)` whenever the connection comes or goes. */
export const onConnection = (listener) => listeners.add(listener);

export class ServerError extends Error {
  constructor({ code, message }) {
    super(message);
    this.code = code;
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
  for (let attempt = 0; ; attempt += 1) {
    let answer;
    try {
      answer = await fetch(`api/${name}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    } catch {
      tell(false);
      await pause(patience(attempt));
      continue;
    }
    tell(true);
    if (answer.status === 429 || answer.status === 503) {
      await pause(patience(attempt + 1));
      continue;
    }
    const value = await answer.json();
    if (!answer.ok) throw new ServerError(value.error);
    return value;
  }
}

const open = new Map();
let socket = null;
let number = 0;
let failures = 0;

/** Asks for an answer in parts: `onPart(part)` for each. Returns `{ done, stop }`; `done` rejects with a ServerError. */
export function stream(name, body, onPart) {
  const id = (number += 1);
  const question = { message: JSON.stringify({ id, ask: name, body }), onPart };
  question.done = new Promise((resolve, reject) => Object.assign(question, { resolve, reject }));
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

function receive({ id, part, done, error }) {
  const question = open.get(id);
  if (!question) return;
  if (part) question.onPart(part);
  else {
    open.delete(id);
    if (done) question.resolve();
    else if (error) question.reject(new ServerError(error));
  }
}
