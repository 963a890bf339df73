// The window and the thread of a box in a tab, as scripts in a browser that the test plays.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

const site = new URL("../../../firmware/umpi/tab/site/", import.meta.url);
const is = (one, other, why) => assert.deepEqual(JSON.parse(JSON.stringify(one)), other, why); // what is made in another context is equal, too
const settle = async () => { for (let turn = 0; turn < 8; turn += 1) await new Promise((go) => setImmediate(go)); };

/** Run a module as a script: its imports are what `scope` has. */
function run(name, scope) {
  const source = readFileSync(new URL(name, site), "utf-8").replace(/^import .*$/gm, "");
  scope.ended = runInNewContext(`(async () => {${source}})()`, scope);
}

/** A window with its elements; `more` changes what the browser has. */
async function opened(more = {}) {
  const hearers = {};
  const log = [];
  const place = (id) => ({
    id, hidden: ["page"].includes(id), value: undefined, hears: {},
    removeAttribute(name) { delete this[name]; log.push(`no ${name}`); }, focus() { log.push(`focus ${id}`); },
    addEventListener(kind, does, how) { this.hears[kind] = [does, how]; },
  });
  const places = Object.fromEntries(["said", "bar", "page", "start"].map((id) => [id, place(id)]));
  const registration = { active: true, installing: null, waiting: null, ...more.registration };
  const serviceWorker = { controller: {}, addEventListener: (kind, does) => { hearers[kind] = does; }, startMessages: () => log.push("messages"), register: async (path) => { log.push(path); if (more.refuses) throw new Error("no"); return registration; }, ...more.serviceWorker };
  const scope = {
    log, hearers, places, registration, WebAssembly: {}, location: { protocol: "https:", reload: () => log.push("reload") },
    document: { getElementById: (id) => places[id], documentElement: { dataset: {} }, visibilityState: "visible", addEventListener: (kind, does) => { hearers[kind] = does; } },
    navigator: { languages: ["pt-BR", "de-AT", "en"], language: "de-AT", serviceWorker, wakeLock: { request: async (kind) => { log.push(kind); throw new Error("low"); } } },
    fetch: async () => ({ json: async () => ({ en: {}, de: { "Starting the box": "Start", "The box does not start: {why}": "Kein Start: {why}" } }) }),
    Worker: class { constructor(path, how) { log.push(`${path} ${how.type}`); scope.worker = this; } postMessage(...what) { log.push(what); } },
    carry: (tell) => { scope.carried = tell; }, choice: "choice", toHead: (text) => log.push(`head ${text}`), wiring: () => more.wiring ?? "",
  };
  Object.assign(scope, { window: scope, isSecureContext: true, DecompressionStream: class {} });
  more.changes?.(scope);
  run("tab.js", scope);
  await settle();
  return scope;
}
const said = ({ places }) => places.said.textContent;

test("tab.js: the window gets the files, starts the box, and shows its page", async () => {
  const scope = await opened({ wiring: '{"lanes":2}' });
  const { log, places, hearers, document } = scope;
  is([document.documentElement.lang, scope.sensorHead, said(scope), places.bar.value], ["de", "choice", "Getting the files, once", 0]);
  is(log.splice(0), ["messages", "sw.js", "worker.js module", [{ language: "de-AT", wiring: '{"lanes":2}' }]]);
  hearers.message({ data: { done: 1, total: 4 } });
  is(places.bar.value, 0, "the box starts already");
  hearers.message({ data: { ask: {} }, ports: ["p"] });
  is(log, [], "nobody answers yet");
  for (const [step, part] of [["python", 0.1], ["umpi", 0.6], ["box", 0.8]]) {
    scope.worker.onmessage({ data: { step } });
    is([said(scope), places.bar.value], ["Start", part]);
  }
  scope.worker.onmessage({ data: { write: "go" } });
  is([log.splice(0), places.page.src], [["head go"], null]);
  scope.worker.onmessage({ data: { ready: "" } });
  is([places.page.src, places.page.hears.load[1], document.documentElement.dataset.umpi], ["box/", { once: true }, null]);
  scope.worker.onmessage({ data: { ready: "123456" } });
  is(places.page.src, "box/#pair=123456");
  scope.carried({ open: true });
  hearers.message({ data: { ask: { target: "/" } }, ports: ["p"] });
  hearers.message({ data: { done: 1 }, ports: [] });
  is(log.splice(0), [[{ head: { open: true } }], [{ ask: { target: "/" } }, ["p"]]]);
  places.page.hears.load[0]();
  is([places.start.hidden, places.page.hidden, document.documentElement.dataset.umpi, log.splice(0)], [true, false, "ready", ["focus page", "screen"]]);
  document.visibilityState = "hidden";
  hearers.visibilitychange();
  is(log, []);
  scope.worker.onmessage({ data: { failed: "fault", why: "x" } });
  is([said(scope), places.bar.hidden, places.page.hidden, places.start.hidden, document.documentElement.dataset.umpi], ["The box has failed: x. Reload the page: the match is saved.", true, true, false, "failed"]);
});

test("tab.js: why a box does not start", async () => {
  const why = async (more) => said(await opened(more));
  const first = async (more) => (await why(more)).match(/lacks ([^.]*)/)[1];
  is(await first({ changes: (scope) => { delete scope.DecompressionStream; scope.WebAssembly = undefined; } }), "WebAssembly, DecompressionStream");
  const without = (scope) => { delete scope.navigator.serviceWorker; };
  is(await first({ changes: without }), "service workers");
  is(await first({ changes: (scope) => { without(scope); scope.location.protocol = "http:"; } }), "service workers");
  is(await first({ changes: (scope) => { without(scope); scope.location.protocol = "http:"; scope.isSecureContext = false; } }), "HTTPS");
  is((await opened({ refuses: true })).log.includes("worker.js module"), true, "without a network, a window that is served goes on");
  const refused = await opened({ refuses: true, serviceWorker: { controller: null } });
  is([said(refused).startsWith("This browser does not let pages keep files."), refused.worker === undefined], [true, true]);
  const past = await opened({ serviceWorker: { controller: null } });
  is([past.log.at(-1), past.worker === undefined], ["reload", true], "loaded past the service worker");
  let change = null;
  const first_ = await opened({ serviceWorker: { controller: null }, registration: { installing: { addEventListener: (kind, does) => { change = does; } } } });
  is(first_.worker === undefined, true);
  first_.hearers.message({ data: { done: 1, total: 4 } });
  is(first_.places.bar.value, 0.25);
  change({ target: { state: "installed" } });
  first_.hearers.controllerchange();
  await settle();
  is(first_.log.includes("worker.js module"), true);
  const torn = await opened({ serviceWorker: { controller: null }, registration: { active: false, waiting: { addEventListener: (kind, does) => { change = does; } } } });
  change({ target: { state: "redundant" } });
  await settle();
  is([said(torn), torn.worker === undefined], ["The files could not be fetched. Check the network and reload the page.", true]);
  const scope = await opened();
  scope.worker.onerror({}); // its file could not be got
  is(said(scope), "Kein Start: worker.js");
  scope.worker.onerror({ message: "x" });
  is(said(scope), "Kein Start: x");
  scope.worker.onmessage({ data: { failed: "elsewhere" } });
  is(said(scope), "Umpi is open in another tab. Continue there, or close that tab and reload this one.");
  scope.worker.onmessage({ data: { failed: "fault", why: "y" } });
  is(said(scope), "Kein Start: y");
});

test("worker.js: requests, the sensor head, and what a second Python finds", async () => {
  const posted = [];
  const threads = [];
  const timers = [];
  const host = Object.fromEntries(["start", "leave", "ask", "found", "head_opened", "head_sent", "head_closed"].map((name) => [name, (...what) => posted.push([name, ...what])]));
  class Elsewhere extends Error {}
  let fault = null;
  let made = null;
  const python = { FS: "FS", _api: {} };
  const scope = {
    Elsewhere, openStorage: async () => { if (fault) throw fault; return "slots"; }, mountDisk: (...what) => posted.push(["mount", ...what]),
    umpi: async (begin) => { begin(python); return { pyimport: (name) => (name === "pathlib" ? { Path: (path) => path } : { Host: { callKwargs: (...what) => { made = what; return host; } } }) }; },
    postMessage: (...what) => posted.push(what), performance: { timeOrigin: 1000, now: () => 2.5 }, console: { error() {} },
    addEventListener: (_, does) => { scope.hear = does; },
    Worker: class { constructor(path) { this.path = path; threads.push(this); } postMessage(what) { this.got = what; } terminate() { this.ended = true; } },
    setTimeout: (does, ms, ...what) => timers.push([() => does(...what), ms]), clearTimeout: (number) => { timers[number - 1][2] = true; },
  };
  host.invitation = () => "123456";
  scope.self = scope;
  run("worker.js", scope);
  await scope.hear({ data: { language: "de", wiring: "w" } });
  is(posted.splice(0).map((one) => one.filter((part) => typeof part !== "function")), [[{ step: "python" }], [{ step: "umpi" }], ["mount", "FS", "/umpi", "slots"], [{ step: "box" }], ["start"], [{ ready: "123456" }]]);
  const [path, { start_aside: aside, write, ...how }] = made;
  is([path, how], ["/umpi", { language: "de", page_us: 1_002_500, wiring: "w" }]);
  write("x");
  python._api.on_fatal(new Error("out of bounds"));
  is(posted.splice(0), [[{ write: "x" }], [{ failed: "fault", why: "out of bounds" }]]);
  const port = { postMessage: (...what) => posted.push(what) };
  for (const number of [1, 2]) {
    await scope.hear({ data: { ask: { method: "GET", target: "/", headers: [["a", "b"]], body: "" } }, ports: [port] });
    const [name, ...what] = posted.pop();
    is([name, ...what.slice(0, 5)], ["ask", number, "GET", "/", '[["a","b"]]', ""]);
    what[5]("head", "text");
    const bytes = { toJs: () => ({ buffer: "b" }), destroy: () => posted.push("destroyed") };
    what[5]("part", bytes);
    is(posted.splice(0), [[["head", "text"]], "destroyed", [["part", { buffer: "b" }], ["b"]]]);
    port.onmessage();
    is(posted.splice(0), [["leave", number]]);
  }
  for (const [head, call] of [[{ open: true }, ["head_opened"]], [{ sent: "x", at_us: 3 }, ["head_sent", "x", 3]], [{ closed: true, elsewhere: true }, ["head_closed", true]]]) {
    await scope.hear({ data: { head } });
    is(posted.splice(0), [call]);
  }
  aside(7, "hint", "de", "record", 5000);
  is([threads[0].path, threads[0].got, timers[0][1]], ["aside.js", { task: "hint", language: "de", record: "record" }, 5000]);
  aside(8, "hint", "de", "record", 5000);
  is([threads[0].ended, timers[0][2], threads[1].ended], [true, true, null]);
  threads[1].onmessage({ data: "take" });
  aside(9, "review", "de", "r", 5);
  timers[2][0]();
  aside(10, "hint", "de", "r", 5);
  threads[3].onerror();
  is([posted.splice(0), threads[1].ended, timers[1][2]], [[["found", "hint", 8, "take"], ["found", "review", 9, ""], ["found", "hint", 10, ""]], true, true]);
  for (const [wrong, message] of [[new Elsewhere(), { failed: "elsewhere" }], [new Error("a\nb\n"), { failed: "fault", why: "b" }], ["plain", { failed: "fault", why: "plain" }]]) {
    fault = wrong;
    await scope.hear({ data: {} });
    is(posted.splice(0), [[message]]);
  }
});

test("aside.js and python.js: a Python of its own answers once", async () => {
  const posted = [];
  const steps = [];
  let broken = false;
  const scope = {
    addEventListener: (_, does) => { scope.hear = does; }, postMessage: (text) => posted.push(text), console: { error() {} },
    umpi: async () => { if (broken) throw new Error("x"); return { pyimport: (name) => ({ answer: (...what) => [name, ...what].join(" ") }) }; },
  };
  run("aside.js", scope);
  await scope.hear({ data: { task: "hint", language: "de", record: "r" } });
  broken = true;
  await scope.hear({ data: { task: "hint", language: "de", record: "r" } });
  is(posted, ["umpi.tab.second hint de r", ""]);
  const source = readFileSync(new URL("python.js", site), "utf-8").replace(/^import .*$/gm, "").replace("export ", "");
  const python = { unpackArchive: (...what) => steps.push(what), runPython: (text) => steps.push(text) };
  const { umpi } = runInNewContext(`${source}; ({ umpi })`, { loadPyodide: async (how) => { steps.push(how); return python; }, fetch: async (path) => ({ arrayBuffer: async () => path }) });
  is([(await umpi(() => steps.push("begun"))) === python, steps], [true, [{ indexURL: "./", checkIntegrity: false }, "begun", ["umpi.zip", "zip", { extractDir: "/lib/umpi" }], 'import sys; sys.path.insert(0, "/lib/umpi")']]);
});
