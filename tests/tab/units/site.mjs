// What a box in a tab does beside Python: its disk, its service worker, the port of its sensor head. Without a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

const site = new URL("../../../firmware/umpi/tab/site/", import.meta.url);
const is = assert.deepEqual;
const settle = async () => { for (let turn = 0; turn < 6; turn += 1) await new Promise((go) => setImmediate(go)); };

/** A handle of the browser's storage, in the memory; it has room for `limit` bytes. */
class Handle {
  constructor(limit = Infinity) { Object.assign(this, { bytes: new Uint8Array(), limit, flushed: 0, closed: false }); }
  getSize() { return this.bytes.length; }
  read(into, { at }) { into.set(this.bytes.subarray(at, at + into.length)); }
  write(part, { at }) {
    const end = Math.min(at + part.length, this.limit);
    if (end > this.bytes.length) this.truncate(end);
    this.bytes.set(part.subarray(0, Math.max(0, end - at)), at);
    return Math.max(0, end - at);
  }
  truncate(length) { const before = this.bytes; this.bytes = new Uint8Array(length); this.bytes.set(before.subarray(0, length)); }
  flush() { this.flushed += 1; }
  close() { this.closed = true; }
}

/** As much of Emscripten's file system as a disk needs: nodes with operations, in the memory. */
function system() {
  class ErrnoError extends Error { constructor(errno) { super(String(errno)); this.errno = errno; } }
  const [DIR, FILE] = [0o40000, 0o100000];
  const node_ops = {
    mknod(parent, name, mode) { const made = node(parent, name, mode); parent.contents[name] = made; return made; },
    unlink(parent, name) { delete parent.contents[name]; },
    rename(one, parent, name) { delete one.parent.contents[one.name]; Object.assign(one, { parent, name }); parent.contents[name] = one; },
    setattr(one, { size }) { if (size !== undefined) Object.assign(one, { contents: one.contents.slice(0, size), usedBytes: size }); },
  };
  const stream_ops = { write({ node: one }, buffer, offset, length, position) {
    const grown = new Uint8Array(Math.max(position + length, one.usedBytes));
    grown.set(one.contents.subarray(0, one.usedBytes));
    grown.set(buffer.subarray(offset, offset + length), position);
    Object.assign(one, { contents: grown, usedBytes: grown.length });
    return length;
  } };
  const node = (parent, name, mode) => ({ parent, name, mode, contents: mode & DIR ? {} : new Uint8Array(), usedBytes: 0, node_ops, stream_ops });
  const root = node(null, "/", DIR);
  const find = (path) => path.split("/").filter(Boolean).reduce((one, name) => one?.contents[name], root);
  const FS = {
    ErrnoError, filesystems: { MEMFS: {} }, destroyed: 0,
    isFile: (mode) => Boolean(mode & FILE), isDir: (mode) => Boolean(mode & DIR),
    mkdirTree: (path) => path.split("/").filter(Boolean).reduce((one, name) => (one.contents[name] ??= one.node_ops.mknod(one, name, DIR)), root),
    mount() {}, destroyNode() { FS.destroyed += 1; },
    analyzePath: (path) => ({ exists: Boolean(find(path)) }), lookupPath: (path) => ({ node: find(path) }),
    make(path) { const folder = find(path.replace(/\/[^/]*$/, "")); return folder.node_ops.mknod(folder, path.split("/").at(-1), FILE); },
    writeFile(path, bytes) { FS.write(find(path) ?? FS.make(path), bytes, 0); },
    write: (one, bytes, position) => one.stream_ops.write({ node: one }, bytes, 0, bytes.length, position),
  };
  return FS;
}
const bytes = (text) => new TextEncoder().encode(text);
const refused = (does) => { try { does(); return 0; } catch ({ errno, message }) { return errno ?? message; } };

test("disk.js: what Python writes is in a slot at once, under its name, and there again at the next start", async () => {
  const { mountDisk, Slot } = await import(`${site}disk.js`);
  const handles = Array.from({ length: 4 }, () => new Handle());
  const start = (some = handles) => { const FS = system(); mountDisk(FS, "/umpi", some && some.map((handle) => new Slot(handle))); return FS; };
  const kept = () => handles.map((handle) => new Slot(handle)).filter(({ name }) => name).map((slot) => [slot.name, new TextDecoder().decode(slot.read())]);
  let FS = start();
  const games = FS.make("/umpi/games.db");
  is([kept(), handles[0].bytes.length], [[["games.db", ""]], 512]);
  FS.write(games, bytes("abcdef"), 0);
  FS.write(games, bytes("XY"), 2);
  is(kept(), [["games.db", "abXYef"]]);
  games.stream_ops.write({ node: games }, bytes("..12.."), 2, 2, 6);
  is(kept(), [["games.db", "abXYef12"]], "a part of a buffer");
  games.node_ops.setattr(games, { size: 3 });
  games.node_ops.setattr(games, {});
  is([kept(), games.usedBytes], [[["games.db", "abX"]], 3]);
  is([games.stream_ops.fsync({ node: games }), handles[0].flushed], [0, 1]);
  for (const name of ["games.db-shm", "x.lock", "y.part"]) FS.write(FS.make(`/umpi/${name}`), bytes("x"), 0);
  is(kept().length, 1, "passing files are in the memory alone");
  FS.mkdirTree("/umpi/https/old");
  FS.write(FS.make("/umpi/https/old/key"), bytes("k"), 0);
  is(kept()[1], ["https/old/key", "k"]);
  const part = FS.lookupPath("/umpi/y.part").node;
  part.node_ops = FS.lookupPath("/umpi").node.node_ops;
  FS.lookupPath("/umpi").node.node_ops.rename(part, FS.lookupPath("/umpi/https").node, "new");
  is(kept()[2], ["https/new", "x"], "a file that is finished gets its slot with its contents");
  const umpi = FS.lookupPath("/umpi").node;
  umpi.node_ops.rename(part, umpi, "games.db");
  is(kept(), [["https/old/key", "k"], ["games.db", "x"]], "it replaces another one");
  umpi.node_ops.rename(part, umpi, "games.db");
  is(kept().length, 2, "and stays if it is the same");
  FS = start();
  is(new TextDecoder().decode(FS.lookupPath("/umpi/games.db").node.contents), "x");
  FS.write(FS.lookupPath("/umpi/https/old/key").node, bytes("K"), 0);
  is(kept()[0], ["https/old/key", "K"], "after a start they are written on");
  const file = FS.lookupPath("/umpi/games.db").node;
  FS.lookupPath("/umpi").node.node_ops.unlink(FS.lookupPath("/umpi").node, "games.db");
  FS.write(file, bytes("late"), 0);
  is([kept(), file.stream_ops.fsync({ node: file })], [[["https/old/key", "K"]], 0], "removed while it is open");
  for (const name of ["a", "b", "c"]) FS.make(`/umpi/${name}`);
  is([refused(() => FS.make("/umpi/d")), FS.analyzePath("/umpi/d").exists, FS.destroyed], [51, false, 1], "there is no slot left");

  const small = [new Handle(520), new Handle(100)];
  FS = start(small);
  const one = FS.make("/umpi/one");
  is([refused(() => FS.write(one, bytes("12345678"), 0)), refused(() => FS.write(one, bytes("9"), 8))], [0, 51], "the browser has no room");
  is(refused(() => FS.make("/umpi/two")), 51);
  is(refused(() => FS.make(`/umpi/${"n".repeat(600)}`)), 51);
  FS = start(null);
  is([refused(() => FS.make("/umpi/a")), refused(() => FS.make("/umpi/a.lock"))], [69, 0], "a browser that keeps nothing");

  const twice = [new Handle(), new Handle()];
  for (const [nth, text] of ["old", "new"].entries()) { const slot = new Slot(twice[nth]); slot.call("games.db"); slot.write(bytes(text), 0); }
  FS = start(twice);
  is([new TextDecoder().decode(FS.lookupPath("/umpi/games.db").node.contents), new Slot(twice[1]).name], ["old", ""]);
  is(refused(() => new Slot(new Handle(100)).call("x")), "no room");
});

test("disk.js: the storage is opened, is elsewhere, or is refused", async (context) => {
  const { Elsewhere, openStorage } = await import(`${site}disk.js`);
  const opened = [];
  let fault = null;
  let asked = 0;
  const folder = { getFileHandle: async (name, { create }) => ({ createSyncAccessHandle: async () => {
    if (fault && opened.length === 3) throw fault;
    opened.push([name, create, new Handle()]);
    return opened.at(-1)[2];
  } }) };
  const storage = { getDirectory: async () => ({ getDirectoryHandle: async (name, { create }) => { is([name, create], ["umpi", true]); return folder; } }), persist() { asked += 1; } };
  Object.defineProperty(globalThis, "navigator", { value: { storage }, configurable: true });
  is([(await openStorage()).length, opened[0].slice(0, 2), opened.at(-1).slice(0, 2), asked], [48, ["0", true], ["47", true], 1]);
  for (const [name, result] of [["NoModificationAllowedError", Elsewhere], ["QuotaExceededError", null]]) {
    opened.length = 0;
    fault = Object.assign(new Error("x"), { name });
    if (result) await assert.rejects(openStorage(), result);
    else is(await openStorage(), null);
    is(opened.map(([, , handle]) => handle.closed), [true, true, true]);
  }
  storage.getDirectory = async () => { throw new Error("private"); };
  is(await openStorage(), null);
});

test("head.js: bytes go between the port and the box, until it is unplugged", async (context) => {
  const kept = new Map();
  let reloads = 0;
  let ports = [];
  let connect = null;
  const serial = { addEventListener: (kind, listener) => { connect = listener; }, getPorts: async () => ports, requestPort: async () => { throw new Error("none"); } };
  Object.defineProperty(globalThis, "navigator", { value: { serial }, configurable: true });
  globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
  globalThis.location = { reload() { reloads += 1; } };
  const { carry, choice, toHead, wiring } = await import(`${site}head.js`);
  is([wiring(), choice.wiring(), await choice.choose({ lanes: 2 }), reloads], ["", null, false, 0]);
  let filters = null;
  serial.requestPort = async (how) => { filters = how.filters; };
  is([await choice.choose({ lanes: 2 }), wiring(), choice.wiring(), reloads, filters], [true, '{"lanes":2}', { lanes: 2 }, 1, [{ usbVendorId: 0x2e8a }]]);
  let forgotten = 0;
  ports = [{ async forget() { forgotten += 1; } }, {}];
  await choice.leave();
  is([wiring(), forgotten, reloads], ["", 1, 2]);

  context.mock.timers.enable({ apis: ["setTimeout"] });
  context.mock.method(console, "error", () => {});
  context.mock.method(console, "warn", () => {});
  context.mock.method(performance, "now", () => 7);
  Object.defineProperty(performance, "timeOrigin", { value: 1000, configurable: true });
  const told = [];
  const wrote = [];
  const done = [];
  let reads = [];
  let broken = false;
  const port = {
    async open({ baudRate }) { done.push(baudRate); if (broken) throw new Error("taken"); },
    async setSignals(signals) { done.push(signals); },
    async close() { done.push("close"); },
    writable: { getWriter: () => ({ write: async (part) => { wrote.push(new TextDecoder().decode(part)); }, releaseLock() { done.push("w"); } }) },
    readable: { getReader: () => ({ read: () => new Promise((go, no) => reads.push([go, no])), releaseLock() { done.push("r"); } }) },
  };
  ports = [];
  carry((one) => told.push(one));
  await settle();
  is(told.splice(0), [{ closed: true, elsewhere: false }]);
  ports = [port];
  connect();
  await settle();
  is([told.splice(0), done.splice(0)], [[{ open: true }], [115200, { dataTerminalReady: true, requestToSend: true }]]);
  toHead("go\n");
  reads.pop()[0]({ value: bytes("hi"), done: false });
  await settle();
  is([told.splice(0), wrote], [[{ sent: "hi", at_us: 1_007_000 }], ["go\n"]]);
  reads.pop()[0]({ done: true });
  await settle();
  is([told.splice(0), done.splice(0)], [[{ closed: true, elsewhere: false }], ["w", "r", "close"]]);
  is(toHead("late"), undefined);
  broken = true;
  context.mock.timers.tick(1000);
  await settle();
  is(told.splice(0), [{ closed: true, elsewhere: true }]);
  broken = false;
  context.mock.timers.tick(999);
  await settle();
  is(told, []);
  context.mock.timers.tick(1);
  await settle();
  reads.pop()[1](new Error("unplugged"));
  await settle();
  is(told.splice(0), [{ open: true }, { closed: true, elsewhere: false }]);
});

test("sw.js: files are kept, and requests of the page go to the box", async () => {
  const hearers = {};
  const stores = { "umpi-tab-0": new Map(), other: new Map() };
  const posted = [];
  const windows = [{ frameType: "nested", postMessage: () => posted.push("nested") }, { frameType: "top-level", postMessage: (message, ports) => posted.push([message, ports]) }];
  const timers = [];
  let late = 200;
  const scope = {
    UMPI: { version: "1", files: [{ name: "a.js", kind: "text/javascript", bytes: 3, packed: false }, { name: "b.zip", kind: "application/zip", bytes: 30, packed: true }] },
    importScripts() {}, registration: { scope: "https://x/" }, URL, TextEncoder, TransformStream, DecompressionStream, ReadableStream, Response, MessageChannel: class {
      constructor() { this.port1 = { sent: [], postMessage(text) { this.sent.push(text); } }; this.port2 = { other: this.port1 }; }
    },
    addEventListener: (kind, listener) => { hearers[kind] = listener; },
    setTimeout: (does, ms) => timers.push([does, ms]), clearTimeout: (number) => { if (timers[number - 1]) timers[number - 1][0] = null; },
    caches: {
      keys: async () => Object.keys(stores), delete: async (name) => delete stores[name],
      open: async (name) => { const store = stores[name] ??= new Map(); return { put: async (key, answer) => store.set(key, answer), match: async (key) => store.get(key) }; },
    },
    clients: { claim: async () => posted.push("claimed"), matchAll: async ({ includeUncontrolled }) => (includeUncontrolled ? windows : []) },
    fetch: async (path) => {
      if (typeof path !== "string") return "from the network";
      if (late !== 200) return { ok: false, status: late };
      if (path === "b.zip.z") return new Response(new Response("zipped").body.pipeThrough(new CompressionStream("gzip")));
      return new Response("abc");
    },
  };
  runInNewContext(readFileSync(new URL("sw.js", site), "utf-8"), scope);
  const waits = async (kind, event = {}) => { let wait; hearers[kind]({ waitUntil: (one) => { wait = one; }, respondWith: (one) => { wait = one; }, ...event }); return wait; };
  await waits("install");
  is([await stores["umpi-tab-1"].get("a.js").clone().text(), await stores["umpi-tab-1"].get("b.zip").text(), stores["umpi-tab-1"].get("b.zip").headers.get("Content-Type")], ["abc", "zipped", "application/zip"]);
  is([posted.filter(([message]) => message?.done).map(([{ done, total }]) => [done, total])[0], posted.at(-1)[0].total], [[3, 33], 33]);
  assert.ok(posted.at(-1)[0].done > 20, "what is done grows");
  late = 404;
  await assert.rejects(waits("install"), /a.js: 404/);
  posted.length = 0;
  await waits("activate");
  is([Object.keys(stores), posted], [["other", "umpi-tab-1"], ["claimed"]]);
  posted.length = 0;
  const get = (url, more) => ({ request: { url, method: "GET", headers: new Map(), text: async () => "sent", ...more } });
  is(await (await waits("fetch", get("https://x/a.js?v=1"))).text(), "abc");
  stores["umpi-tab-1"].set("index.html", "the window");
  is([await waits("fetch", get("https://x/")), await waits("fetch", get("https://x/gone")), await waits("fetch", get("https://elsewhere/"))], ["the window", "from the network", undefined]);

  const asks = async (url, more) => {
    const waiting = waits("fetch", get(url, more));
    await settle();
    const [[{ ask }, [{ other: port }]]] = posted.splice(0).filter((one) => one !== "nested");
    return { waiting, ask, port, says: (...data) => port.onmessage({ data }) };
  };
  let one = await asks("https://x/box/api/act?x=1", { method: "POST", headers: new Map([["a", "b"]]) });
  is(JSON.parse(JSON.stringify(one.ask)), { method: "POST", target: "/api/act?x=1", headers: [["a", "b"]], body: "sent" });
  is(timers.at(-1)[1], 20_000);
  one.says("head", JSON.stringify([200, [["content-type", "application/json"]]]));
  const answered = await one.waiting;
  one.says("part", bytes("{}"));
  one.says("end");
  is([answered.status, await answered.text(), timers.at(-1)[0]], [200, "{}", null]);
  one = await asks("https://x/box/api/matches/1/review");
  is([one.ask.body, timers.at(-1)[1]], ["", 280_000]);
  timers.at(-1)[0]();
  is((await one.waiting).type, "error");
  one = await asks("https://x/box/api/me", { method: "HEAD" });
  is(one.ask.body, "");
  one.says("head", JSON.stringify([200, []]));
  is((await one.waiting).body, null);
  for (const status of [204, 304]) {
    one = await asks("https://x/box/x");
    one.says("head", JSON.stringify([status, []]));
    is([(await one.waiting).status, (await one.waiting).body], [status, null]);
  }
  one = await asks("https://x/box/api/events");
  one.says("head", JSON.stringify([200, [["x", "text/event-stream"], ["content-type", "text/event-stream; charset=utf-8"]]]));
  const stream = (await one.waiting).body.getReader();
  is(new TextDecoder().decode((await stream.read()).value), "retry: 100\n\n");
  is(timers.at(-1)[1], 240_000);
  timers.at(-1)[0]();
  is([one.port.sent, one.port.onmessage, (await stream.read()).done], [["leave"], null, true]);
  timers.at(-1)[0]();
  is(one.port.sent, ["leave"], "it has left once");
  one = await asks("https://x/box/api/events");
  one.says("head", JSON.stringify([200, []]));
  await (await one.waiting).body.cancel();
  is(one.port.sent, ["leave"]);
});
