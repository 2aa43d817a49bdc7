// A page with one game and no server: the game lies in the page as JSON.

import { h, replace } from "./dom.js";
import { installFaces } from "./cards.js";
import { ReviewView, namesOf } from "./review-view.js";
import { lang, setLanguage, t } from "./words.js";

const record = JSON.parse(document.getElementById("game").textContent);
let view = null;

function show() {
  const at = view?.at ?? 0;
  view = new ReviewView({ ...record, names: namesOf(record.names, record.state.players) }, record.state.landlord ?? 0);
  view.add(record.decisions, 0);
  view.go(at);
  replace(document.getElementById("main"), h("div.stack", h("p.muted", t("keys_review")), view.root));
  replace(document.getElementById("switches"),
    h("button", { type: "button", id: "language", onclick: () => { setLanguage(lang() === "en" ? "zh" : "en"); show(); } }, t("language")),
    h("button", { type: "button", id: "theme", "aria-label": t("theme"), onclick: switchTheme }, "◐"));
}

function switchTheme() {
  const { dataset } = document.documentElement;
  const dark = (dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  dataset.theme = dark ? "light" : "dark";
}

setLanguage(navigator.language.startsWith("zh") ? "zh" : "en");
installFaces();
addEventListener("keydown", (event) => { if (!event.target.matches?.("button")) view.key(event); });
show();
