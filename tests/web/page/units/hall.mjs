// The page of a club's hall: what it asks for after each change, and how it follows again when the stream ends.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

const source = readFileSync(new URL("../../../../firmware/umpi/club/page/hall.js", import.meta.url), "utf-8");
const settle = () => new Promise((go) => setImmediate(go));

/** Open the page. `answer` ends the oldest request, `later` has what waits, with its time. */
function opened() {
  const page = { asked: [], later: [], streams: [], main: { innerHTML: "before" }, open: [] };
  class EventSource {
    constructor(path) { Object.assign(this, { path, closed: false }); page.streams.push(this); }
    addEventListener(kind, hears) { this[kind] = hears; }
    close() { this.closed = true; }
  }
  runInNewContext(source, {
    document: { querySelector: (name) => page[name] }, location: { search: "?club=1" }, EventSource,
    setTimeout: (how, wait) => page.later.push([wait, how]),
    fetch: (path) => new Promise((come, fail) => { page.asked.push(path); page.open.push({ come, fail }); }),
  });
  page.answer = async (text, ok = true) => { page.open.shift().come({ ok, text: async () => text }); await settle(); };
  return page;
}

test("hall.js: a change while it asks is asked for once more, later", async () => {
  const page = opened();
  const [stream] = page.streams;
  assert.deepEqual([stream.path, page.asked], ["events", []]);
  stream.state();
  assert.deepEqual(page.asked, ["part?club=1"]);
  stream.state();
  stream.state();
  await page.answer("one");
  assert.deepEqual([page.main.innerHTML, page.asked.length, page.later.map(([wait]) => wait)], ["one", 1, [100]]);
  page.later.pop()[1]();
  await page.answer("two");
  assert.deepEqual([page.main.innerHTML, page.asked.length, page.later], ["two", 2, []]);
  stream.state();
  await page.answer("refused", false);
  assert.deepEqual([page.main.innerHTML, page.asked.length, page.later], ["two", 3, []]);
});

test("hall.js: a request that fails does not keep it from the next", async () => {
  const page = opened();
  const failed = page.streams[0].state();
  page.open.shift().fail(new Error("no network"));
  await assert.rejects(failed, /no network/);
  page.streams[0].state();
  await page.answer("again");
  assert.deepEqual([page.main.innerHTML, page.asked.length, page.later], ["again", 2, []]);
});

test("hall.js: a stream that ends is opened again after two seconds", () => {
  const page = opened();
  const [stream] = page.streams;
  stream.onerror();
  assert.deepEqual([stream.closed, page.streams.length, page.later.map(([wait]) => wait)], [true, 1, [2000]]);
  page.later.pop()[1]();
  assert.deepEqual([page.streams.length, typeof page.streams[1].state, typeof page.streams[1].onerror], [2, "function", "function"]);
});
