// Makes elements: h("button.primary", { onclick, "aria-label": "..." }, "text", child, ...), s(...) for SVG.

const SVG = "http://www.w3.org/2000/svg";

export const h = (name, ...rest) => fill(document.createElement(tag(name)), name, rest);
export const s = (name, ...rest) => fill(document.createElementNS(SVG, tag(name)), name, rest);

export function replace(root, ...children) {
  root.replaceChildren(...flat(children));
  return root;
}

/** Text for those who cannot see the page. */
export function announce(text) {
  document.getElementById("live")?.replaceChildren(text);
}

/** Calls `action` once nothing more has asked for it during `wait` milliseconds. */
export function debounce(action, wait) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), wait);
  };
}

function tag(name) {
  return name.split(".", 1)[0] || "div";
}

function fill(element, name, rest) {
  const [first, ...others] = rest;
  const plain = first && typeof first === "object" && !Array.isArray(first) && !(first instanceof Node);
  const classes = name.split(".").slice(1);
  if (classes.length) element.classList.add(...classes);
  if (plain) for (const [key, value] of Object.entries(first)) set(element, key, value);
  element.append(...flat(plain ? others : rest));
  return element;
}

function set(element, key, value) {
  if (value === undefined || value === null) return;
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else if (key === "class") element.classList.add(...value.split(" ").filter(Boolean));
  else if (key === "style") for (const [name, to] of Object.entries(value)) element.style.setProperty(name, to);
  else if (key === "value" || key === "checked" || key === "selected") element[key] = value;
  else if (value === true) element.setAttribute(key, "");
  else if (value !== false || key.startsWith("aria-")) element.setAttribute(key, String(value));
}

function flat(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}
