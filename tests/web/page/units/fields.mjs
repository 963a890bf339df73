// The controls of an answer as approved, where the arrow keys lead, and the notices of an app without its box.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

import { tap, tick } from "./browser.mjs";
import { Element } from "./dom.mjs";
import { load, page, PLAYERS, stage } from "./stage.mjs";

const is = assert.deepEqual;
const option = (value, more = {}) => ({ value, label: String(value), words: String(value).split(" "), count: 1, off: "", ...more });
const number = (name, low, high, more) => ({ name, label: `The ${name}`, kind: "number", low, high, null: false, ...more });
const pick = (name, options, more) => ({ name, label: `The ${name}`, kind: "pick", options, ...more });
const suits = ["red", "blue"].flatMap((suit) => [1, 2, 3].map((nth) => option(`${suit} ${nth}`)));

test("pieces.js: readers hear the word of an element, not its sign", async () => {
  const { drawn, signed } = await load("pieces");
  const { someField } = await load("fields/some");
  const unseen = (parts) => parts.flat().filter((one) => one.className === "unseen" || one.getAttribute?.("class") === "unseen").map((one) => one.textContent);
  is([unseen(drawn("card", "air-1", "💨 1")), unseen(signed("Ann: 🔥2 ✦ 3"))], [["air 1"], ["fire ", "ether "]]);
  const options = Array.from({ length: 13 }, (_, nth) => option(`water-${nth}`, { label: `💧 ${nth}` }));
  const made = someField({ name: "cards", label: "Cards", kind: "some", least: 1, most: 3, options }, ["water-3"], () => {}, { players: PLAYERS, pieces: { cards: "card" }, refuse() {} });
  is(made.querySelector(".chip").getAttribute("aria-label"), "remove water 3");
});

test("fields: each kind is drawn as approved, and each button answers", async () => {
  const { control } = await load("fields/control");
  const { place, look, tell, done } = stage("fields");
  for (const [title, field, value, more] of [
    ["a pick", pick("card", [option("fire-2"), option("air-1", { off: "Not on fire." }), option("ether-3", { left: 2 })]), undefined, { usual: { card: "fire-2" } }],
    ["a seat", pick("seat", [0, 1, 2].map((seat) => option(seat))), 1, { seat: 1 }],
    ["rows of suits", pick("x", suits), "blue 2"],
    ["rows and a single one", pick("x", [option("joker"), ...suits, option("red 4", { label: "red four" })]), undefined],
    ["five are no rows", pick("x", suits.slice(0, 5)), undefined],
    ["a row and single ones", pick("x", [...suits.slice(0, 3), option("a"), option("b"), option("c")]), undefined],
    ["one row is none", pick("x", [...suits.slice(0, 3), option("red 4"), option("red 5"), option("joker")]), undefined],
    ["three rows of six", pick("x", [...suits.slice(0, 2), ...suits.slice(3, 5), option("green 1"), option("green 2")]), undefined],
    ["more rows than half", pick("x", [...suits.slice(0, 2), ...suits.slice(3, 5), option("a b"), option("c d"), option("e f")]), undefined],
    ["two short ones", pick("x", [option("yes"), option("no")]), "no"],
    ["six letters", pick("x", [option("abcdef"), option("b")]), undefined],
    ["a small number", number("few", 1, 6), 3], ["none, too", number("few", 1, 6, { null: true }), null], ["a large number", number("many", -20, 120, { null: true }), 12],
    ["thirteen values", number("few", 0, 12), undefined], ["fourteen values", number("few", 0, 13), undefined],
    ["a list", { name: "l", label: "List", kind: "some", least: 1, most: 2, options: suits.slice(0, 3) }, ["red 1"]],
    ["exactly one", { name: "l", label: "List", kind: "some", least: 1, most: 1, options: suits.slice(0, 3) }, undefined],
    ["six", { name: "l", label: "List", kind: "some", least: 6, most: 6, options: suits }, ["red 1"]],
    ["a pool", { name: "l", label: "List", kind: "some", least: 0, most: 4, options: [option("a", { count: 3 }), option("b")] }, ["a", "a"]],
    ["twelve", { name: "l", label: "List", kind: "some", least: 0, most: 4, options: "abcdefghijkl".split("").map((one) => option(one)) }, ["a"]],
    ["thirteen", { name: "l", label: "List", kind: "some", least: 0, most: 4, options: "abcdefghijklm".split("").map((one) => option(one)) }, ["a"]],
    ["places", { name: "p", label: "Places", kind: "each", fields: [{ ...number("a", 0, 2), label: "A" }, pick("b", [option("x"), option("y")])] }, [1, "x"]],
    ["no place yet", { name: "p", label: "Places", kind: "each", fields: [pick("a", [option("x")]), pick("b", [option("x")])] }, undefined],
    ["forms", { name: "f", label: "Forms", kind: "forms", least: 1, most: 3, fields: [number("face", 1, 12), number("hex", 1, 6), pick("b", [option("x")])] }, [{}, { face: 3 }]],
    ["no more forms", { name: "f", label: "Forms", kind: "forms", least: 1, most: 1, fields: [pick("b", [option("x")])] }, [{ b: "x" }]],
    ["a text", { name: "t", label: "Text", kind: "text", least: 1, most: 9 }, "abc"],
  ]) {
    const answers = [];
    const hand = { players: PLAYERS, pieces: { card: "card" }, refuse: (text) => answers.push(`refused: ${text}`), seat: null, ...more };
    place.replaceChildren(control(field, value, (one) => answers.push(JSON.stringify(one)), hand));
    for (const one of place.querySelectorAll("button")) await tap(one);
    for (const one of place.querySelectorAll("input")) {
      one.value = "xyz";
      one.dispatchEvent({ type: "input" });
      one.dispatchEvent({ type: "change" });
    }
    await tick();
    for (const one of answers) tell(one);
    look(title);
  }
  done();
});

test("fields/options.js: an arrow leads to the nearest button in its direction", async () => {
  const { toolbar } = await load("fields/options");
  const buttons = Array.from({ length: 9 }, () => new Element("button")); // three in a row, three below, one far at the right, one a pixel beside that, one between two
  const [left, top] = [[0, 100, 200, 0, 100, 200, 400, 401, 150], [0, 0, 0, 50, 50, 50, 5, 5, -100]];
  buttons.forEach((one, nth) => { one.getBoundingClientRect = () => ({ left: left[nth], top: top[nth], width: 80, height: 40 }); });
  const bar = toolbar("Bar", "flow", buttons, () => {});
  document.body.append(bar);
  is(buttons.map((one) => one.tabIndex), [0, ...Array(8).fill(-1)]);
  const leads = (from, key) => {
    document.activeElement = null;
    const event = buttons[from].dispatchEvent({ type: "keydown", key });
    return [buttons.indexOf(document.activeElement), event.defaultPrevented, Boolean(event.stopped)];
  };
  for (const [from, key, to] of [
    [0, "ArrowRight", 1], [1, "ArrowLeft", 0], [1, "ArrowDown", 4], [4, "ArrowUp", 1], [0, "ArrowLeft", -1], [8, "ArrowUp", -1], [3, "ArrowRight", 4], [2, "ArrowRight", 6], [5, "ArrowRight", 6], [6, "ArrowLeft", 2], [5, "ArrowDown", -1], [6, "ArrowDown", 5], [6, "ArrowRight", -1], [8, "ArrowDown", 1],
  ]) is(leads(from, key), [to, true, true], `${from} ${key}`);
  is(leads(0, "a"), [-1, false, false]);
  buttons[4].dispatchEvent({ type: "focusin" });
  is(buttons.map((one) => one.tabIndex), [...Array(4).fill(-1), 0, ...Array(4).fill(-1)]);
  const two = (...more) => toolbar("", "", more.map((bears) => { const one = new Element("button"); Object.assign(one, bears); if (bears.pressed) one.setAttribute("aria-pressed", "true"); return one; }), () => {});
  is([two({}, {}).names().includes("two"), two({}, {}, {}).names().includes("two")], [true, false]);
  is(two({ ariaDisabled: "true" }, {}).querySelectorAll("button").map((one) => one.tabIndex), [-1, 0]);
  is(two({ ariaDisabled: "true" }, { ariaDisabled: "true" }).querySelectorAll("button").map((one) => one.tabIndex), [0, -1]);
  is(two({}, { pressed: true }).querySelectorAll("button").map((one) => one.tabIndex), [-1, 0]);
  bar.remove();
});

test("make.js: the focus stays at what has the same key, and else at the heading", async () => {
  const { change, fill, make } = await load("make");
  const { toolbar } = await load("fields/options");
  const place = new Element("section");
  document.body.append(place);
  const said = [];
  const focus = Element.prototype.focus;
  Element.prototype.focus = function noted(how) { said.push(`${this.dataset.key ?? this.localName} ${Boolean(how?.preventScroll)}`); document.activeElement = this; };
  const bar = () => toolbar("Bar", "flow", ["a", "b", "c"].map((key) => make("button", { "data-key": key }, key)), () => {});
  const stops = () => place.querySelectorAll("button").map((one) => one.tabIndex);
  change(place, bar());
  document.activeElement = place.querySelector("[data-key=b]");
  change(place, bar());
  is([stops(), said], [[-1, 0, -1], []], "what stays keeps the focus, and its group one tab stop");
  fill(place, bar());
  is([said.splice(0), document.activeElement === place.querySelectorAll("button")[1]], [["b false"], true]);
  const input = () => Object.assign(make("input", { "data-key": "name" }), { selectionStart: 2, selectionEnd: 5, setSelectionRange: (...range) => said.push(range) });
  fill(place, make("h2", { tabindex: -1 }, "Head"), input());
  is(said.splice(0), ["h2 true"]);
  document.activeElement = place.querySelector("input");
  fill(place, make("p", { "data-key": "other" }), input());
  is(said.splice(0), ["name false", [2, 5]], "what is written goes on");
  fill(place, make("h2", {}, "Head"));
  is(said.splice(0), ["section true"], "a heading that takes no focus gets none");
  document.activeElement = document.body;
  fill(place, make("h2", { tabindex: -1 }, "Head"));
  is(said, [], "a focus elsewhere stays there");
  Element.prototype.focus = focus;
  place.remove();
});

test("sw.js: an app without its box shows a notice, and a notification leads to the table", async () => {
  const hearers = {};
  const did = [];
  let away = false;
  let kept = new Map();
  const scope = {
    URL, registration: { scope: "https://box/" }, Response: { error: () => "error" }, skipWaiting: () => did.push("at once"),
    addEventListener: (kind, listener) => { hearers[kind] = listener; },
    caches: { open: async (name) => ({ addAll: async (files) => { did.push(`${name} ${files.length}`); if (away) throw new Error("away"); } }), match: async (what) => kept.get(what.url ?? what) },
    clients: { claim: async () => did.push("claims"), matchAll: async ({ type }) => (type === "window" ? scope.open : []), openWindow: async (path) => did.push(path) },
    fetch: async ({ url }) => { if (away) throw new Error("away"); return `from ${url}`; },
    open: [],
  };
  runInNewContext(readFileSync(new URL(`${page}sw.js`), "utf-8"), scope);
  const happens = async (kind, more = {}) => { const all = []; let answer; hearers[kind]({ waitUntil: (one) => all.push(one), respondWith: (one) => { answer = one; }, ...more }); const got = await answer; await Promise.all(all); return got; };
  await happens("install");
  await happens("activate");
  is(did.splice(0), ["at once", "umpi-offline 6", "claims"]);
  const get = (url, mode = "no-cors") => happens("fetch", { request: { url, mode } });
  is([await get("https://box/", "navigate"), did.splice(0), await get("https://box/app.css"), await get("https://box/main.js"), await get("https://box/x/app.css")], ["from https://box/", ["umpi-offline 6"], "from https://box/app.css", undefined, undefined]);
  away = true;
  is([await get("https://box/", "navigate"), await get("https://box/icon.svg")], ["error", "error"]);
  kept = new Map([["offline.html", "the notice"], ["https://box/icon.svg", "the icon"]]);
  is([await get("https://box/", "navigate"), await get("https://box/icon.svg")], ["the notice", "the icon"]);
  const tapped = () => happens("notificationclick", { notification: { close: () => did.push("closed") } });
  did.length = 0;
  await tapped();
  scope.open = [{ focus: async () => did.push("focus") }];
  await tapped();
  is(did, ["closed", "./#table", "closed", "focus"]);
});

test("renewal.js and offline.js: the page loads again if the box serves another one", async (context) => {
  const { renew } = await load("renewal");
  let reloads = 0;
  const before = globalThis.fetch;
  location.reload = () => { reloads += 1; };
  const parsed = (src, more = {}) => ({ documentElement: { dataset: { box: "", ...more } }, scripts: src ? [{ getAttribute: () => src }] : [] });
  document.scripts = [{ getAttribute: () => "main.1.js" }];
  let served = parsed("main.1.js");
  globalThis.DOMParser = class { parseFromString() { return served; } };
  let ok = true;
  globalThis.fetch = async () => { if (ok === null) throw new Error("away"); return { ok, text: async () => "" }; };
  const after = async (page_, answers = true) => { [served, ok] = [page_, answers]; await renew(); return reloads; };
  is([await after(parsed("main.1.js")), await after(parsed("")), await after(parsed("main.2.js"), false), await after(parsed("main.2.js"), null)], [0, 0, 0, 0]);
  is([await after(parsed("main.2.js")), await after(parsed("main.1.js", { alone: "" })), await after(parsed("main.1.js", { box: undefined }))], [1, 2, 3]);
  context.mock.timers.enable({ apis: ["setInterval"] });
  await load("offline");
  ok = false;
  const settle = async () => { for (let turn = 0; turn < 9; turn += 1) await Promise.resolve(); };
  context.mock.timers.tick(4000);
  await settle();
  is(reloads, 3);
  ok = null;
  context.mock.timers.tick(4000);
  await settle();
  is(reloads, 3);
  ok = true;
  context.mock.timers.tick(3999);
  await settle();
  is(reloads, 3);
  context.mock.timers.tick(1);
  await settle();
  is(reloads, 4);
  globalThis.fetch = before;
});
