// A box that answers slowly: what somebody has asked last is shown, in whichever order the answers come.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ANSWERS, tap, tick } from "./browser.mjs";
import { copy, load, MATCH, REFEREE, TABLE } from "./stage.mjs";

const waiting = {}; // what answers each path, the oldest first
const words = { ok: false, status: 404, text: async () => "" }; // the page speaks English
globalThis.fetch = (path) => new Promise((answer) => path === "api/words" ? answer(words) : (waiting[path] ??= []).push(answer));

/** Answer the newest request for a path. */
function answers(path, [status, body]) {
  waiting[path].pop()({ ok: status === 200, status, text: async () => JSON.stringify(body) });
  return tick();
}

const section = () => document.createElement("section");
const text = (place) => place.textContent;
const [rules, past, learn] = ["api/rules", "api/matches", "api/lessons"].map((path) => [path, Object.keys(ANSWERS).find((one) => one.startsWith(`${path}/`))]);

test("a page that somebody has left does not come back", async () => {
  for (const [[list, one], module, does] of [[rules, "rules", "showRules"], [past, "past", "showPast"], [learn, "lessons", "lessonView"]]) {
    const made = (await load(module))[does];
    const place = section();
    const show = does === "lessonView" ? made(place, assert.fail) : (name) => made(place, name);
    show(one.slice(list.length + 1));
    show("");
    await tick();
    await answers(list, ANSWERS[list]);
    const now = text(place);
    assert.ok(now, module);
    await answers(one, ANSWERS[one]);
    assert.equal(text(place), now, module);
  }
});

test("statistics come to no page of a match", async () => {
  const { showStats } = await load("stats");
  const place = section();
  showStats(place, true);
  showStats(place, false);
  await answers("api/stats", ANSWERS["api/stats"]);
  assert.equal(text(place), "");
  showStats(place, true);
  await answers("api/stats", ANSWERS["api/stats"]);
  assert.notEqual(text(place), "");
});

test("the moves: an older list replaces no newer one, and an undo is for the question of the list that is shown", async () => {
  const { historyView } = await load("history");
  const place = section();
  const show = historyView(place, assert.fail);
  const document = (acts) => ({ ...copy(TABLE), match: { ...copy(MATCH), acts }, question: { id: `q${acts}`, asks: [] } });
  const act = (index) => ({ index, seat: 0, text: `move ${index}`, calls: [], line: { do: "pass" }, at_ms: 0, who: "panel", entered: true });
  show(document(1), REFEREE, true);
  show(document(2), REFEREE, true);
  await answers("api/history", [200, [act(0), act(1)]]);
  await answers("api/history", [200, [act(0)]]);
  assert.match(text(place), /move 1/);
  show(document(3), REFEREE, true);
  const sent = [];
  const slow = globalThis.fetch;
  globalThis.fetch = async (path, how) => [sent.push([path, JSON.parse(how.body).question]), { ok: true, status: 200, text: async () => "{}" }][1];
  await tap(place.querySelectorAll("button").find((one) => one.dataset.key === "undo"));
  globalThis.fetch = slow;
  await tick();
  assert.deepEqual(sent, [["api/undo", "q2"]]);
});

test("what would be lost is said of the answer that it was asked for, and no other is written", async () => {
  const { amendment } = await load("amend");
  const option = (value) => ({ value, label: value, words: [value], count: 1, off: "" });
  const field = { name: "card", label: "Card", kind: "pick", source: "table", optional: false, in_order: false, options: [option("fire-2"), option("air-1")] };
  const ask = { verb: "play", text: "Play", fields: [field], seat: 0, more: false, secret: false };
  const place = section();
  place.append(amendment(() => copy(TABLE), { index: 3, line: { do: "play", card: "fire-2" } }, assert.fail).place);
  const given = (card) => `api/history/3?given=${encodeURIComponent(JSON.stringify({ card }))}`;
  const touch = (key) => tap(place.querySelectorAll("[data-key]").find(({ dataset }) => dataset.key === key));
  const there = (key) => place.querySelectorAll("[data-key]").some(({ dataset }) => dataset.key === key);
  const begin = async () => {
    await touch("amend 3");
    await answers("api/history/3", [200, { ask, fields: [field] }]);
    await touch('card "fire-2"');
    await answers(given("fire-2"), [200, { fields: [], refusal: "" }]);
    await touch("look 3");
  };
  await begin();
  await touch('card "air-1"');
  await answers(given("air-1"), [200, { fields: [], refusal: "" }]);
  await answers("api/amend", [200, { lost: [{ text: "of the fire" }] }]);
  assert.equal(there("do 3"), false, "the answer is another one by now");
  await touch("leave 3");
  await begin();
  await touch("leave 3");
  await answers("api/amend", [200, { lost: [] }]);
  assert.deepEqual([there("do 3"), there("amend 3")], [false, true], "it was given up");
});
