// Functions that make the elements of the page. All texts are inserted as text, so they can never become markup.

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

/** Replace the content by `inside`; the element with the same `data-key` keeps the focus. */
export function fill(place, ...inside) {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const open = new Set([...place.querySelectorAll("details[open]")].map((fold) => fold.dataset.key));
  place.replaceChildren(...kept(inside));
  for (const fold of place.querySelectorAll("details[data-key]")) fold.open = open.has(fold.dataset.key);
  if (!focused || place.contains(focused)) return;
  const key = focused.dataset.key;
  const again = key && [...place.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  (again || place.querySelector("h2[tabindex]") || place).focus({ preventScroll: !again });
  if (again?.localName === "input") again.setSelectionRange(focused.selectionStart, focused.selectionEnd);
}

function dress(made, bears, inside) {
  for (const [name, value] of Object.entries(bears)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (typeof value === "function") write(made, name, value);
    else if (name === "vars") for (const [key, set] of Object.entries(value)) made.style.setProperty(`--${key}`, set);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null && value !== "") made.setAttribute(name, value);
  }
  made.append(...kept(inside));
  return made;
}

/** Write a text that may change: an attribute, or with the name "text" the content. */
function write(made, name, text) {
  made.says = { ...made.says, [name]: text };
  name === "text" ? (made.textContent = text()) : made.setAttribute(name, text());
}

const kept = (inside) => inside.flat(Infinity).filter((part) => part != null && part !== false && part !== "");
