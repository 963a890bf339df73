// Tests of a box in a tab that need no browser: node kit.mjs FOLDER NAME WORDS. The last line is the result as JSON.

import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, name, ...words] = process.argv.slice(2);
const at = (file) => pathToFileURL(`${folder}/${file}`).href;
const { loadPyodide } = await import(at("pyodide.mjs"));
const { mountDisk } = await import(at("disk.js"));

/** A slot in the memory, as the browser's storage has them: it has no room beyond `limit` bytes. */
class Handle {
  constructor(bytes = new Uint8Array(), limit = Infinity) {
    Object.assign(this, { bytes, limit });
  }

  getSize() { return this.bytes.length; }

  read(into, { at }) {
    const part = this.bytes.subarray(at, at + into.length);
    into.set(part);
    return part.length;
  }

  write(part, { at }) {
    if (at + part.length > this.limit) throw new DOMException("no room", "QuotaExceededError");
    if (at + part.length > this.bytes.length) this.truncate(at + part.length);
    this.bytes.set(part, at);
    return part.length;
  }

  truncate(length) {
    const before = this.bytes;
    this.bytes = new Uint8Array(length);
    this.bytes.set(before.subarray(0, length));
  }

  flush() {}
}

const { Slot } = await import(at("disk.js"));
const slotsOf = (handles) => handles.map((handle) => new Slot(handle));
const handles = (count, limit) => Array.from({ length: count }, () => new Handle(new Uint8Array(), limit));
const copied = (some) => some.map(({ bytes }) => new Handle(bytes.slice()));

/** Start Python with Umpi, and its disk in these handles; null: a browser that keeps nothing. */
async function python(some) {
  const started = await loadPyodide({ indexURL: `${folder}/` });
  started.unpackArchive(new Uint8Array(readFileSync(`${folder}/umpi.zip`)), "zip", { extractDir: "/lib/umpi" });
  started.runPython(`import sys; sys.path.insert(0, "/lib/umpi")`);
  if (some !== undefined) mountDisk(started.FS, "/umpi", some && slotsOf(some));
  return started;
}

/** Start a box, and return what asks it. */
async function box(some, language = "en") {
  const started = await python(some);
  const host = started.pyimport("umpi.tab.host").Host(started.pyimport("pathlib").Path("/umpi"), language);
  host.start();
  let asked = 0;
  const ask = (method, target, body = "") => new Promise((resolve) => {
    let head = null;
    const parts = [];
    const send = (kind, value) => {
      const data = typeof value === "string" ? value : value.toJs();
      if (typeof value !== "string") value.destroy();
      if (kind === "head") head = JSON.parse(data);
      else if (kind === "part") parts.push(Buffer.from(data));
      else resolve({ status: head[0], headers: Object.fromEntries(head[1]), body: Buffer.concat(parts).toString() });
    };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    host.ask((asked += 1), method, target, JSON.stringify([["content-type", "application/json"]]), text, send);
  });
  const state = async () => JSON.parse((await ask("GET", "/api/state")).body);
  return { ask, host, state, python: started };
}

const rest = (ms) => new Promise((end) => { setTimeout(end, ms); });

/** Pair the page, and begin a score pad of two. */
async function begun({ ask, host }) {
  await ask("POST", "/api/pair", { code: host.invitation() });
  const players = [{ button: "red", name: "Ann" }, { button: "blue", name: "Ben" }];
  const { status, body } = await ask("POST", "/api/start", { game: "scorepad", rules: "", options: {}, players });
  if (status !== 200) throw new Error(body);
}

async function score({ ask, state }, seat, points) {
  const { question } = await state();
  return ask("POST", "/api/act", { question: question.id, act: { do: "score", seat, points } });
}

const tests = {
  /** Import every module of the rooms that run in a tab. */
  async imports(...rooms) {
    const { runPython, toPy, globals } = await python();
    globals.set("rooms", toPy(rooms));
    return JSON.parse(runPython(`
import importlib, json, pkgutil
failed, done = {}, 0
for room in rooms:
    package = importlib.import_module(f"umpi.{room}")
    for module in pkgutil.walk_packages(package.__path__, f"umpi.{room}."):
        try:
            importlib.import_module(module.name)
            done += 1
        except Exception as fault:
            failed[module.name] = f"{type(fault).__name__}: {fault}"
json.dumps({"done": done, "failed": failed})
`));
  },

  /** Replay the sessions in a folder; return the events of each, or why it differs. */
  async sessions(from) {
    const started = await python();
    started.FS.mkdirTree("/sessions");
    for (const file of readdirSync(from)) started.FS.writeFile(`/sessions/${file}`, new Uint8Array(readFileSync(`${from}/${file}`)));
    return JSON.parse(started.runPython(`
import json, os
from umpi.kernel.registry import find, games
from umpi.recording.replay import Replay
found = {}
for name in sorted(os.listdir("/sessions")):
    with open(f"/sessions/{name}", "rb") as session:
        try:
            found[name] = sum(1 for _ in Replay(session, games(), find))
        except Exception as fault:
            found[name] = f"{type(fault).__name__}: {fault}"
json.dumps(found)
`));
  },

  /** Ask the box for everything that its page asks first. */
  async answers() {
    const { ask, state } = await box(handles(16), "de-AT");
    const found = {};
    for (const path of ["/", "/api/state", "/api/games", "/api/words", "/api/rules/dodeka", "/api/lessons/dodeka", "/api/stats", "/api/matches", "/nothing"]) {
      const { status, headers, body } = await ask("GET", path);
      found[path] = [status, headers["x-frame-options"] ?? "", body.length];
    }
    await ask("POST", "/hold", { button: "red", down: true });
    await rest(30);
    await ask("POST", "/hold", { button: "red", down: false });
    await rest(200);
    return { found, language: (await state()).language, page: (await ask("GET", "/")).body.slice(0, 120) };
  },

  /** Ask the loop for what was due a moment ago; return what was done. */
  async late() {
    const { python: started } = await box(handles(16));
    started.runPython(`
import asyncio
done = []
loop = asyncio.get_event_loop()
loop.call_at(loop.time() - 0.01, done.append, "late")
loop.call_later(-1, done.append, "later")
`);
    const done = () => started.globals.get("done").toJs();
    for (let turns = 0; turns < 3000 && done().length < 2; turns += 1) await rest(10);
    return done();
  },

  /** Cut the power after every act, at once: a second box that gets the slots as they are must have all acts. */
  async cuts(count) {
    const slots = handles(24);
    const first = await box(slots);
    await begun(first);
    const found = [];
    for (let act = 1; act <= Number(count); act += 1) {
      await score(first, act % 2, act);
      const { match: { acts }, unsaved } = await first.state();
      const second = await box(copied(slots));
      const now = await second.state();
      const { match } = now;
      found.push({ shown: acts, unsaved, kept: match?.acts ?? 0, scores: match?.scores, troubles: now.troubles, screen: now.screen });
    }
    return found;
  },

  /** Write, rename, replace and remove files; return what a second Python finds after the storage was copied. */
  async files() {
    const slots = handles(12);
    const first = await python(slots);
    first.runPython(`
import os
os.makedirs("/umpi/reports")
for name in ("kept", "old", "new", "gone", "half.part", "reports/one"):
    with open(f"/umpi/{name}", "w") as file:
        file.write(name)
os.replace("/umpi/new", "/umpi/old")
os.replace("/umpi/half.part", "/umpi/whole")
os.rename("/umpi/kept", "/umpi/reports/moved")
os.unlink("/umpi/gone")
with open("/umpi/reports/one", "r+") as file:
    file.truncate(9)
    file.seek(3)
    file.write("+")
`);
    const look = (from) => JSON.parse(from.runPython(`
import json, os
json.dumps({os.path.relpath(os.path.join(at, name), "/umpi"): open(os.path.join(at, name)).read() for at, _, names in os.walk("/umpi") for name in names})
`));
    const again = copied(slots);
    const twice = copied([...slots, ...slots]); // as if each file had been replaced by itself
    const used = (some) => some.filter(({ bytes }) => bytes.length).length;
    const found = [look(first), look(await python(again)), look(await python(twice))];
    return { found, used: [used(again), used(twice)] };
  },

  /** Play where the browser keeps nothing, or has room for `limit` bytes a file. */
  async refused(limit) {
    const slots = limit === "none" ? null : handles(16, Number(limit));
    const playing = await box(slots);
    await begun(playing);
    for (let act = 1; act <= 8; act += 1) await score(playing, act % 2, act);
    await rest(50);
    const { match, unsaved } = await playing.state();
    return { acts: match.acts, unsaved };
  },

  /** Play this many acts in one match; return the memory of Python in MiB, at the start and after each tenth. */
  async memory(count) {
    const playing = await box(handles(24));
    const now = () => Math.round(playing.python._module.HEAPU8.length / 2 ** 20);
    const found = [now()];
    await begun(playing);
    for (let act = 1; act <= Number(count); act += 1) {
      while ((await score(playing, act % 2, 1 + act % 5)).status === 429) await rest(100); // too many requests at once
      if (act % (Number(count) / 10) === 0) found.push(now());
    }
    const { match: { acts } } = await playing.state();
    if (acts !== Number(count)) throw new Error(`${acts} acts`);
    return found;
  },

  /** Find a hint, or review a match, in a second Python; return its answer and its seconds. */
  async aside(task, language, file) {
    const { answer } = (await python()).pyimport("umpi.tab.second");
    const since = performance.now();
    const found = JSON.parse(answer(task, language, readFileSync(file, "utf8")));
    return { found, seconds: (performance.now() - since) / 1000 };
  },

  /** Take the matches of one box to another. */
  async moved() {
    const one = await box(handles(24));
    await begun(one);
    for (let act = 1; act <= 3; act += 1) await score(one, act % 2, act);
    const { body, headers } = await one.ask("GET", "/matches");
    const other = await box(handles(24));
    const answers = [];
    for (const sent of [body, body, "nonsense"]) answers.push(await other.ask("POST", "/matches", sent));
    return {
      lines: body.trim().split("\n").length, kind: headers["content-type"],
      answers: answers.map(({ status, body: said }) => [status, JSON.parse(said)]),
      there: JSON.parse((await other.ask("GET", "/api/matches")).body).length,
    };
  },
};

console.log(JSON.stringify(await tests[name](...words)));
process.exit(0);
