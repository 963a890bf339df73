// Content that stays where it is the same, because a browser styles, lays out and paints only what has changed.

import { Sketch } from "./sketch.js";

/** Call the present listener of an element; the elements of the page have one for each kind of event. */
export const heard = (event) => event.currentTarget.hears[event.type]?.(event);

/**
 * Replace the content of `place` by `inside`, elements, sketches and texts, and keep its own: those with the same `data-key`, else of the same kind.
 *
 * A kept element gets the attributes, the listeners and the content of the new one. So no listener may hold a new element.
 */
export function keep(place, inside) {
  const keyed = new Map();
  const others = [];
  const before = [...place.childNodes];
  for (const one of before) keyOf(one) ? keyed.set(keyOf(one), one) : others.push(one);
  const taken = inside.map((now) => take(now, keyed, others));
  for (const one of [...keyed.values(), ...others]) one.remove();
  const staying = inOrder(taken.filter(Boolean), before);
  let next = null;
  for (let nth = inside.length - 1; nth >= 0; nth -= 1) {
    const one = taken[nth] ?? node(inside[nth]);
    if (!staying.has(one)) place.insertBefore(one, next);
    if (taken[nth]) become(one, inside[nth]);
    next = one;
  }
}

/** Return as many of `taken` as follow each other as they did `before`: a browser lays out again what is put elsewhere. */
function inOrder(taken, before) {
  const places = new Map(before.map((one, at) => [one, at]));
  const ends = []; // at n: the end of the row of n + 1 that a later one can best continue
  const previous = new Map();
  for (const one of taken) {
    const length = ends.findLastIndex((end) => places.get(end) < places.get(one)) + 1;
    previous.set(one, ends[length - 1]);
    ends[length] = one;
  }
  const row = new Set();
  for (let one = ends.at(-1); one; one = previous.get(one)) row.add(one);
  return row;
}

const node = (one) => (one instanceof Sketch ? one.made() : one instanceof Node ? one : document.createTextNode(one));
const keyOf = (one) => (one.sketch ?? one).getAttribute?.("data-key"); // to ask the page costs more
const kindOf = (one) => (one.getAttribute ? `${one.localName} ${((one.sketch ?? one).getAttribute("class") ?? "").split(" ")[0]}` : "#text");

/** Take from the elements that were there the one that a new one continues; undefined if there is none. */
function take(now, keyed, others) {
  const [key, kind] = [keyOf(now), kindOf(now)];
  if (!key) {
    const at = others.findIndex((one) => kindOf(one) === kind);
    return at < 0 ? undefined : others.splice(at, 1)[0];
  }
  const one = keyed.get(key);
  if (!one || kindOf(one) !== kind) return undefined;
  keyed.delete(key);
  return one;
}

function become(one, now) {
  if (!one.getAttribute) {
    const text = now.data ?? String(now);
    if (one.data !== text) one.data = text;
    return;
  }
  if (now instanceof Sketch) return redraw(one, now);
  if (!one.live && !now.live && one.isEqualNode(now)) return;
  for (const { name, value } of now.attributes) {
    if (one.getAttribute(name) === value) continue;
    if (name === "style") one.style.cssText = now.style.cssText; // the browser refuses an attribute with styles
    else one.setAttribute(name, value);
  }
  for (const name of one.getAttributeNames()) {
    if (!now.hasAttribute(name) && !(name === "open" && one.localName === "details")) one.removeAttribute(name); // who reads has opened it
  }
  if (one.localName === "input" && one.value !== now.value) one.value = now.value;
  for (const kind of Object.keys(now.hears ?? {})) one.addEventListener(kind, heard);
  [one.hears, one.says, one.live] = [now.hears ?? {}, now.says, now.live];
  keep(one, [...now.childNodes]);
}

/** Change an element that a sketch had made. */
function redraw(one, now) {
  if (now.equals(one.sketch)) return;
  for (const name in now.bears) if (one.getAttribute(name) !== now.bears[name]) one.setAttribute(name, now.bears[name]);
  for (const name of one.getAttributeNames()) if (!(name in now.bears)) one.removeAttribute(name);
  keep(one, now.inside);
  one.sketch = now;
}
