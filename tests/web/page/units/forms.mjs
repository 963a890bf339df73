// The question on a phone as approved: real questions of all games, for a seat, the referee or somebody who looks on, and what taps do.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { diary } from "./approve.mjs";
import { tap, tick, types } from "./browser.mjs";
import { Element } from "./dom.mjs";

const page = new URL("../../../../firmware/umpi/web/page/", import.meta.url).href;
const { questionForm } = await import(`${page}form.js`);
const is = assert.deepEqual;
const TABLES = readFileSync(new URL("questions.jsonl", import.meta.url), "utf-8").trim().split("\n").map((line) => JSON.parse(line));

/** Show a question to `me`, tap the buttons with these keys, show a later document at "→", and return what is on the phone and what it has said and sent. */
async function asks(table, me, taps) {
  const [place, below, said] = [new Element("section"), new Element("div"), []];
  document.body.append(place, below);
  const show = questionForm(place, below, (text) => said.push(text), () => said.push("passed"), {
    learn: async (question, verb, given) => ({ ok: true, status: 200, body: { fields: table.learns?.[Object.keys(given).length - 1] ?? [], refusal: table.refuses ?? "" } }),
    act: async (question, act, stamp) => { said.push(`${question} ${JSON.stringify(act)}`); return table.answers ?? { ok: true, status: 200, body: { version: 2 }, error: "" }; },
    keepTime: (own, race) => said.push(`time ${own} ${race}`),
    drafts: { read: () => table.draft ?? null, write: (entry) => entry && said.push(`draft ${JSON.stringify(entry.entered)}`) },
  });
  show({ seen: null, referee: false, version: 1, ...table }, me);
  await tick();
  const later = [...(table.later ?? [])];
  for (const key of taps) {
    if (key === "→") { // the next document
      show({ seen: null, referee: false, version: 1, ...table, ...later.shift() }, me);
      await tick();
      continue;
    }
    const one = [place, below].flatMap((part) => part.querySelectorAll("[data-key]")).find((each) => each.dataset.key === key);
    if (!one) throw new Error(`there is no ${key}`);
    if (one.localName === "input") await types(`[data-key="${key}"]`, "abc");
    else await tap(one);
  }
  place.remove();
  below.remove();
  return [place, below, said];
}

test("forms: each question is shown, and answered, as approved", async () => {
  const book = diary("forms");
  for (const { table, ways } of TABLES) {
    for (const { me, taps } of ways) book.look([table.match?.game ?? "no match", me ? `${me.role} ${me.seat ?? ""}`.trim() : "looks on", ...taps].join(", "), ...(await asks(table, me, taps)));
  }
  book.approve();
});

test("forms: one answer at a time, and none to a question that has just come", async () => {
  const [place, below, sent, drafts] = [new Element("section"), new Element("div"), [], []];
  document.body.append(place, below);
  let reply = null;
  const show = questionForm(place, below, (text) => sent.push(`told ${text}`), () => {}, {
    learn: async () => ({ ok: true, status: 200, body: { fields: [], refusal: "" } }),
    act: (question, act) => { sent.push(`${question} ${JSON.stringify(act)}`); return new Promise((go) => { reply = go; }); },
    keepTime() {}, sees: () => true, drafts: { read: () => null, write: (entry) => drafts.push(entry && entry.entered) },
  });
  const ask = (more) => ({ verb: "roll", text: "Roll", help: "", seat: 1, fields: [], rare: false, referee: false, then: "", secret: false, alone: null, usual: null, more: false, ...more });
  const me = { role: "seat", seat: 1, button: "blue", name: "Ben" };
  const match = { id: 1, game: "toy", players: [{ seat: 0, button: 0, name: "Ann" }, { seat: 1, button: 1, name: "Ben" }], turn: 1, over: null, pieces: {}, moderator: "" };
  const asks = (id, ...some) => ({ version: Number(id.slice(1)), match, question: { id, asks: some, title: "", answered: [], together: [], again: [] }, now: null, seen: null, referee: false });
  const one = (key) => [...place.all()].find((each) => each.dataset.key === key);
  const does = async (key, ...events) => { for (const event of events) one(key).dispatchEvent(event); await tick(); };
  const [finger, click, screenReader] = [{ type: "pointerdown" }, { type: "click", detail: 1 }, { type: "click", detail: 0 }];
  const answered = async (version) => { reply({ ok: true, status: 200, body: { version }, error: "" }); await tick(); };
  show(asks("q1", ask(), ask({ verb: "stop", text: "Stop" })), me);
  one("roll").dispatchEvent(finger);
  show(asks("q2", ask(), ask({ verb: "stop", text: "Stop" })), me);
  await does("roll", click);
  is(sent, [], "the finger went down on the question before");
  one("roll").dispatchEvent({ type: "keydown", key: "Enter" });
  show(asks("q3", ask(), ask({ verb: "stop", text: "Stop" })), me);
  await does("roll", screenReader);
  is(sent, [], "so did the key");
  await does("roll", { type: "keyup", key: "Enter" });
  await new Promise((go) => setTimeout(go));
  await does("roll", screenReader);
  is(sent.splice(0), ['q3 {"do":"roll"}'], "a screen reader has neither");
  is([place.getAttribute("aria-busy"), one("roll").ariaBusy, one("stop").ariaBusy], ["true", "true", null]);
  await does("stop", finger, click);
  is(sent, [], "one answer at a time");
  await answered(3);
  is(place.getAttribute("aria-busy"), "true", "until the next question comes");
  show(asks("q4", ask({ then: "end", fields: [{ name: "n", label: "N", kind: "number", low: 0, high: 3, null: false }] }), ask({ verb: "end", text: "End" })), me);
  is(place.getAttribute("aria-busy"), null);
  await does("n 2", finger, click);
  is([sent, drafts.at(-1)], [[], { n: 2 }]);
  await does("send", finger, click);
  is(sent.splice(0), ['q4 {"do":"roll","n":2}']);
  await answered(5);
  show(asks("q5", ask({ verb: "end", text: "End" })), me);
  await tick();
  is(sent.splice(0), ['q5 {"do":"end"}'], "the act that follows is sent by itself");
  await answered(6);
  show(asks("q6", ask({ then: "end", fields: [{ name: "n", label: "N", kind: "number", low: 0, high: 3, null: false }] })), me);
  await does("n 1", finger, click);
  await does("send open", finger, click);
  await answered(7);
  show(asks("q7", ask({ verb: "end", text: "End" })), me);
  await tick();
  is(sent.splice(0), ['q6 {"do":"roll","n":1}'], "unless it is left open");
  const before = place.firstChild;
  show({ ...asks("q7", ask({ verb: "end", text: "End" })), clock: "1:23" }, me);
  is(place.firstChild === before, true, "the clock moves nothing");
  show({ ...asks("q8"), match: null, question: null }, me);
  is(place.querySelectorAll(".idle").length, 1);
  place.remove();
  below.remove();
});

/** A question form of Ben's phone, whose box answers when the test says so; `sent` has what it sends and tells. */
function phone(learns = () => []) {
  const [place, below, sent, replies] = [new Element("section"), new Element("div"), [], []];
  document.body.append(place, below);
  let draft = null;
  const open = () => questionForm(place, below, (text) => sent.push(text), () => {}, {
    learn: async (question, verb, given) => ({ ok: true, status: 200, body: { fields: learns(question, given), refusal: "" } }),
    act: (question, act) => { sent.push(`${question} ${JSON.stringify(act)}`); return new Promise((go) => replies.push(go)); },
    keepTime() {}, drafts: { read: () => draft && JSON.parse(draft), write: (entry) => { draft = entry && JSON.stringify({ ...entry, opened: [...entry.opened] }); } },
  });
  let show = open();
  const match = { id: 1, game: "toy", players: [{ seat: 0, button: 0, name: "Ann" }, { seat: 1, button: 1, name: "Ben" }], turn: null, over: null, pieces: {}, moderator: "" };
  const one = (key) => [...place.all()].find((each) => each.dataset.key === key);
  return {
    sent, one, place,
    shows: async (id, asks, more) => { show({ version: 1, match: { ...match, ...more }, question: asks && { id, asks, title: "", answered: [], together: [], again: [] }, now: null, seen: null, referee: false }, { role: "seat", seat: 1, button: "blue", name: "Ben" }); await tick(); },
    taps: async (key, at, detail = 1) => { for (const event of [{ type: "pointerdown" }, { type: "click", detail }]) one(key).dispatchEvent({ ...event, timeStamp: at }); await tick(); },
    replies: async (status, error = "") => { replies.shift()({ ok: status === 200, status, body: { version: 2 }, error }); await tick(); },
    reloads: () => { place.replaceChildren(); show = open(); },
    done() { place.remove(); below.remove(); },
  };
}
const ASK = { verb: "score", text: "Score", help: "", seat: null, fields: [], rare: false, referee: false, then: "", secret: false, alone: null, usual: null, more: false };
const seats = (...off) => ({ name: "seat", label: "Who?", kind: "pick", source: "buzz", options: [0, 1].map((value) => ({ value, label: "", words: [""], count: 1, off: off.includes(value) ? "Has scored." : "" })) });
const points = (high) => ({ name: "points", label: "Points", kind: "number", low: -99, high, null: false });

test("forms: what is entered stays while others answer, and what it was sent for counts once", async () => {
  const scores = (high, ...off) => [{ ...ASK, fields: [seats(...off), points(high)] }];
  const { done, one, reloads, replies, sent, shows, taps } = phone();
  const entered = () => one("points").value;
  await shows("q1", scores(99));
  await taps("points 2");
  await shows("q2", scores(99));
  await taps("points 5");
  is([entered(), sent], ["25", []]);
  await taps("send");
  await shows("q3", scores(99)); // another phone was first
  await replies(409, "Too late.");
  is([entered(), sent.splice(0)], ["25", ['q2 {"do":"score","seat":1,"points":25}', "Too late."]]);
  await taps("send");
  await shows("q4", scores(99));
  await replies(200);
  is([entered(), sent.splice(0)], ["", ['q3 {"do":"score","seat":1,"points":25}']], "it was sent");
  await taps("points 7");
  reloads();
  await shows("q5", scores(99));
  is(entered(), "7", "the phone slept, and threw the page away");
  await taps("send");
  await replies(0, "No reply.");
  await shows("q6", scores(99));
  is([entered(), sent.splice(0)], ["", ['q5 {"do":"score","seat":1,"points":7}', "No reply."]], "the box may have it");
  for (const [asks, more] of [[scores(4)], [scores(99, 1)], [[{ ...ASK, verb: "stop" }]], [null]]) {
    await shows("q7", scores(99));
    await taps("points 6");
    await shows("q8", asks, more);
    is([one("send"), sent.splice(0).length], [undefined, 1], "the box asks for it no more, and the phone says so");
  }
  await shows("q9", scores(99));
  await taps("points 6");
  await shows("q9", scores(99), { id: 2 });
  await shows("q10", scores(99), { id: 3 });
  is([entered(), sent], ["", []], "another match");
  done();
});

test("forms: a double tap on an answer is one answer", async () => {
  const pick = { name: "n", label: "N", kind: "number", low: 0, high: 3, null: false };
  const [take, grid] = [[{ ...ASK, verb: "take", seat: 1 }], [{ ...ASK, verb: "hit", seat: 1, fields: [pick] }]];
  const { done, one, replies, sent, shows, taps } = phone();
  const later = (ms) => performance.now() + ms;
  let first = 0; // the answer of another phone delays none
  await shows("q0", take);
  for (const [asks, key, act] of [[take, "take", '{"do":"take"}'], [grid, "n 2", '{"do":"hit","n":2}']]) {
    await shows("q1", asks);
    await taps(key, later(first));
    await shows("q2", asks);
    await replies(200);
    for (const detail of [1, 0]) await taps(key, later(250), detail); // a screen reader clicks without a finger
    is([sent.splice(0), one("send")], [[`q1 ${act}`], undefined]);
    await taps(key, later(401));
    is(sent.splice(0), [`q2 ${act}`], "who answers twice on purpose waits for no longer");
    await replies(200);
    first = 401;
  }
  done();
});

test("forms: of an answer to a question of before, only what is offered stays, and a step of a turn is no other", async () => {
  const counts = (high) => ({ name: "counts", label: "Counts", kind: "each", fields: [0, 1].map((place) => ({ name: String(place), label: "", kind: "number", low: 0, high, null: false })) });
  const sums = (high) => ({ name: "sums", label: "Sums", kind: "number", low: 0, high, null: false });
  const { done, one, sent, shows, taps } = phone((question, given) => ("counts" in given ? [sums(question === "q3" ? 20 : 50)] : []));
  const asks = (high, more) => [{ ...ASK, verb: "sums", more: true, fields: [seats(), counts(high)], ...more }];
  await shows("q1", asks(9));
  await taps("counts 0 5");
  await shows("q2", asks(9));
  await taps("counts 1 4");
  await taps("sums 3");
  await taps("sums 0");
  await shows("q3", asks(9));
  is([one("counts 0 5").ariaPressed, one("counts 1 4").ariaPressed, one("sums").value, sent.splice(0).length], ["true", "true", "", 1]);
  await taps("send");
  is(sent.splice(0), ["Not answered yet: Sums"]);
  await shows("q4", asks(3));
  is([one("send"), one("counts 0 3").ariaPressed, sent.splice(0).length], [undefined, null, 1]);
  const turn = { verb: "throw", seat: 1, then: "end" };
  await shows("q5", asks(9, turn));
  await taps("counts 0 5");
  await shows("q6", asks(9, turn));
  is([one("counts 0 5").ariaPressed, sent], ["true", []]);
  await shows("q7", asks(8, turn));
  is([one("send"), sent.length], [undefined, 1], "the next throw");
  done();
});

test("forms: one tap is enough for one small field, and a seat's own answer is there before it", async () => {
  const option = (value) => ({ value, label: String(value), words: [String(value)], count: 1, off: "" });
  const [options, me] = [[0, 1, 2].map(option), { role: "seat", seat: 1, button: "blue", name: "Ben" }];
  const match = { id: 1, game: "toy", players: [{ seat: 0, button: 0, name: "Ann" }, { seat: 1, button: 1, name: "Ben" }], turn: 1, over: null, pieces: {}, moderator: "" };
  const some = (least, most) => ({ name: "n", label: "N", kind: "some", least, most, options });
  const number = (high, name = "n") => ({ name, label: "N", kind: "number", low: 0, high, null: false });
  const pick = (name) => ({ name, label: "N", kind: "pick", options });
  for (const [title, outcome, fields, key, more] of [
    ["a pick", '{"n":2}', [pick("n")], "n 2"], ["a list of one", '{"n":[2]}', [some(1, 1)], "n 2"], ["one or two", "pressed", [some(1, 2)], "n 2"],
    ["none or one", "pressed", [some(0, 1)], "n 2"], ["two", "pressed", [some(2, 2)], "n 2"], ["up to 12", '{"n":2}', [number(12)], "n 2"], ["up to 13", "", [number(13)], "n 2"],
    ["an act that follows", "pressed", [pick("n")], "n 2", { then: "end" }], ["an ask that more follows", '{"n":2}', [pick("n")], "n 2", { more: true }],
    ["two fields", "there is no m 2", [pick("n"), number(3, "m")], "m 2"], ["the seat and a field", '{"seat":1,"m":2}', [pick("seat"), number(3, "m")], "m 2"],
    ["a number called seat and a field", "there is no m 2", [number(3, "seat"), number(3, "m")], "m 2"], ["another seat", "Only that player’s phone can do this.", [pick("seat")], "seat 2"],
    ["a seat that is not among them", "there is no m 2", [{ ...pick("seat"), options: [options[0], options[2]] }, number(3, "m")], "m 2"],
    ["a seat that may not now", "there is no m 2", [{ ...pick("seat"), options: [options[0], { ...options[1], off: "Out." }] }, number(3, "m")], "m 2"],
    ["of a hand of this seat", '{"n":2}', [pick("n")], "n 2", { alone: 1 }], ["of a hand of another", "there is no n 2", [pick("n")], "n 2", { alone: 0 }],
  ]) {
    const ask = { verb: "roll", text: "Roll", help: "", seat: 1, fields, rare: false, referee: false, then: "", secret: false, alone: null, usual: null, more: false, ...more };
    const table = { match, question: { id: "q1", asks: [ask], title: "", answered: [], together: [], again: [] }, now: null };
    const [place, , told] = await asks(table, me, [key]).catch((fault) => [null, null, [fault.message]]);
    const said = told.filter((one) => !/^time|^draft/.test(one)).map((one) => one.replace('q1 {"do":"roll",', "{"));
    is(said.join() || (place.querySelector('[aria-pressed="true"]') ? "pressed" : ""), outcome, title);
  }
});
