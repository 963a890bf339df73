// What the page does with the clock, the screen, the notifications and the storage of a device.

import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, asked, did, happens, tap, tick, still } from "./browser.mjs";
import { box, Element } from "./dom.mjs";
import { load, MATCH, page, SEAT, stage, TABLE } from "./stage.mjs";

const is = assert.deepEqual;
const secure = { wakeLock: null, serviceWorker: null };
Object.defineProperty(globalThis, "navigator", { value: secure, configurable: true });

test("clock.js: exchanges in bursts, by a clock that may have slept", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  const { setTimeout: mocked } = globalThis;
  globalThis.setTimeout = (how, wait = 0) => mocked(how, wait); // the mock never ends one without a time
  let now_ms = 5000;
  let reads = 0;
  context.mock.method(performance, "now", () => now_ms + 1.0004 * Math.floor((reads += 1) / 2000)); // a clock in steps of a millisecond
  const { keepTime, stamp } = await load("clock");
  const base = () => now_ms + 1.0004 * Math.floor(reads / 2000);
  const settle = async () => { for (let turn = 0; turn < 20; turn += 1) await Promise.resolve(); };
  const exchanges = [];
  box.asked.splice(0);
  const passes = async (ms) => {
    now_ms += ms;
    context.mock.timers.tick(ms);
    await settle();
    for (const { path, body } of box.asked.splice(0)) if (path === "api/clock") exchanges.push(JSON.parse(body));
  };
  answer({ "api/clock": [200, { id: 31 }] });
  await passes(0);
  is([exchanges.length, stamp()], [0, undefined], "a phone that is not paired asks nothing");
  keepTime(true, false);
  await passes(0);
  is(exchanges.length, 1);
  const [{ run, step_us, last, back_us }] = exchanges;
  is([step_us, last, back_us], [1002, 0, 0]);
  is(run.split(".")[0], "1000000");
  for (const pause of [199, 1]) await passes(pause);
  is(exchanges.length, 2, "a burst comes each 200 ms");
  is([exchanges[1].last, exchanges[1].run, Math.abs(exchanges[1].back_us - exchanges[0].sent_us) <= 1000], [31, run, true]);
  for (let nth = 0; nth < 10; nth += 1) await passes(200);
  is(exchanges.length, 8, "of eight");
  await passes(10_000);
  is(exchanges.length, 9);
  keepTime(true, true);
  await passes(0);
  is(exchanges.length, 10, "a race that opens asks at once");
  for (let nth = 0; nth < 10; nth += 1) await passes(60);
  is(exchanges.length, 17, "and each 60 ms");
  await passes(499);
  const before = exchanges.length;
  await passes(500);
  is(exchanges.length, before + 1, "then each 500 ms");
  keepTime(true, true);
  await passes(0);
  is(exchanges.length, before + 1, "the same race opens once");
  await happens("pointerdown", { timeStamp: base() - 3 });
  const pressed = stamp();
  is([pressed.run, pressed.at_us], [run, 1000 * (base() - 3)], "a press counts by when it happened");
  await happens("keydown", { timeStamp: 0 });
  assert.ok(Math.abs(stamp().at_us - 1000 * base()) <= 1000, "without a time, by when the page heard of it");
  await happens("pointerdown", { timeStamp: base() + 1e6 });
  assert.ok(Math.abs(stamp().at_us - 1000 * base()) <= 1000, "no press is in the future");
  const at = async (...events) => {
    for (const [kind, before_ms, more] of events) await happens(kind, { timeStamp: base() - before_ms, ...more });
    return Math.round(base() - stamp().at_us / 1000);
  };
  is(await at(["pointerdown", 9], ["click", 4, { detail: 1 }]), 9, "a finger has pressed before its click");
  is([await at(["keydown", 8], ["click", 7, { detail: 0 }]), await at(["keyup", 6], ["click", 6, { detail: 0 }])], [8, 8], "so has a key");
  context.mock.timers.tick(1);
  is(await at(["click", 5, { detail: 0 }]), 5, "a screen reader only clicks");

  context.mock.timers.setTime(Date.now() + 49);
  assert.ok(stamp(), "a clock that is a little behind goes on");
  context.mock.timers.setTime(Date.now() + 10_000);
  is(stamp(), undefined, "a clock that slept begins again");
  await settle();
  await passes(500);
  const after = exchanges.at(-1);
  is([after.run === run, after.last], [false, 0]);
  document.hidden = true;
  await passes(10_000);
  const hidden = exchanges.length;
  await passes(10_000);
  is(exchanges.length, hidden, "a page that nobody sees asks nothing");
  document.hidden = false;
  await happens("visibilitychange");
  await passes(0);
  is([exchanges.length, exchanges.at(-1).run === after.run, exchanges.at(-1).last], [hidden + 1, false, 0]);
  answer({ "api/clock": [401, { error: "Not paired." }] });
  await passes(500);
  const last_ = exchanges.length;
  for (let nth = 0; nth < 4; nth += 1) await passes(10_000);
  is(exchanges.length, last_, "the phone of nobody asks nothing more");
  keepTime(false, false);
});

test("clock.js: the steps of a clock are the least of five, and of a clock that stands still the coarsest", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  answer({ "api/clock": [200, { id: 1 }] });
  for (const [nth, [times, step_us, reads]] of [[[0, 9, 9, 17, 24, 30, 35, 39], 5001, 7], [[5], 100_000, 100_001], [[0, 200, 450, 700, 900, 1100, 1101], 100_000, 6]].entries()) {
    let read = 0;
    context.mock.method(performance, "now", () => times[Math.min(read++, times.length - 1)]);
    const { keepTime } = await import(`${page}clock.js?steps=${nth}`);
    is(read - 2, reads, String(times)); // a run that begins looks twice
    box.asked.splice(0);
    keepTime(true, false);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    is(box.asked.map(({ path, body }) => [path, JSON.parse(body).step_us]), [["api/clock", step_us]], String(times));
    keepTime(false, false);
  }
});

test("stream.js: each change once, after each break another attempt, and silence is a break", async (context) => {
  const [said, timers] = [[], []];
  const streams = (...texts) => (signal) => ({ ok: true, status: 200, body: new ReadableStream({ start(on) { // "…" leaves it open
    for (const one of texts.filter((text) => text !== "…")) on.enqueue(new TextEncoder().encode(one));
    texts.includes("…") ? signal.addEventListener("abort", () => on.error(new DOMException("", "AbortError"))) : on.close();
  } }) });
  const refuses = (status, json) => () => ({ ok: false, status, json });
  const gone = () => { throw new TypeError("gone"); };
  const replies = [
    gone, streams("id: a.1\ndata: 1\n\nid: a.2\ndata: [2,\nda", "ta: 3]\n\n: still here\n\n", "id: a.2\ndata: 4\n\nid: a.1\ndata: 5\n\nid: a.10\ndata:6\n\n"),
    streams("id: b.1\ndata: 7\n\n"), refuses(503, async () => ({ error: "Too many." })), refuses(502, async () => { throw new SyntaxError("html"); }),
    gone, gone, gone, gone, gone, streams("id: b.2\ndata: 8\n\n", "…"), streams("id: b.3\ndata: x\n\n"), streams("…"), () => new Promise(() => {}),
  ];
  context.mock.method(globalThis, "fetch", async (path, { headers, signal, cache }) => {
    said.push(`asks ${path === "api/events" && cache === "no-store" ? headers["Last-Event-ID"] : path}`);
    return replies.shift()(signal);
  });
  context.mock.method(globalThis, "setTimeout", (go, wait) => timers.push({ go, wait }));
  context.mock.method(globalThis, "clearTimeout", (number) => { if (number) timers[number - 1].off = true; });
  context.mock.method(console, "error", (fault) => said.push(`logs ${fault.name}`));
  const { follow } = await load("stream");
  void follow((document) => said.push(`hears ${JSON.stringify(document)}`), (there, why) => said.push(`${there ? "connected" : "not connected"} ${why ?? ""}`.trim()));
  for (const wakes of ["", "", "", "", "", "", "", "", "", "", "offline", "", "online", "silence"]) {
    await tick();
    const left = timers.filter(({ off }) => !off);
    said.push(`${wakes || "waits"} ${left.map(({ wait }) => wait)}`);
    if (wakes === "offline") await happens("offline").then(tick);
    if (wakes === "online") await happens("online");
    else left.at(-1).go();
    left.at(-1).off = true;
  }
  await tick();
  said.push(`waits ${timers.filter(({ off }) => !off).map(({ wait }) => wait)}`);
  const away = ["asks b.1", "not connected"];
  is(said, [
    "asks undefined", "not connected", "waits 500", "asks undefined", "connected", "hears 1", "hears [2,3]", "hears 6", "not connected", "waits 500", "asks a.10", "connected", "hears 7", "not connected", "waits 500",
    "asks b.1", "not connected Too many.", "waits 1000", ...[2000, 4000, 8000, 15_000, 15_000, 15_000].flatMap((wait) => [...away, `waits ${wait}`]),
    "asks b.1", "connected", "hears 8", "offline 5000", "not connected", "waits 500", "asks b.2", "connected", "logs SyntaxError", "not connected", "online 500",
    "asks b.3", "connected", "silence 5000", "not connected", "waits 1000",
  ]);
});

test("voice.js: a browser finds its voices late, or never", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { voice } = await load("voice");
  const before = { ...globalThis.speechSynthesis };
  const [english, hears, heard] = [{ lang: "en" }, [], []];
  let voices = [];
  Object.assign(globalThis.speechSynthesis, { getVoices: () => voices, addEventListener: (...what) => hears.push(what) });
  const settle = async () => { for (let turn = 0; turn < 9; turn += 1) await Promise.resolve(); };
  const asks = () => voice().then((one) => heard.push(one?.lang ?? "none"));
  void asks();
  await settle();
  is([heard, hears[0][0], hears[0][2]], [[], "voiceschanged", { once: true }]);
  voices = [english];
  hears[0][1]();
  await settle();
  is(heard, ["en"], "as soon as the browser has them");
  voices = [];
  void asks();
  context.mock.timers.tick(1999);
  await settle();
  is(heard.length, 1);
  context.mock.timers.tick(1);
  await settle();
  is(heard, ["en", "none"], "it waits two seconds");
  Object.assign(globalThis.speechSynthesis, before);
});

test("turns.js: a notification for each turn, while nobody looks", async () => {
  location.protocol = "https:";
  const shown = [];
  const closed = [];
  let permission = "denied";
  globalThis.Notification = { get permission() { return permission; }, requestPermission: async () => permission };
  secure.serviceWorker = { ready: Promise.resolve({ showNotification: (...what) => shown.push(what), getNotifications: async ({ tag }) => [{ close: () => closed.push(tag) }] }), register: (path) => did.push(path) };
  const { turnAlerts } = await load("turns");
  const turns = turnAlerts();
  const asks = (seat, more) => ({ match: MATCH, question: { asks: [{ seat, rare: false, ...more }] } });
  is([turns.able, turns.on()], [true, false]);
  is(await turns.toggle(), "The browser blocks notifications from this page. Allow them in its settings.");
  permission = "granted";
  is([await turns.toggle(), turns.on()], ["", true]);
  document.hidden = true;
  for (const [table, me] of [[asks(0), SEAT], [asks(1), null], [asks(1), { ...SEAT, role: "referee" }], [asks(null), { ...SEAT, seat: null }], [asks(1, { rare: true }), SEAT], [{ ...asks(1), match: null }, SEAT], [{ ...asks(1), match: { ...MATCH, over: {} } }, SEAT], [{ match: MATCH, question: null }, SEAT]]) await turns.hear(table, me);
  is([shown.length, closed.length], [0, 8]);
  await turns.hear(asks(1), SEAT);
  await turns.hear(asks(1), SEAT);
  is(shown, [["Ben, it is your turn", { body: "Toy", tag: "turn", icon: "icon-192.png" }]]);
  is(closed.length, 8, "it stays while it is true");
  document.hidden = false;
  await turns.hear(asks(1), SEAT);
  is(closed.length, 9, "who looks needs none");
  await turns.hear(asks(0), SEAT);
  await turns.hear(asks(1), SEAT);
  is(shown.length, 1);
  is([await turns.toggle(), turns.on()], ["", false]);
  document.hidden = true;
  await turns.hear(asks(0), SEAT);
  await turns.hear(asks(1), SEAT);
  is(shown.length, 1, "switched off");
  document.hidden = false;
  location.protocol = "http:";
  is(turnAlerts().able, false);
});

test("awake.js: the screen stays on during a match", async () => {
  const log = [];
  const locks = [];
  const { keepAwake } = await load("awake");
  secure.wakeLock = { request: async (kind) => { log.push(kind); const lock = { release: async () => log.push("released"), addEventListener: (_, gone) => { lock.gone = gone; } }; locks.push(lock); return lock; } };
  location.protocol = "http:";
  await keepAwake(true);
  is(log, [], "no browser allows it without HTTPS");
  location.protocol = "https:";
  document.hidden = true;
  await keepAwake(true);
  is(log, []);
  document.hidden = false;
  await happens("visibilitychange");
  is(log, ["screen"]);
  await keepAwake(true);
  is(log, ["screen"], "one lock is enough");
  locks[0].gone();
  await happens("visibilitychange");
  is(log, ["screen", "screen"], "the browser had taken it");
  await keepAwake(false);
  await keepAwake(false);
  is(log, ["screen", "screen", "released"]);
  await happens("visibilitychange");
  is(log.length, 3, "between matches it may sleep");
  const waits = keepAwake(true);
  await keepAwake(false).catch(() => {});
  await waits;
  await tick();
  is(log.slice(3), ["screen", "released"], "the match ended before the lock came");
  secure.wakeLock = { request: async () => { throw new Error("low"); } };
  await keepAwake(true);
  await keepAwake(false);
  location.protocol = "http:";
});

test("app.js and usb_head.js: what this browser can do", async () => {
  location.protocol = "https:";
  const { appView } = await load("app");
  const { usbHead } = await load("usb_head");
  const { place, look, tell, done } = stage("app");
  is(did.splice(0), [], "the page registers once, at its start");
  let on = false;
  let why = "";
  const show = appView(place, { able: true, on: () => on, toggle: async () => { on = !why; return why; } }, tell);
  await show();
  look("HTTPS");
  await tap("[data-key=turns]");
  look("turns are on");
  [on, why] = [false, "Blocked."];
  await tap("[data-key=turns]");
  look("turns are blocked");
  let asks = 0;
  await happens("beforeinstallprompt", { preventDefault() {}, prompt: async () => { asks += 1; } });
  await show();
  look("can be installed");
  await tap("[data-key=install]");
  await show();
  look(`asked ${asks}`);
  await appView(place, { able: false, on: () => false }, tell)();
  look("no notifications");
  location.protocol = "http:";
  const plain = (await import(`${page}app.js?http`)).appView(place, { able: false, on: () => false }, tell);
  const secure = (hosts, fingerprint, port = 8443) => [200, { port, hosts, fingerprint }];
  for (const [title, reply] of [
    ["an authority of the box", secure(["umpi.local", "box.local"], "AB:CD")], ["under a name of the network", secure(["umpi", "umpi.local"], "AB:CD")], ["under an address", secure(["10.0.0.7", "10.0.0.8"], "")],
    ["the certificate is for no host of the box", secure([], "AB:CD")],
    ["the computer's own names are left to itself", secure(["localhost", "127.0.0.1", "::1", "10.0.0.7"], "")],
    ["without HTTPS", secure([], "", null)], ["the box does not answer", [500, { error: "Broken." }]],
  ]) {
    answer({ "api/app": reply });
    await plain();
    look(`HTTP: ${title}`);
  }
  location.protocol = "https:";
  const wired = { lanes: 2, beams: 2, wall: true };
  for (const ports of [undefined, { wiring: () => null }, { wiring: () => wired, choose: async (chosen) => { did.push(JSON.stringify(chosen)); return false; }, leave: async () => did.push("left") }]) {
    globalThis.parent = { sensorHead: ports };
    place.replaceChildren(usbHead());
    look(ports ? "a browser with ports" : "no ports");
  }
  await tap("[data-key='choose head']");
  await tap("[data-key='leave head']");
  look("no port is chosen");
  done();
  location.protocol = "http:";
});

test("boards/all.js and boards/move.js: pieces move from where they were", async () => {
  const { boardView, boardOf } = await load("boards/all");
  const { move } = await load("boards/move");
  is((await load("boards/shapes")).ownPlace(new Element("path")), [0, 0], "what is not moved is where it is drawn");
  const place = new Element("section");
  document.body.append(place);
  const { board, group, tile } = await load("boards/shapes");
  const drawn = (spots) => board("toy", [90, 90], "", Object.entries(spots).map(([key, at]) => tile(key, ...at)));
  const moves = () => [...place.all()].filter((one) => one.moves).map((one) => [one.dataset.key, one.moves.splice(0).map(([frames, { duration }]) => [frames.map((frame) => frame.transform ?? frame.opacity), duration])]).filter(([, all]) => all.length);
  const lit = (where) => [...where.all()].filter((one) => one.names().includes("b-lit")).map((one) => one.dataset.key);
  globalThis.getComputedStyle = () => ({ getPropertyValue: () => (still.matches ? "0" : "0.3") });
  move(place, drawn({ a: [10, 10], b: [5, 5] }));
  is(moves(), [], "the first board does not move");
  move(place, drawn({ a: [85, 40], b: [5, 5], c: [1, 1] }), ["b"]);
  is(moves(), [["a", [[["translate(10px, 10px)", "translate(85px, 40px)"], 300]]], ["c", [[[0, 1], 300]]]]);
  is(lit(place), ["b"]);
  move(place, drawn({ a: [85.5, 40.5], b: [5, 5] }));
  is(moves(), [], "less than a dot is no way");
  move(place, drawn({ a: [86.5, 40.5], b: [5, 5] }));
  is(moves().length, 1, "a dot is one");
  is(lit(place), []);
  still.matches = true;
  move(place, drawn({ a: [10, 10], d: [0, 0] }), ["d"]);
  is([moves(), lit(place)], [[], ["d"]], "who wants no motion sees none");
  still.matches = false;
  const { setTimeout: timer, clearTimeout: stop } = globalThis;
  const [timers, stopped] = [[], []];
  Object.assign(globalThis, { setTimeout: (how, ms) => timers.push([how, ms]), clearTimeout: (one) => stopped.push(one) });
  move(place, drawn({ a: [10, 10], d: [0, 0] }), ["a"]);
  is(lit(place), ["a"], "no longer what the call before was about");
  const [[goOut, ms]] = timers;
  goOut();
  is([lit(place), ms, stopped.length], [[], 1200, 1]);
  move(place, drawn({ a: [10, 10], d: [0, 0] }), ["a"]);
  is([lit(place), stopped.at(-1)], [["a"], 1], "it lights up again, and the timer before does not end it");
  move(place, drawn({ a: [10, 10], d: [0, 0] }));
  is([lit(place), timers.length], [[], 2]);
  Object.assign(globalThis, { setTimeout: timer, clearTimeout: stop });
  move(place, board("toy", [90, 90], "", group("", 20, 30, tile("a", 1, 2)), tile("d", 0, 0)));
  is(moves(), [["a", [[["translate(-10px, -20px)", "translate(1px, 2px)"], 300]]]], "also a piece inside another");
  move(place, drawn({ a: [21, 32] }));
  moves();
  const way = { playState: "running", cancel() { way.playState = "idle"; }, effect: { getComputedTiming: () => ({ progress: 0.25 }) } };
  place.querySelector("[data-key=a]").animate = function animate(frames, how) { (this.moves ??= []).push([frames, how]); return way; };
  move(place, drawn({ a: [61, 32] }));
  moves();
  move(place, drawn({ a: [0, 0] }));
  is(moves(), [["a", [[["translate(31px, 32px)", "translate(0px, 0px)"], 300]]]], "from where it is on its way");
  is(way.playState, "idle");
  move(place, drawn({ a: [50, 50] }), [], false);
  move(place, drawn({ a: [10, 10] }));
  is(moves(), [], "from where nobody saw it");
  place.remove();

  const warned = [];
  const warn = console.warn;
  console.warn = (text) => warned.push(text);
  const quiz = { id: 1, game: "quiz", players: [{ seat: 0, button: 0, name: "Ann" }], turn: 0, scores: [0], facts: { question: 1, queue: [], locked: [], left: [], points: [0], open: true } };
  is([boardOf({ ...quiz, facts: {} }), boardOf({ ...quiz, facts: null }), boardOf({ ...quiz, game: "other" })], [null, null, null]);
  is([boardOf({ ...quiz, players: [{ button: 9, name: "x" }] }), boardOf({ ...quiz, players: [{ button: 9, name: "x" }] })], [null, null]);
  is(warned, ["The board of quiz: there is no button 9"], "a fault is logged once");
  console.warn = warn;
  const [around, table] = [new Element("div"), new Element("section")];
  around.append(table);
  document.body.append(around);
  let looks = null;
  globalThis.ResizeObserver = class { constructor(how) { looks = how; } observe() {} };
  const show = boardView(table);
  const sizes = () => table.firstChild?.getAttribute("viewBox");
  around.clientWidth = 479;
  show({ match: quiz });
  is(sizes(), "0 0 360 262");
  around.clientWidth = 480;
  looks();
  is(sizes(), "0 0 640 400");
  show({ match: { ...quiz, facts: { ...quiz.facts, queue: [0] } } }, [{ seat: 0 }]);
  is(table.querySelector(".b-lit").dataset.key, "buzz-0");
  const same = table.firstChild.outerHTML;
  table.getClientRects = () => [];
  looks();
  show({ match: { ...quiz, facts: { ...quiz.facts, question: 2 } } });
  is(table.firstChild.outerHTML, same, "nobody sees it");
  looks();
  is(table.firstChild.outerHTML, same, "nor after another look");
  around.clientWidth = 0; // what is hidden has no size
  looks();
  show({ match: { ...quiz, id: 2, facts: { ...quiz.facts, question: 8 } } });
  assert.notEqual(table.firstChild.outerHTML, same, "another match is drawn, though nobody sees it");
  is(sizes(), "0 0 640 400", "in the size of the one before");
  around.clientWidth = 480;
  show({ match: { ...quiz, id: 2 } });
  delete table.getClientRects;
  looks();
  assert.notEqual(table.firstChild.outerHTML, same);
  const there = table.firstChild;
  looks();
  is(table.firstChild === there, true, "what is seen is not drawn again");
  show({ match: null });
  is(table.childNodes.length, 0);
  const space = (key) => ({ key, text: "", pieces: [] });
  const data = { ...quiz, game: "stranger", facts: {}, board: [{ kind: "track", label: "", spaces: [space("a"), space("b")] }] };
  show({ match: data, question: { asks: [{ fields: [{ options: [{ value: "b", off: "" }, { value: "a", off: "no" }] }] }] } });
  is([...table.all()].filter((one) => one.names().includes("b-offered")).map((one) => one.dataset.key), ["b"]);
  around.remove();
});
