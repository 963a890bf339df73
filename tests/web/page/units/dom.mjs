// As much of a browser's document as the page's modules need to be loaded and to make elements, for tests under Node.

class Place {
  childNodes = [];

  get firstChild() { return this.childNodes[0] ?? null; }
  get firstElementChild() { return this.childNodes.find((one) => one.localName) ?? null; }
  get textContent() { return this.childNodes.map((one) => one.textContent).join(""); }
  set textContent(text) { this.replaceChildren(...(text === "" ? [] : [text])); }
  append(...parts) { for (const part of parts) this.insertBefore(part, null); }

  insertBefore(part, next) {
    const one = part instanceof Node ? part : new Text(String(part));
    one.remove();
    const at = next ? this.childNodes.indexOf(next) : this.childNodes.length;
    this.childNodes.splice(at, 0, one);
    one.parentElement = this;
  }

  replaceChildren(...parts) {
    for (const one of [...this.childNodes]) one.remove();
    this.append(...parts);
  }

  contains(one) { return one === this || this.childNodes.some((child) => child.contains?.(one)); }
  *all() {
    for (const one of this.childNodes) if (one.localName) yield* [one, ...one.all()];
  }

  querySelectorAll(selector) { return [...this.all()].filter((one) => selector.split(/,(?![^(]*\))/).some((part) => one.matches(part.trim()))); }
  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }
}

export class Node extends Place {
  parentElement = null;

  get nextSibling() { return this.parentElement?.childNodes[this.parentElement.childNodes.indexOf(this) + 1] ?? null; }

  remove() {
    const around = this.parentElement?.childNodes;
    if (around) around.splice(around.indexOf(this), 1);
    this.parentElement = null;
  }
}

class Text extends Node {
  constructor(data) {
    super();
    this.data = data;
  }

  get textContent() { return this.data; }
  get outerHTML() { return this.data; }
  cloneNode() { return new Text(this.data); }
}

const dashed = (name) => `data-${String(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export class Element extends Node {
  listeners = {};
  style = { setProperty: (name, value) => { this.style[name] = value; } };

  constructor(name) {
    super();
    [this.localName, this.nodeName, this.held] = [name, name.toUpperCase(), new Map()];
    this.dataset = new Proxy({}, {
      get: (_, name) => this.held.get(dashed(name)),
      set: (_, name, value) => Boolean(this.held.set(dashed(name), String(value))),
      has: (_, name) => this.held.has(dashed(name)),
      deleteProperty: (_, name) => this.held.delete(dashed(name)) || true,
    });
    this.classList = {
      contains: (name) => this.names().includes(name),
      add: (name) => this.classList.toggle(name, true),
      remove: (name) => this.classList.toggle(name, false),
      toggle: (name, on = !this.classList.contains(name)) => {
        this.setAttribute("class", [...this.names().filter((one) => one !== name), ...(on ? [name] : [])].join(" "));
        return on;
      },
    };
  }

  names() { return (this.held.get("class") ?? "").split(" ").filter(Boolean); }
  get attributes() { return [...this.held].map(([name, value]) => ({ name, value })); }
  getAttributeNames() { return [...this.held.keys()]; }
  getAttribute(name) { return this.held.get(name) ?? null; }
  setAttribute(name, value) { this.held.set(name, String(value)); }
  hasAttribute(name) { return this.held.has(name); }
  removeAttribute(name) { this.held.delete(name); }
  toggleAttribute(name, on) { on ? this.setAttribute(name, "") : this.removeAttribute(name); }
  get className() { return this.getAttribute("class") ?? ""; }
  set className(text) { this.setAttribute("class", text); }
  get childElementCount() { return this.childNodes.filter((one) => one.localName).length; }
  get ariaPressed() { return this.getAttribute("aria-pressed"); }
  get ariaDisabled() { return this.getAttribute("aria-disabled"); }
  set ariaDisabled(text) { text === null ? this.removeAttribute("aria-disabled") : this.setAttribute("aria-disabled", text); }
  get ariaBusy() { return this.getAttribute("aria-busy"); }
  set ariaBusy(text) { text === null ? this.removeAttribute("aria-busy") : this.setAttribute("aria-busy", text); }
  get id() { return this.getAttribute("id") ?? ""; }
  get hidden() { return this.hasAttribute("hidden"); }
  set hidden(on) { this.toggleAttribute("hidden", on); }

  get outerHTML() {
    const held = [...this.held].map(([name, value]) => ` ${name}="${value}"`).join("");
    return `<${this.localName}${held}>${this.childNodes.map((one) => one.outerHTML).join("")}</${this.localName}>`;
  }

  isEqualNode(other) { return this.outerHTML === other.outerHTML; }

  cloneNode() {
    const copy = new this.constructor(this.localName);
    for (const [name, value] of this.held) copy.setAttribute(name, value);
    copy.append(...this.childNodes.map((one) => one.cloneNode()));
    return copy;
  }

  /** Whether a selector is this element's: names, ids, classes, attributes and :is(), with " ", ">" and "+" between them. */
  matches(selector) {
    const parts = selector.match(/:is\([^)]*\)|\[[^\]]*\]|[>+]|\s+|[^\s>+[:]+/g).filter((part, nth, all) => part.trim() || !/[>+]/.test((all[nth - 1] ?? "") + (all[nth + 1] ?? "")));
    const start = parts.findLastIndex((part) => /^([>+]|\s+)$/.test(part));
    if (!parts.slice(start + 1).every((part) => this.#is(part))) return false;
    if (start < 0) return true;
    const before = parts.slice(0, start).join("");
    if (parts[start] === ">") return Boolean(this.parentElement?.matches?.(before));
    const siblings = this.parentElement?.childNodes.filter((one) => one.localName) ?? [];
    if (parts[start] === "+") return Boolean(siblings[siblings.indexOf(this) - 1]?.matches(before));
    for (let one = this.parentElement; one?.matches; one = one.parentElement) if (one.matches(before)) return true;
    return false;
  }

  #is(part) {
    if (part.startsWith(":is(")) return part.slice(4, -1).split(",").some((one) => this.matches(one.trim()));
    return [...part.matchAll(/([.#]?)([\w*-]+)|\[([\w-]+)(?:=["']?([^"'\]]*)["']?)?\]/g)].every(([, sign, word, name, value]) => {
      if (name) return value === undefined ? this.hasAttribute(name) : this.getAttribute(name) === value;
      return sign === "." ? this.names().includes(word) : sign === "#" ? this.id === word : word === "*" || this.localName === word;
    });
  }

  addEventListener(kind, listener) {
    if (!(this.listeners[kind] ??= []).includes(listener)) this.listeners[kind].push(listener);
  }

  closest(selector) {
    for (let one = this; one?.matches; one = one.parentElement) if (one.matches(selector)) return one;
    return null;
  }

  /** Let an event happen here, and around here; returns when the listeners have ended. */
  async happens(type, event = {}) {
    for (let one = this; one; one = one.parentElement) {
      for (const listener of one.listeners?.[type] ?? []) await listener({ type, currentTarget: one, target: this, preventDefault() {}, ...event });
    }
  }
}

/** A storage of the browser. */
class Storage {
  kept = new Map();
  getItem(key) { return this.kept.get(key) ?? null; }
  setItem(key, value) { this.kept.set(key, String(value)); }
  removeItem(key) { this.kept.delete(key); }
}

const root = new Element("html");
root.lang = "en";

/** What the box answers, by path: [status, text], an error that `fetch` throws, or what returns one of them. `asked` lists the requests. */
export const box = { answers: { "api/words": [404, ""] }, asked: [] };

const { setTimeout: plain } = globalThis;

Object.assign(globalThis, {
  Node,
  setTimeout(how, wait, ...given) { // one that waits does not keep the process from its end
    const timer = plain(how, wait, ...given);
    return wait ? timer.unref() : timer;
  },
  document: Object.assign(new Element("document"), {
    documentElement: root, hidden: false, activeElement: null,
    createElement: (name) => new Element(name), createElementNS: (_, name) => new Element(name), createTextNode: (text) => new Text(text),
    getElementById: (id) => root.querySelector(`#${id}`),
  }),
  localStorage: new Storage(),
  sessionStorage: new Storage(),
  async fetch(path, how = {}) {
    box.asked.push({ path, ...how });
    const there = box.answers[path] ?? box.answers[path.split("?")[0]];
    const answer = typeof there === "function" ? there() : there;
    if (answer instanceof Error || !answer) throw answer ?? new Error(`nobody answers ${path}`);
    const [status, text] = answer;
    return { ok: status < 400, status, text: async () => text, json: async () => JSON.parse(text) };
  },
});

/** Return elements and texts as one text: `<name.class>` and what is inside. */
export function shown(...parts) {
  return parts.flat(Infinity).map((one) => (one?.localName ? `<${[one.localName, ...one.names()].join(".")}>${shown(...one.childNodes)}</>` : one?.data ?? one)).filter((one) => one !== false && one != null).join("");
}
