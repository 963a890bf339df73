// The rest of a browser that the whole page needs: its document from index.html, events that bubble, forms, and a box to ask.

import { readFileSync } from "node:fs";

import { box, Element, Node } from "./dom.mjs";

process.env.TZ = "UTC";
const EMPTY = new Set(["meta", "link", "img", "input", "path", "br"]);
const html = readFileSync(new URL("../../../../firmware/umpi/web/page/index.html", import.meta.url), "utf-8");
const NAMES = { html: document.documentElement };

/** Read HTML as it is in our files: no unclosed tags, no entities. */
function read(text) {
  const around = [new Element("document")];
  for (const [, closes, name, bears, words] of text.matchAll(/<(\/?)([a-z]\w*)([^>]*)>|([^<]+)/gi)) {
    if (words !== undefined) around[0].append(words.trim() === "" ? "" : words);
    else if (closes) around.shift();
    else {
      const one = NAMES[name] ?? new Element(name);
      for (const [, key, value] of bears.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) one.setAttribute(key, value ?? "");
      around[0].append(one);
      if (!EMPTY.has(name)) around.unshift(one);
    }
  }
}
read(html.replace(/<!.*?>/g, ""));
export const root = document.documentElement;
root.dataset.box = "";
export const at = (selector) => root.querySelector(selector);

// What elements of a browser have: focus, forms, sizes, and events that go down and up again.
const windows = {}; // the listeners of the window
const add = (listeners) => (kind, listener, how) => (listeners[kind] ??= []).push({ listener, capture: how === true || how?.capture, once: how?.once });
globalThis.addEventListener = add(windows);

Object.defineProperties(Element.prototype, {
  isConnected: { get() { return root.contains(this); } },
  children: { get() { return this.childNodes.filter((one) => one.localName); } },
  name: { get() { return this.getAttribute("name") ?? ""; } },
  type: { get() { return this.localName === "select" ? "select-one" : this.getAttribute("type") ?? (this.localName === "input" ? "text" : ""); } },
  hash: { get() { return this.getAttribute("href")?.replace(/^[^#]*/, "") ?? ""; } },
  selectionStart: { get() { return ["text", "search", "tel", "url", "password"].includes(this.type) ? this.caret ?? 0 : null; }, set(place) { this.caret = place; } },
  checked: { get() { return this.on ?? this.hasAttribute("checked"); }, set(on) {
    if (on && this.type === "radio") for (const other of this.form?.querySelectorAll(`[name=${this.name}]`) ?? []) other.on = false;
    this.on = on;
  } },
  disabled: { get() { return this.hasAttribute("disabled"); }, set(on) { this.toggleAttribute("disabled", on); } },
  title: { get() { return this.getAttribute("title") ?? ""; }, set(text) { this.setAttribute("title", text); } },
  options: { get() { return this.querySelectorAll("option"); } },
  selectedIndex: {
    get() { return this.chosen ?? Math.max(0, this.options.findIndex((one) => one.hasAttribute("selected"))); },
    set(index) { this.chosen = index; },
  },
  selectedOptions: { get() { return this.options.slice(this.selectedIndex, this.selectedIndex + 1); } },
  value: {
    get() {
      if (this.localName === "select") return this.options[this.selectedIndex]?.value ?? "";
      return ["input", "option"].includes(this.localName) ? this.entered ?? this.getAttribute("value") ?? (this.localName === "option" ? this.textContent : "") : undefined;
    },
    set(text) { this.localName === "select" ? (this.chosen = this.options.findIndex((one) => one.value === text)) : (this.entered = text); },
  },
  form: { get() { return this.closest("form"); } },
  width: { get() { return Number(this.getAttribute("width")); } },
  height: { get() { return Number(this.getAttribute("height")); } },
  elements: { get() {
    const all = this.querySelectorAll("input, select, button, fieldset");
    for (const one of all) if (one.name && !(one.name in all)) all[one.name] = one;
    return all;
  } },
});
const sizes = { width: 360, height: 40 };
Object.assign(Element.prototype, {
  focus(how) {
    document.activeElement = this;
    did.push(`focus on ${this.dataset.key || this.className || this.localName}${how?.preventScroll ? "" : ", and scroll there"}`);
  },
  select() { this.focus(); },
  setSelectionRange() { if (this.selectionStart === null) throw new DOMException("it has no selection", "InvalidStateError"); },
  replaceWith(...others) { for (const one of others) this.parentElement.insertBefore(one, this); this.remove(); },
  after(...others) { for (const one of others) this.parentElement.insertBefore(one, this.nextSibling); },
  click() { clicks(this, { detail: 1 }); },
  reportValidity() { return this.value !== ""; },
  scrollIntoView() { did.push(`scroll to ${this.className || this.localName}`); },
  setPointerCapture() {},
  getBoundingClientRect: () => ({ x: 0, y: 0, left: 0, top: 0, ...sizes }),
  getClientRects() { return this.hidden ? [] : [{}]; },
  animate(frames, how) { (this.moves ??= []).push([frames, how]); return { cancel() {}, playState: "finished" }; },
  getContext() {
    const pixel = (x, y) => `#${Buffer.from(this.painted.data).toString("hex", 4 * (y * this.painted.width + x), 4 * (y * this.painted.width + x) + 4)}`;
    const createImageData = (width, height) => ({ width, height, data: new Uint8ClampedArray(4 * width * height) });
    return { createImageData, pixel, putImageData: (image, ...at) => { this.painted = String(at) === "0,0" && { ...image, data: image.data.slice() }; } };
  },
  addEventListener(kind, listener, how) {
    const there = (this.hearing ??= {})[kind] ??= [];
    if (!there.some((one) => one.listener === listener)) add(this.hearing)(kind, listener, how);
  },
  dispatchEvent(given) {
    const event = { ...given, target: this, defaultPrevented: false, preventDefault() { event.defaultPrevented = true; }, stopPropagation() { event.stopped = true; }, stopImmediatePropagation() { event.stopped = true; } };
    const way = [];
    for (let one = this; one; one = one.parentElement) way.push([one, one.hearing ?? {}]);
    way.push([globalThis, windows]);
    const call = ([one, hearing], capture) => {
      for (const each of [...(hearing[event.type] ?? [])].filter((each) => Boolean(each.capture) === capture)) {
        if (each.once) hearing[event.type].splice(hearing[event.type].indexOf(each), 1);
        event.currentTarget = one;
        waits.push(each.listener(event));
      }
    };
    for (const one of way.toReversed()) if (!event.stopped) call(one, true);
    for (const one of given.bubbles === false ? way.slice(0, 1) : way) if (!event.stopped) call(one, false);
    return event;
  },
});

/** What the page has done beside its document; `tick` waits until it rests. */
export const did = [];
const waits = [];
export async function tick() {
  for (let turn = 0; turn < 12; turn += 1) await new Promise((go) => setImmediate(go));
  await Promise.all(waits.splice(0).map((one) => Promise.race([one, new Promise((go) => setImmediate(go))])));
  for (let turn = 0; turn < 4; turn += 1) await new Promise((go) => setImmediate(go));
}

class Source {
  static all = [];
  constructor(path) { [this.path, this.hearing] = [path, {}]; Source.all.push(this); }
  addEventListener(kind, listener, how) { add(this.hearing)(kind, listener, how); }
  says(kind, data) { for (const one of [...(this.hearing[kind] ?? [])]) { if (one.once) this.hearing[kind].splice(this.hearing[kind].indexOf(one), 1); one.listener({ data }); } }
}
export const sources = Source.all;

/** The stream of the table: the first request for api/events gets it, and each document is a change. */
let push = null;
let version = 0;
export function hear(table) {
  version += 1;
  push.enqueue(new TextEncoder().encode(`id: ${table.boot}.${version}\ndata: ${JSON.stringify({ ...table, version })}\n\n`));
  return tick();
}
export function breaks() { push.error(new TypeError("gone")); return tick(); }

/** Whether the reader wants no motion. */
export const still = { matches: false };

/** Whether the window is wide. */
export const wide = { matches: false };

const plain = globalThis.fetch;
const observers = [];
class Happening { constructor(type, { bubbles = false } = {}) { Object.assign(this, { type, bubbles }); } }
Object.assign(globalThis, {
  location: { hash: "", protocol: "http:", pathname: "/", host: "box.local:8000", hostname: "box.local", reload() { did.push("reload"); } },
  history: { replaceState(_, __, hash) { did.push(`address ${hash}`); } },
  matchMedia: (query) => (query.includes("reduced-motion") ? still : wide),
  scrollTo(...place) { did.push(`scroll to ${place}`); },
  EventSource: Source,
  FocusEvent: Happening,
  Event: Happening,
  FormData: class { constructor(form) { this.form = form; } get(name) { return this.form.elements[name].value; } },
  MutationObserver: class { observe(_, how) { did.push(`observes ${JSON.stringify(how)}`); } },
  ResizeObserver: class { constructor(looks) { observers.push(looks); } observe() {} },
  getComputedStyle: () => ({ getPropertyValue: () => "0", transform: "none" }),
  window: globalThis,
  DOMParser: class { parseFromString(text) { const holds = new Element("document"); holds.setAttribute("data-source", text); return { documentElement: holds, scripts: [] }; } },
  async fetch(path, how) {
    if (path !== "api/events") return plain(path, how);
    return { ok: true, status: 200, body: new ReadableStream({ start(on) { push = on; } }) };
  },
});
export const resized = () => observers.forEach((looks) => looks());
document.importNode = (one) => one;
document.body = at("body");
document.activeElement = document.body;
document.querySelector = (selector) => root.querySelector(selector);
document.querySelectorAll = (selector) => root.querySelectorAll(selector);
document.addEventListener = add(windows);

function clicks(one, how) {
  const { defaultPrevented } = one.dispatchEvent({ type: "click", ...how });
  if (defaultPrevented || !["checkbox", "radio"].includes(one.type)) return;
  one.checked = one.type === "radio" || !one.checked;
  one.dispatchEvent({ type: "change" });
}

/** Tap an element as a finger does; the keyboard types into a field, and chooses of a list. */
export async function tap(selector, how = {}) {
  const one = typeof selector === "string" ? at(selector) : selector;
  if (!one) throw new Error(`there is no ${selector}`);
  one.dispatchEvent({ type: "pointerdown", isPrimary: true, button: 0, pointerId: 1, timeStamp: 1, ...how });
  clicks(one, { detail: 1, ...how });
  if (one.localName === "button" && one.form && one.type !== "button" && !one.form.dispatchEvent({ type: "submit" }).defaultPrevented) did.push("the browser sends the form");
  await tick();
}
export async function types(selector, text) {
  const one = at(selector);
  one.value = text;
  one.dispatchEvent({ type: "input" });
  one.dispatchEvent({ type: "change" });
  await tick();
}
export async function key(type, more) {
  const event = (document.activeElement ?? document.body).dispatchEvent({ type, timeStamp: 5, ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, repeat: false, ...more });
  await tick();
  return event;
}
/** Go to another view, as a link does. */
export async function goes(hash) {
  location.hash = hash;
  for (const { listener } of windows.hashchange ?? []) listener({});
  await tick();
}
export const happens = async (kind, more = {}) => { for (const { listener } of [...(windows[kind] ?? [])]) listener({ type: kind, ...more }); await tick(); };
/** Let the box answer these paths. */
export const answer = (answers) => { for (const [path, [status, body]] of Object.entries(answers)) box.answers[path] = [status, JSON.stringify(body)]; };
const UNKNOWN = /,"at_us":(?!100000000\d000\b)\d+/; // a time that no event of a test has brought
Object.defineProperty(performance, "timeOrigin", { value: 1e9 });
/** Return what the page has asked since the last time, each as a line; words and clocks have their own tests. */
export const asked = () => box.asked.splice(0).map(({ path, body }) => (body ? `${path} ${body.replace(UNKNOWN, "")}` : path)).filter((line) => !/^api\/(words|clock)/.test(line));
/** What a real box has answered, by path. */
export const ANSWERS = Object.fromEntries(readFileSync(new URL("answers.jsonl", import.meta.url), "utf-8").trim().split("\n").map((line) => JSON.parse(line)));
