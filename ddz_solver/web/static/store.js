// What this browser keeps: settings, the hint board, games, solved puzzles. Survives reloads; private windows keep nothing.

const PREFIX = "ddz.";

export function load(key, fallback) {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

export function save(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // storage is full or forbidden: the page works on without it
  }
}

const MOST_GAMES = 200;

export const games = () => load("games", []);
export const gameOf = (id) => games().find((game) => game.id === id);

export function saveGame(game) {
  const others = games().filter(({ id }) => id !== game.id);
  save("games", [game, ...others].slice(0, MOST_GAMES));
}

export const removeGame = (id) => save("games", games().filter((game) => game.id !== id));

/** Gives the user a text as a file. */
export function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
