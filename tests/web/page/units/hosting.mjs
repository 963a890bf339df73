// How a match begins, as approved: who plays, by which rules, who joins with which phone, and what this phone may do.

import assert from "node:assert/strict";
import { test } from "node:test";

import { at, answer, ANSWERS, tap, tick, types } from "./browser.mjs";
import { Element } from "./dom.mjs";
import { copy, load, MATCH, PLAYERS, REFEREE, refuses, SEAT, stage, TABLE, within } from "./stage.mjs";

const IDLE = { ...TABLE, match: null, question: null };
const OVER = { ...MATCH, over: { winners: [1], places: [2, 1, 2], why: "Enough.", together: false }, turn: null };

test("start.js: after the start, the focus goes to the question", async () => {
  answer(ANSWERS);
  const { startView } = await load("start");
  const { make } = await load("make");
  const { place } = stage("start");
  const show = startView(place, () => {});
  show(IDLE, REFEREE);
  await tick();
  place.querySelector("[data-key=start]").focus();
  const asks = make("h2", { tabindex: -1 }, "Roll");
  const question = make("section", { id: "question" }, asks);
  at("main").append(question);
  show(TABLE, REFEREE);
  assert.equal(document.activeElement, asks);
  question.remove();
  place.remove();
});

test("start.js: a match is started, left, resumed and played again", async (context) => {
  answer(ANSWERS);
  answer({ "api/names": [200, { names: ["Ann", "Zoé"] }], "api/start": [200, {}] });
  const { startView } = await load("start");
  const { place, look, tell, done } = stage("start");
  context.mock.method(Math, "random", () => 0.99);
  const show = startView(place, tell);
  const touch = within(place);
  const shows = async (table, me) => { show(table, me); await tick(); };
  const options = () => { for (const fold of place.querySelectorAll("details")) fold.open = true; };
  await shows(IDLE, null);
  look("somebody looks on");
  await shows({ ...IDLE, joined: [{ button: 1, name: "Ben" }, { button: 5, name: "Flo" }] }, SEAT);
  look("two have joined");
  refuses("api/games", "Not ready.");
  await shows(IDLE, REFEREE);
  look("no games");
  answer({ "api/games": ANSWERS["api/games"] });
  await touch("retry");
  options();
  look("the form");
  await touch("start");
  look("started as last time");
  await tap("[data-key='game dodeka']");
  await touch("start");
  await types("[data-key='name 3']", " Greta ");
  await types("[data-key='level 2']", "medium");
  await types("[data-key='name 1']", "BLUE");
  await tap("[data-key='plays 0']");
  await types("select[name=first]", "green");
  const fields = place.querySelector(".options").querySelectorAll("input, select");
  const fill = async (one, value) => { one.value = value; one.dispatchEvent({ type: "input" }); one.dispatchEvent({ type: "change" }); await tick(); };
  await fill(fields[0], "800");
  await fill(fields[2], "");
  await fill(place.querySelectorAll(".places input")[1], "7");
  options();
  await touch("start");
  look("own rules, another first player, and Umpi plays");
  const choice = place.querySelectorAll(".options select, .experiments select")[0];
  choice.selectedIndex = 1;
  choice.dispatchEvent({ type: "change", target: choice });
  await touch("start");
  await tap("[data-key='rules ']");
  await types("select[name=first]", "random");
  refuses("api/start", "No card is there.");
  await touch("start");
  options();
  look("by the sheet, at random");
  await tap("[data-key='game dohdles']");
  await types("[data-key=moderator]", "Mo");
  await shows({ ...IDLE, joined: [{ button: 4, name: "Wanda" }, { button: 3, name: "not over what was entered" }] }, REFEREE);
  await touch("start");
  options();
  look("a moderator, and a player who has joined");
  document.documentElement.lang = "de";
  await shows({ ...IDLE, joined: [] }, REFEREE);
  const entered = () => [...place.querySelector("form.start").elements].map((one) => `${one.dataset.key ?? one.name}: ${["checkbox", "radio"].includes(one.type) ? one.checked : one.value}`).filter((line) => !line.endsWith(": "));
  look("the same form in another language", entered());
  document.documentElement.lang = "en";
  await shows({ ...IDLE, joining: [{ claim: 3, button: 0, name: "Ed", instead: false }], joined: [{ button: 4, name: "Wanda" }] }, REFEREE);
  look("phones ask", place.querySelector(".hosting"));
  await shows({ ...TABLE, raced: true }, REFEREE);
  look("in play");
  refuses("api/seat", "Not now.");
  await types("[data-key='occupy 1']", "strong");
  answer({ "api/seat": [200, {}] });
  await types("[data-key='occupy 2']", "easy");
  await types("[data-key='occupy 2']", "person");
  look("seats are given to the box");
  for (const each of place.querySelectorAll("button").filter((one) => one.dataset.key && one.dataset.key !== "slow")) await tap(each);
  look("each button once");
  for (const each of place.querySelectorAll("button")) await tap(each);
  look("each button again");
  await shows({ ...TABLE, match: { ...MATCH, empty_seat: "Hands are hidden.", players: [...PLAYERS].reverse() } }, REFEREE);
  look("no seat can be given away");
  for (const [who, me] of [["the referee", REFEREE], ["a seat", SEAT], ["somebody", null]]) {
    await shows({ ...TABLE, match: OVER }, me);
    look(`after a match: ${who}`);
    if (me === REFEREE) {
      answer({ "api/rematch": [200, {}], "api/leave": [200, {}] });
      for (const each of place.querySelectorAll("button")) await tap(each);
      refuses("api/rematch", "No.");
      for (const each of place.querySelectorAll("button")) await tap(each);
      look("its buttons");
    }
    await shows(TABLE, me);
  }
  look("a match in play is nobody else's");
  const won = (hour) => ({ over: { winners: [0] }, winners: [0], ended: `2026-01-02T${hour}:00:00Z`, players: PLAYERS });
  answer({ "api/matches": [200, [won(20), won(19)]] });
  await shows({ ...TABLE, match: { ...OVER, id: 70 } }, SEAT);
  look("after the second match of an evening");
  show({ ...TABLE, match: { ...OVER, id: 71 } }, SEAT);
  await shows(TABLE, SEAT);
  look("the next one has begun before the box has answered");
  const past = copy(ANSWERS["api/matches"]);
  past[1] = [9, 8, 7, 6, 5].map((id) => ({ ...past[1][0], id, over: null, ended: null, open: true, winners: [] }));
  answer({ "api/matches": past, "api/resume": [409, { error: "Its rules are gone." }] });
  await shows(IDLE, REFEREE);
  look("matches that can be resumed", ...place.querySelectorAll("details"));
  for (const each of place.querySelectorAll("button").filter((one) => one.dataset.key?.startsWith("resume"))) await tap(each);
  look("none of them", place.firstElementChild.firstElementChild);
  const offer = copy(ANSWERS["api/games"]);
  offer[1].last = null;
  offer[1].games[1].seats = [4, 5, 6];
  [offer[1].games[0].options, offer[1].games[1].chooses_first] = [[], false];
  answer({ "api/games": offer });
  await shows({ ...TABLE, raced: true }, REFEREE);
  await shows(IDLE, REFEREE);
  const names = () => `${place.querySelectorAll(".players li input[type=checkbox]").map((one) => one.checked).join(" ")}, one ${place.querySelector("select[name=first]").closest("label").hidden ? "plays" : "begins"}`;
  const sitting = [names(), `${place.querySelectorAll("details.options").length} folds of options, because there are none`];
  await tap(`[data-key='game ${offer[1].games[1].game}']`);
  sitting.push(names());
  await tap(`[data-key='game ${offer[1].games[0].game}']`);
  sitting.push(names());
  for (const button of [3, 2, 1, 3]) {
    await tap(`[data-key='plays ${button}']`);
    sitting.push(names());
  }
  await tap(`[data-key='game ${offer[1].games[1].game}']`);
  look("nobody has played yet: as many play as the game needs, until somebody chooses", [...sitting, names()]);
  done();
});

test("start_evening.js: who has won how often this evening", async () => {
  const { evening } = await load("start_evening");
  const match = (hour, winners, more = {}) => ({ over: { winners }, winners, ended: `2026-01-02T${String(hour).padStart(2, "0")}:00:00Z`, players: PLAYERS, ...more });
  const rows = (...matches) => evening(matches)?.querySelectorAll("li").map((one) => one.textContent);
  assert.deepEqual(rows(match(20, [0])), undefined);
  assert.deepEqual(rows(match(20, [0]), match(7, [1])), undefined, "thirteen hours before");
  assert.deepEqual(rows(match(20, [0]), match(8, [1])), undefined, "twelve hours before is another evening");
  assert.deepEqual(rows(match(20, [0]), match(9, [1]), match(19, [], { over: null }), match(19, [1], { ended: null })), ["Ann1 of 2 won", "Ben1 of 2 won", "Cy0 of 2 won"]);
  assert.deepEqual(rows(match(20, [2]), match(19, [2, 0]), match(18, [2], { players: PLAYERS.slice(1) })), ["Cy3 of 3 won", "Ann1 of 2 won", "Ben0 of 3 won"]);
});

test("pairing.js, joining.js and card.js: what this phone is", async () => {
  const { pairingView, seated, unnamed } = await load("pairing");
  const { showJoining } = await load("joining_code");
  const { place, look, tell, done } = stage("pairing");
  let changed = 0;
  const { show, pair } = pairingView(place, tell, async () => { changed += 1; });
  const touch = within(place);
  const shows = async (...now) => { show(...now); await tick(); };
  answer({ "api/names": [200, { names: ["Ann", "Zoé"] }] });
  await shows(null, "", null);
  look("before a document");
  await shows(null, "", { ...IDLE, referee: true });
  look("a phone that is not paired");
  await types("[name=code]", "12 34");
  await touch("pair");
  look("four digits");
  await types("[name=code]", "123 456");
  refuses("api/pair", "Wrong code.");
  await touch("pair");
  look("a wrong code", document.activeElement);
  answer({ "api/pair": [200, {}] });
  await Promise.all([pair("654321"), pair("654321")]);
  look(`paired once, ${changed}`);
  const joining = { ...TABLE, joining: [{ claim: 4, button: 3, name: "Ed", instead: false }], joined: [{ button: 1, name: "Ben" }] };
  await shows(null, "", joining);
  look("joining is open");
  await tap("[data-key='seat 0']");
  await types("form.join [name=name]", "Ed");
  answer({ "api/join": [200, {}] });
  await tap("[data-key='seat 0']");
  look(`asks for a seat, ${changed}`);
  await tap("[data-key='seat 1']");
  look("a seat that somebody has");
  await touch("second");
  refuses("api/join", "Too many.");
  await touch("instead");
  await touch("another");
  look("another colour");
  await shows(null, "", { ...joining, match: null, joined: [] });
  look("joining before a match");
  await types("form.join [name=name]", "");
  await shows(null, "", joining);
  await types("form.join [name=name]", " ");
  await tap("[data-key='seat 1']");
  look("without a name nobody replaces");
  await shows(null, 4, joining);
  look("waits");
  await touch("another");
  look("wants another seat");
  await shows(null, 5, { ...joining, joining: [{ ...joining.joining[0], claim: 5 }] });
  answer({ "api/withdraw": [409, { error: "Gone." }] });
  location.hash = "#pair";
  await touch("cancel");
  look(`does not join, ${changed}, ${location.hash}`);
  await shows(SEAT, "", joining);
  look("plays");
  await types("form.name [name=name]", "Benno");
  refuses("api/name", "Taken.");
  await touch("rename");
  answer({ "api/name": [200, {}] });
  location.hash = "";
  await touch("rename");
  look(`renamed, ${changed}, ${location.hash}`);
  refuses("api/unpair", "Not paired.");
  await touch("unpair");
  look("sure?", place.querySelector(".confirm"));
  await tap(place.querySelectorAll(".confirm button").at(-1));
  await touch("unpair");
  await touch("yes unpair");
  look(`stops, ${changed}`, place.querySelector(".confirm"));
  await shows({ ...SEAT, name: "blue" }, "", joining);
  look("has no name yet");
  const card = { stage: "idle", title: "", text: "", percent: null, agree: "" };
  await shows(REFEREE, "", { ...joining, card });
  look("the referee");
  answer({ "api/joining": [409, { error: "No." }], "api/admit": [409, { error: "Left." }], "api/card": [409, { error: "No stick." }], "api/card-agree": [200, {}] });
  for (const name of ["admit 4", "refuse 4", "close joining", "card update from stick", "card restore"]) await touch(name);
  look("what the referee has tapped", new Element("p"));
  for (const [nth, work] of [{ stage: "busy", title: "Update", text: "Copies.", percent: 40 }, { stage: "asks", title: "Update", text: "Version 2?", agree: "update now" }, { stage: "failed", title: "Update", text: "Torn." }, null].entries()) {
    await shows(REFEREE, "", { ...IDLE, card: work && { ...card, ...work }, joining: nth === 3 ? null : [] });
    look(`the card, ${nth}`, ...place.querySelectorAll(".card-work, .hosting"));
  }
  const idle = { task: "look", stage: "idle", text: "", percent: null, looks: 0 };
  const owls = { shelf: "https://a.example", game: "owls", title: "Night owls", version: "0.2", installed: "", newer: false, expands: "", players: [2, 6], minutes: 0.4, equal: true, languages: ["en", "de"], licence: "MIT", check: ["1 game"] };
  const games = [owls, { ...owls, game: "late", title: "Late hour", expands: "Night owls", installed: "0.1", newer: true, players: [3, 3], minutes: 25, equal: false, licence: "", check: [] },
    { ...owls, game: "old", title: "Old", shelf: "", version: "", installed: "0.1", players: [0, 0], minutes: null, equal: null, languages: [] }];
  const shelves = [{ where: "https://a.example", key: "ab cd", trouble: "" }, { where: "https://b.example", key: "ef", trouble: "no reply" }];
  const works = async (work) => { await shows(REFEREE, "", { ...IDLE, card: { ...card, text: "Beside shelves." }, shelf: { ...idle, ...work } }); await tick(); };
  answer({ "api/shelf-games": [200, { shelves: [], games: [] }], "api/shelf": [200, {}] });
  for (const [title, work] of [["never read", { task: null }], ["read, none", { looks: 1 }]]) {
    await works(work);
    look(`shelves: ${title}`);
  }
  answer({ "api/shelf-games": [200, { shelves, games }] });
  for (const [title, work] of [["games", { looks: 2 }], ["busy", { looks: 2, stage: "busy", text: "Reads.", percent: 40 }], ["failed", { looks: 2, stage: "failed", text: "No network." }]]) {
    await works(work);
    look(`shelves: ${title}`);
  }
  for (const key of ["install https://a.example late", "remove late", "forget https://b.example"]) {
    await touch(key);
    await touch(`yes ${key}`);
  }
  await touch("look");
  look("shelves: an expansion is brought up to date and removed, the shelves are read", new Element("p"));
  const asks = { ...card, stage: "asks", title: "Update", text: "Version 3?", agree: "update now" };
  await shows(REFEREE, "", { ...IDLE, card: asks });
  await touch("card later");
  look("not now", place.querySelector(".card-work"));
  await shows(REFEREE, "", { ...IDLE, card: asks });
  look("not now either", place.querySelector(".card-work"));
  await touch("card update from stick");
  look("asked again", place.querySelector(".card-work"));
  await touch("card later");
  await shows(REFEREE, "", { ...IDLE, card: { ...asks, text: "Version 4?" } });
  look("another question", place.querySelector(".card-work"));
  await shows(REFEREE, "", { ...IDLE, joining: null });
  await tap(place.querySelectorAll("button").find((one) => one.dataset.key === "open joining"));
  look("opens joining");
  done();

  const code = stage("joining");
  for (const [name, table] of Object.entries({ idle: IDLE, open: { ...IDLE, joining: [] }, asked: joining, play: TABLE, "empty in play": { ...TABLE, joining: [] } })) {
    showJoining(code.place, table);
    code.look(name);
  }
  location.host = "localhost:8000";
  showJoining(code.place, { ...IDLE, joining: [{ claim: 1, button: 0, name: "X" }] });
  code.look("on a computer");
  location.host = "box.local:8000";
  code.done();

  assert.deepEqual(seated({ role: "seat", button: "blue", name: "blue" }, TABLE), { role: "seat", button: "blue", name: "Ben", seat: 1 });
  assert.deepEqual(seated({ role: "seat", button: "white", name: "white" }, { ...TABLE, joined: [{ button: 4, name: "Wanda" }] }), { role: "seat", button: "white", name: "Wanda", seat: null });
  assert.deepEqual(seated({ role: "seat", button: "white", name: "x" }, { ...IDLE, joined: [] }), { role: "seat", button: "white", name: "x", seat: null });
  assert.deepEqual([seated({ role: "seat", button: "red", name: "x" }, null), seated(null, TABLE), seated(REFEREE, TABLE)], [{ role: "seat", button: "red", name: "x", seat: null }, null, REFEREE]);
  assert.deepEqual([unnamed({ role: "seat", button: "blue", name: "BLUE" }), unnamed(SEAT), unnamed(REFEREE)], [true, false, false]);
});

test("hint.js, headphone.js and speech.js: what is said on request", async () => {
  const { hintView } = await load("hint");
  const { headphoneView } = await load("headphone");
  const { speaker } = await load("speech");
  const { place, look, tell, done } = stage("said");
  const touch = within(place);
  const hint = hintView(place, tell);
  const asks = [{ verb: "roll" }];
  const table = { ...TABLE, hint: { for: ["referee"], text: "" }, question: { id: "q", asks } };
  for (const [name, one, me] of [["offered", table, SEAT], ["asked", table, REFEREE], ["come", { ...table, hint: { for: ["blue"], text: "Take it." } }, SEAT], ["for nobody", table, null], ["over", { ...table, match: OVER }, SEAT], ["nothing asked", { ...table, question: { id: "q", asks: [] } }, SEAT], ["a race", { ...table, match: { ...MATCH, turn: null } }, SEAT]]) {
    hint(one, me);
    look(`hint: ${name}`);
  }
  hint(table, SEAT);
  refuses("api/hint", "Not yet.");
  await touch("hint");
  look("hint: refused");
  place.replaceChildren();
  const alone = headphoneView(place, tell);
  for (const [name, one, me] of [["its seat", TABLE, SEAT], ["another seat", TABLE, { ...SEAT, seat: 0 }], ["no match", IDLE, SEAT], ["the referee", TABLE, REFEREE], ["its seat again", TABLE, SEAT]]) {
    alone(one, me);
    look(`headphone: ${name}`);
  }
  refuses("api/hand", "Nothing.");
  await touch("headphone");
  answer({ "api/hand": [200, { texts: ["Fire 2", "", "Water 3"] }] });
  await touch("headphone");
  globalThis.speechSynthesis.speaking = true;
  await touch("headphone");
  globalThis.speechSynthesis.speaking = false;
  look("headphone: spoken and silenced");
  const { getVoices } = globalThis.speechSynthesis;
  globalThis.speechSynthesis.getVoices = () => [{ lang: "de-DE" }];
  await touch("headphone");
  look("headphone: no voice");
  globalThis.speechSynthesis.getVoices = getVoices;
  place.replaceChildren();

  const [toggle, where] = [new Element("button"), new Element("button")];
  place.append(toggle, where);
  const hear = speaker(toggle, where, tell);
  const now = (voice, more = {}) => ({ ...TABLE, now: { text: "x", seat: 1, voice }, ...more });
  await tap(where);
  look("nothing is heard yet");
  hear(now("Ben rolls."), null);
  await tap(toggle);
  look("aloud: what is asked");
  hear(now("Ben rolls."), { calls: [] });
  hear(now("Cy rolls."), { calls: ["Bust!", ""] });
  await tick();
  look("aloud: calls and the next question");
  hear(now("", { doubt: { text: "Who was first?" } }), null);
  await tick();
  hear(now("", { match: { ...MATCH, over: { winners: [1] } } }), { calls: ["Ben wins."] });
  await tick();
  await tap(where);
  look("aloud: a doubt, and the end");
  for (const [nth, match] of [{ ...MATCH, ranks: null, scores: [null, 2, 3] }, { ...MATCH, over: { winners: [0, 2] } }, { ...MATCH, over: { winners: [] } }].entries()) {
    hear({ ...now("Go."), match }, null);
    await tick();
    await tap(where);
    look(`where are we, ${nth}`);
  }
  await tap(toggle);
  look("silent", { localName: "" , data: localStorage.getItem("umpi aloud") });
  const voices = globalThis.speechSynthesis.getVoices;
  globalThis.speechSynthesis.getVoices = () => [{ lang: "de-DE" }];
  await tap(toggle);
  look("no voice", { localName: "", data: localStorage.getItem("umpi aloud") });
  globalThis.speechSynthesis.getVoices = () => [{ lang: "en-US", name: "b" }, { lang: "en_GB", name: "c", localService: true }];
  const { voice, utter } = await load("voice");
  assert.equal((await voice()).name, "c");
  globalThis.speechSynthesis.getVoices = () => [{ lang: "en-US", name: "b" }, { lang: "en", name: "c", localService: true }, { lang: "EN", name: "d", default: true }];
  assert.equal((await voice()).name, "d");
  globalThis.speechSynthesis.getVoices = voices;
  const refused = [];
  const spoken = [];
  const speak = globalThis.speechSynthesis.speak;
  globalThis.speechSynthesis.speak = (one) => spoken.push(one);
  utter(["a", "", "b"], { lang: "en-GB" }, () => refused.push("refused"));
  for (const error of ["interrupted", "not-allowed"]) {
    refused.push(error);
    spoken[1].refuse({ error });
  }
  globalThis.speechSynthesis.speak = speak;
  assert.deepEqual([spoken.map(({ text, lang }) => [text, lang]), refused], [[["a", "en-GB"], ["b", "en-GB"]], ["interrupted", "not-allowed", "refused"]]);
  done();
});
