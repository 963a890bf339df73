// Functions that make the elements of the page. All texts are inserted as text, so they can never become markup.

import { heard, keep } from "./keep.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element: `bears` contains attributes, listeners ("onclick") and custom properties ("vars").
 *
 * A function makes a text that `again` writes once more: of an attribute, or of the element ("text").
 */
export function make(tag, bears = {}, ...inside) {
  return dress(document.createElement(tag), bears, inside);
}

/** Make an SVG element. */
export function draw(tag, bears = {}, ...inside) {
  return dress(document.createElementNS(SVG, tag), bears, inside);
}

/** Write the texts again that elements got as functions, for example in another language. */
export function again(root) {
  for (const one of root.querySelectorAll("*")) {
    for (const [name, text] of Object.entries(one.says ?? {})) write(one, name, text);
  }
}

/** Replace the content by `inside`; the element with the same `data-key` keeps the focus, else a heading gets it. */
export const fill = (place, ...inside) => refocus(place, () => place.replaceChildren(...kept(inside)));

/** Change the content to `inside`, and keep what is the same: see `keep`. */
export const change = (place, ...inside) => refocus(place, () => keep(place, kept(inside)));

/** Replace the content of a place; folds stay open, and the focus stays where it was. */
function refocus(place, replace) {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const open = new Set([...place.querySelectorAll("details[open]")].map((fold) => fold.dataset.key));
  replace();
  for (const fold of place.querySelectorAll("details[data-key]")) fold.open = open.has(fold.dataset.key);
  if (!focused) return;
  if (place.contains(focused) && document.activeElement !== focused) return focused.focus({ preventScroll: true }); // it was put elsewhere
  if (place.contains(focused)) return focused.dispatchEvent(new FocusEvent("focusin", { bubbles: true })); // its group has one tab stop
  const key = focused.dataset.key;
  const again = key && [...place.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  (again || place.querySelector(":is(h2, h3)[tabindex]") || place).focus({ preventScroll: !again });
  if (again?.localName === "input" && focused.selectionStart != null) again.setSelectionRange(focused.selectionStart, focused.selectionEnd);
}

function dress(made, bears, inside) {
  for (const [name, value] of Object.entries(bears)) {
    if (name.startsWith("on")) hear(made, name.slice(2), value);
    else if (typeof value === "function") write(made, name, value);
    else if (name === "vars") for (const [key, set] of Object.entries(value)) made.style.setProperty(`--${key}`, set);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null && value !== "") made.setAttribute(name, value);
  }
  const parts = kept(inside);
  made.append(...parts);
  if (parts.some((part) => part.live)) made.live = true;
  return made;
}

/** Let an element call `listener` at events of one kind. It and those around it are `live`: `keep` compares them part by part. */
function hear(made, kind, listener) {
  (made.hears ??= {})[kind] = listener;
  made.addEventListener(kind, heard);
  made.live = true;
}

/** Write a text that may change: an attribute, or with the name "text" the content. */
function write(made, name, text) {
  made.says = { ...made.says, [name]: text };
  made.live = true;
  name === "text" ? (made.textContent = text()) : made.setAttribute(name, text());
}

const kept = (inside) => inside.flat(Infinity).filter((part) => part != null && part !== false && part !== "");
