// What somebody enters on a phone: it outlasts what the box says meanwhile, and is sent once, for what it was entered for.

import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, ANSWERS, asked, at, tap, tick, types } from "./browser.mjs";
import { Element } from "./dom.mjs";
import { copy, load, MATCH, REFEREE, refuses, SEAT, TABLE, within } from "./stage.mjs";

const IDLE = { ...TABLE, match: null, question: null, joining: [] };
const CLAIM = { claim: 4, button: 3, name: "Ed", instead: false };

/** Show a view of the page in a new place; return it with what shows the next document. */
async function open(module, make) {
  const place = new Element("section");
  at("main").append(place);
  const told = [];
  const view = make(await load(module), place, (text) => told.push(text));
  asked();
  return { place, told, touch: within(place), shows: async (...now) => { view(...now); await tick(); } };
}
const keyed = (place, key) => place.querySelectorAll("[data-key]").find(({ dataset }) => dataset.key === key);
const starting = () => open("start", ({ startView }, place, tell) => startView(place, tell));
const pairing = () => open("pairing", ({ pairingView }, place, tell) => pairingView(place, tell, async () => {}).show);

test("a rule set that is tapped sets the fields of the options", async () => {
  answer({ ...ANSWERS, "api/start": [200, {}] });
  const { place, shows, touch } = await starting();
  await shows(IDLE, REFEREE);
  await tap("[data-key='game dodeka']");
  const target = () => place.querySelector(".options input");
  const usual = target().value;
  target().value = "800";
  target().dispatchEvent({ type: "input" });
  document.activeElement = keyed(place, "rules "); // a browser gives a radio that is tapped the focus
  await touch("rules ");
  assert.equal(target().value, usual);
  place.remove();
});

test("a start form keeps its entries in another language, and after another start of the box, which may have more games", async () => {
  answer({ ...ANSWERS, "api/start": [200, {}] });
  const { place, shows, touch } = await starting();
  await shows(IDLE, REFEREE);
  await tap("[data-key='game dodeka']");
  await types("[data-key='name 3']", "Greta");
  const target = () => place.querySelector(".options input");
  target().value = "800";
  target().dispatchEvent({ type: "input" });
  document.activeElement = keyed(place, "game dodeka");
  document.documentElement.lang = "de";
  await shows(IDLE, REFEREE);
  document.documentElement.lang = "en";
  assert.deepEqual([keyed(place, "name 3").value, target().value], ["Greta", "800"]);
  const more = copy(ANSWERS["api/games"]);
  more[1].games.unshift({ ...more[1].games[0], game: "newest" });
  answer({ "api/games": more });
  await shows({ ...IDLE, boot: "later" }, REFEREE);
  assert.ok(keyed(place, "game newest"));
  assert.deepEqual([keyed(place, "game dodeka").checked, keyed(place, "name 3").value, target().value], [true, "Greta", "800"]);
  asked();
  await touch("start");
  assert.match(asked()[0], /"game":"dodeka".*"name":"Greta".*:800/);
  place.remove();
});

test("a list that the box does not give is no empty list", async () => {
  answer(ANSWERS);
  refuses("api/matches", "Broken.");
  const { place, shows, touch } = await starting();
  await shows(IDLE, REFEREE);
  assert.deepEqual([place.querySelector(".failed").textContent, place.querySelectorAll(".resume").length], ["Broken.Try again", 0]);
  const matches = copy(ANSWERS["api/matches"]);
  Object.assign(matches[1][0], { open: true, over: null });
  answer({ "api/matches": matches });
  await touch("retry");
  assert.deepEqual([place.querySelectorAll(".failed").length, place.querySelectorAll(".resume").length], [0, 1]);
  refuses("api/games", "Away.");
  await shows(IDLE, null);
  assert.equal(place.textContent, "Away.Try again");
  answer(ANSWERS);
  await touch("retry");
  assert.ok(place.querySelector(".greeting"));
  refuses("api/stats", "Away.");
  const { showStats } = await load("stats");
  await showStats(place, true);
  assert.equal(place.textContent, "Away.Try again");
  answer(ANSWERS);
  await touch("retry");
  assert.ok(keyed(place, "stats"));
  place.remove();
});

test("names, codes and choices of a phone stay while others join", async () => {
  answer({ "api/names": [200, { names: [] }], "api/name": [200, {}] });
  const { place, shows, touch } = await pairing();
  const others = { ...IDLE, joining: null, joined: [{ button: 1, name: "Ben" }] };
  await shows(null, "", { ...others, joined: [] });
  await types("[name=code]", "123");
  await shows(null, "", others);
  assert.equal(place.querySelector("[name=code]").value, "123");
  await shows(null, "", { ...others, joining: [] });
  await types("form.join [name=name]", "Cy");
  await touch("seat 1");
  await shows(null, "", { ...others, joining: [CLAIM] });
  assert.ok(keyed(place, "instead"), "it asks still whose phone this is");
  await touch("another");
  assert.equal(place.querySelector("form.join [name=name]").value, "Cy");
  await shows(SEAT, "", { ...others, joining: [CLAIM] });
  assert.equal(place.querySelector("form.name [name=name]").value, "Ben", "who plays has another form");
  await types("form.name [name=name]", "Benno");
  await shows(SEAT, "", { ...others, joining: [] });
  assert.equal(place.querySelector("form.name [name=name]").value, "Benno");
  await touch("rename");
  await shows({ ...SEAT, name: "Benno" }, "", { ...others, joining: [] });
  await shows({ ...SEAT, name: "Benjamin" }, "", { ...others, joining: [] });
  assert.equal(place.querySelector("form.name [name=name]").value, "Benjamin", "the referee has changed it");
  place.remove();
});

test("a phone asks for one seat at a time", async () => {
  answer({ "api/join": [200, {}] });
  const { place, shows } = await pairing();
  await shows(null, "", { ...IDLE, joined: [] });
  place.querySelector("form.join [name=name]").value = "Cy"; // the browser fills it in without an event
  asked();
  for (const key of ["seat 0", "seat 0", "seat 3"]) keyed(place, key).dispatchEvent({ type: "click" });
  await tick();
  assert.deepEqual(asked(), ['api/join {"button":"red","name":"Cy"}']);
  await tap(keyed(place, "seat 3"));
  assert.deepEqual(asked(), ['api/join {"button":"green","name":"Cy"}']);
  keyed(place, "seat 0").dispatchEvent({ type: "click" });
  await shows(null, 4, { ...IDLE, joining: [CLAIM] }); // it is known before the box has answered
  await tick();
  await tap(keyed(place, "another"));
  asked();
  await tap(keyed(place, "seat 1"));
  assert.deepEqual(asked(), ['api/join {"button":"blue","name":"Ed"}'], "it can ask again");
  await shows(null, 5, { ...IDLE, joining: [{ ...CLAIM, claim: 5 }] });
  keyed(place, "another").dispatchEvent({ type: "click" });
  asked();
  keyed(place, "seat 0").dispatchEvent({ type: "click" });
  void shows(null, 6, { ...IDLE, joining: [{ ...CLAIM, claim: 6 }] }); // known at once, while the reply is on its way
  keyed(place, "another").dispatchEvent({ type: "click" });
  keyed(place, "seat 3").dispatchEvent({ type: "click" });
  await tick();
  assert.deepEqual(asked().map((one) => JSON.parse(one.split(" ").slice(1).join(" ")).button), ["red", "green"], "also before that reply");
  place.remove();
});

test("what is not on the disk cannot be undone by the list of moves", async () => {
  const act = (index) => ({ index, seat: 0, text: `move ${index}`, calls: [], line: { do: "pass", n: 1 }, at_ms: 0, who: "panel", entered: true });
  answer({ "api/history": [200, [act(0), act(1)]] });
  const { place, shows } = await open("history", ({ historyView }, place, tell) => historyView(place, tell));
  await shows({ ...TABLE, unsaved: "The disk is full." }, REFEREE, true);
  assert.match(place.textContent, /NOT SAVED The disk is full\./);
  assert.deepEqual(place.querySelectorAll("button").map(({ dataset }) => dataset.key), []);
  answer({ "api/history": [200, [act(0), act(1), act(2)]] });
  await shows(TABLE, REFEREE, true);
  assert.match(place.textContent, /Undo: move 2/);
  assert.doesNotMatch(place.textContent, /NOT SAVED/);
  place.remove();
});

test("an edit of a move stays while others play, and what it would lose is looked at again", async () => {
  const option = (value) => ({ value, label: value, words: [value], count: 1, off: "" });
  const field = { name: "card", label: "Card", kind: "pick", source: "table", optional: false, in_order: false, options: ["a", "b", "c"].map(option) };
  const ask = { verb: "play", text: "Play", fields: [field], seat: 0, more: false, secret: false };
  const act = (index, card = "a") => ({ index, seat: 0, text: `move ${index}`, calls: [], line: { do: "play", card }, at_ms: 0, who: "panel", entered: true });
  const given = (card) => `api/history/0?given=${encodeURIComponent(JSON.stringify({ card }))}`;
  answer({ ...Object.fromEntries(["b", "c"].map((card) => [given(card), [200, { fields: [], refusal: "" }]])), "api/history/0": [200, { ask, fields: [field] }] });
  const { place, shows, told, touch } = await open("history", ({ historyView }, place, tell) => historyView(place, tell));
  const list = async (question, ...acts) => {
    answer({ "api/history": [200, acts] });
    await shows({ ...TABLE, match: { ...MATCH, acts: acts.length }, question: { ...TABLE.question, id: question } }, REFEREE, true);
  };
  const chosen = () => place.querySelectorAll(".amend [aria-pressed=true]").map(({ dataset }) => dataset.value).join();
  await list("q1", act(0));
  await touch("amend 0");
  await touch('card "b"');
  await list("q2", act(0), act(1));
  assert.deepEqual([chosen(), told], ['"b"', []]);
  answer({ "api/amend": [200, { lost: [{ text: "move 1" }] }] });
  await touch("look 0");
  answer({ "api/amend": [200, { lost: [{ text: "move 1" }, { text: "move 2" }] }] });
  asked();
  await list("q3", act(0), act(1), act(2));
  assert.deepEqual([place.querySelector(".lost").textContent, asked().at(-1)], ["move 1move 2", 'api/amend {"question":"q3","index":0,"act":{"do":"play","card":"b"},"try":true}']);
  refuses("api/amend", "Too late.");
  await touch("do 0");
  assert.ok(keyed(place, "do 0"), "it can be tried again");
  answer({ "api/amend": [200, {}] });
  await touch("do 0");
  await list("q4", act(0, "b"));
  assert.deepEqual([keyed(place, "amend 0").textContent, told.splice(0)], ["Edit", ["Too late."]], "it is done");
  await touch("amend 0");
  await touch('card "c"');
  document.documentElement.lang = "de";
  await list("q4", act(0, "b"));
  document.documentElement.lang = "en";
  assert.equal(chosen(), '"c"');
  await list("q5", act(0, "c"));
  assert.deepEqual([keyed(place, "amend 0").textContent, told.length], ["Edit", 1], "the move is another one");
  place.remove();
});

test("who was first is said in the language of the box", async () => {
  const { showAnnouncement } = await load("announcement");
  const { learn } = await load("words");
  const place = new Element("section");
  const doubtful = { ...TABLE, doubt: { text: "…", seats: [1] } };
  showAnnouncement(place, doubtful, REFEREE, assert.fail);
  assert.match(place.textContent, /Toss again/);
  answer({ "api/words": [200, { language: "de", words: { "Toss again": "Nochmals werfen" } }] });
  await learn();
  showAnnouncement(place, doubtful, REFEREE, assert.fail);
  answer({ "api/words": [200, { language: "en", words: {} }] });
  await learn();
  assert.match(place.textContent, /Nochmals werfen/);
});

test("rules that fail leave the question without a match: the page says why", async () => {
  const { showState } = await load("state");
  const failing = { ...TABLE, match: null, showing: null, troubles: [{ device: "Toy", text: "its rules failed" }] };
  showState(failing);
  assert.match(at("#warnings").textContent, /its rules failed/);
  const { questionForm } = await load("form");
  const buzz = { verb: "buzz", label: "buzz", text: "Buzz", help: "", fields: [], seat: null, rare: false, referee: false, then: "", secret: false, alone: null, usual: null, more: false };
  const form = questionForm(at("#question"), at("#race"), assert.fail, () => {});
  form({ ...failing, question: { ...TABLE.question, asks: [buzz] } }, SEAT);
  assert.equal(at("#race").textContent, "");
});
