// The frame: which part is shown, language, theme, and the notice when the engine cannot be reached.

import { h, replace } from "./dom.js";
import { installFaces } from "./cards.js";
import { ask, onConnection } from "./server.js";
import { load, save } from "./store.js";
import { lang, setLanguage, t } from "./words.js";

const PARTS = ["hint", "play", "review", "puzzle"];
let leave = null;
let about = null;

async function show() {
  const [name, ...rest] = location.hash.slice(1).split("/");
  const part = PARTS.includes(name) ? name : "hint";
  showFrame(part);
  leave?.();
  leave = null;
  const main = replace(document.getElementById("main"));
  const [{ mount }, facts] = await Promise.all([import(`./part-${part}.js`), about]);
  if (!document.querySelector(`#parts [aria-current][href="#${part}"]`)) return; // somebody was faster
  leave = mount(main, facts, rest);
}

function showFrame(part) {
  replace(document.getElementById("parts"),
    PARTS.map((name) => h("a", { href: `#${name}`, "aria-current": name === part ? "page" : undefined }, t(`part_${name}`))));
  replace(document.getElementById("switches"),
    h("button", { type: "button", id: "language", onclick: switchLanguage }, t("language")),
    h("button", { type: "button", id: "theme", title: t("theme"), "aria-label": t("theme"), onclick: switchTheme }, "◐"));
  document.getElementById("banner").textContent = t("lost");
}

function switchLanguage() {
  const next = lang() === "en" ? "zh" : "en";
  save("language", next);
  setLanguage(next);
  show();
}

function switchTheme() {
  const root = document.documentElement;
  const dark = (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  root.dataset.theme = dark ? "light" : "dark";
  save("theme", root.dataset.theme);
}

const theme = load("theme", null);
if (theme) document.documentElement.dataset.theme = theme;
setLanguage(load("language", navigator.language.startsWith("zh") ? "zh" : "en"));
installFaces();
onConnection((connected) => { document.getElementById("banner").hidden = connected; });
about = ask("about");
addEventListener("hashchange", show);
show();
