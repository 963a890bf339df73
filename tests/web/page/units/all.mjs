// What the modules of the page work out by themselves. A document without a browser is in dom.mjs.

import assert from "node:assert/strict";
import { test } from "node:test";

import { box, Element, shown } from "./dom.mjs";

const page = new URL("../../../../firmware/umpi/web/page/", import.meta.url).href;
const load = (name) => import(`${page}${name}.js`);
const is = assert.deepEqual;

const PLAYERS = [{ seat: 0, button: 0, name: "Ann" }, { seat: 1, button: 1, name: "Ben" }, { seat: 2, button: 3, name: "Cy" }];
const MATCH = {
  id: 7, game: "toy", title: "Toy", kind: "", acts: 3, players: PLAYERS, scores: [5, 9, 5], beside: ["", "+2", "0"], pieces: {}, rows: [], head: "",
  ranks: [2, 1, 2], turn: 1, over: null, hidden: false, live: false, moderator: "", private: [1],
};
const seat = (number) => ({ role: "seat", seat: number, button: ["red", "blue", "green"][number] });
const REFEREE = { role: "referee" };
const pick = (options, source) => ({ kind: "pick", source, options });
const ask = (more) => ({ text: "Roll", fields: [], seat: null, rare: false, referee: false, more: false, ...more });
const asking = (...asks) => ({ id: 4, asks, title: "Whole", answered: [], together: [], again: [] });

test("words.js: texts in the language of the box, plurals, pieces and lists", async () => {
  box.answers["api/words"] = [200, JSON.stringify({ language: "de", words: { Hello: "Hallo", "{a} and {b}": "{b} und {a}" } })];
  const { figure, learn, listed, pieces, say, sayAll, sayN, spoken } = await load("words");
  is(say("Hello"), "Hallo");
  is(spoken(), "de");
  is(say("{a} and {b}", { a: 1, b: "" }), " und 1");
  is(say("{who} stays"), "{who} stays");
  is(pieces("{a} and {b}", { a: [1], b: [2] }), ["", [2], " und ", [1], ""]);
  is(listed([["A"], ["B"], ["C"]]).join(""), "A, B und C");
  is(figure(1234.55, 1), "1234,6");
  is([sayN("{number} card", "{number} cards", 1), sayN("{number} card", "{number} cards", 2)], ["1 card", "2 cards"]);
  const [text, label, plain] = ["p", "p", "p"].map((name) => new Element(name));
  text.append("Hello");
  text.dataset.say = "";
  label.setAttribute("aria-label", "Hello");
  label.append("Hello");
  plain.append("Hello");
  const root = { querySelectorAll: () => [text, label] };
  sayAll(root);
  is([text.textContent, label.textContent, label.getAttribute("aria-label"), text.hasAttribute("aria-label")], ["Hallo", "Hello", "Hallo", false]);
  box.answers["api/words"] = [404, ""];
  is(await learn(), false);
  box.answers["api/words"] = new Error("gone");
  is(await learn(), false);
  is(say("Hello"), "Hallo", "a box that does not answer changes nothing");
  box.answers["api/words"] = [200, JSON.stringify({ language: "en", words: {} })];
  is(await learn(), true);
  sayAll(root);
  is([text.textContent, label.getAttribute("aria-label")], ["Hello", "Hello"]);
});

test("seats.js: colours, marks and names", async () => {
  const { called, mark, nameOf } = await load("seats");
  is([0, 1, 2, 3, 4, 5].map(nameOf), ["red", "blue", "yellow", "green", "white", "black"]);
  is([0, 1, 2, 3, 4, 5].map((button) => shown(mark(button))), [
    "<span.mark.red>●</>", "<span.mark.blue>■</>", "<span.mark.yellow>▲</>", "<span.mark.green>◆</>", "<span.mark.white>○</>", "<span.mark.black>✕</>",
  ]);
  is(mark(2).getAttribute("aria-hidden"), "true");
  is([mark(null), mark(undefined)], [null, null]);
  is(shown(called(PLAYERS, 2)), "<span.mark.green>◆</><span.name>Cy</>");
  is(called(PLAYERS, 9), []);
});

test("buzzer.js: which ask is a race, and who may press", async () => {
  const { isOpen, mayPress, raceOf } = await load("buzzer");
  const option = (value, off = "") => ({ value, off });
  const buzz = ask({ fields: [pick([option(0, "You are out."), option(1)], "buzz")] });
  const cube = ask({ fields: [pick([option(0)], "cube")] });
  is(raceOf([ask(), cube, buzz]), buzz);
  is(raceOf([ask(), cube]), cube);
  is(raceOf([{ ...cube, rare: true }]), undefined);
  is(raceOf([{ ...buzz, rare: true }]).fields, buzz.fields);
  is(raceOf([{ ...buzz, more: true }, { ...buzz, fields: [...buzz.fields, ...buzz.fields] }]), undefined);
  is([isOpen(buzz), isOpen(undefined), isOpen(ask({ fields: [pick([option(null)], "buzz")] })), isOpen(ask({ fields: [pick([option(0, "no")], "buzz")] }))], [true, false, false, false]);
  is([mayPress(buzz, 0), mayPress(buzz, 1), mayPress(buzz, 2), mayPress(undefined, 0)], [false, true, false, false]);
});

test("buzzer.js: what a press has become", async () => {
  const { showBuzzer } = await load("buzzer");
  const race = ask({ fields: [pick([{ value: 0, off: "" }, { value: 1, off: "Locked out." }], "buzz")] });
  const at = (me, { seen, race: of = race, busy = false, late = false } = {}) => {
    const [place, pressed] = [new Element("div"), []];
    showBuzzer(place, { match: MATCH, seen }, me, of, { busy, late }, (one) => pressed.push(one));
    return { button: place.firstChild, pressed, text: shown(place.firstChild.childNodes.slice(1)), names: place.firstChild.names() };
  };
  const order = [{ seat: 1, name: "Ben" }, { seat: 0, name: "Ann" }];
  is(at(seat(0)).text, "<span.what>Buzz!</>");
  is(at(seat(1)).text, "<span.what></><span.why>Locked out.</>");
  is(at(seat(2)).text, "<span.what></><span.why>Not now.</>");
  is(at(seat(0), { busy: true }).text, "<span.what>Pressed …</>");
  is(at(seat(0), { late: true }).text, "<span.what>Too late</>");
  is(at(seat(0), { seen: { order } }).text, "<span.what>Too late: Ben was first</>");
  is(at(seat(1), { seen: { order } }).text, "<span.what>First!</><span.why>Locked out.</>");
  is(at(seat(0), { seen: { order: [order[0], { ...order[1], close: true }] } }).text, "<span.what>Too close to call</>");
  is([at(seat(0)).names, at(seat(0), { seen: { order } }).names], [["hit", "red"], ["hit", "red", "after"]]);
  is(at(seat(1)).button.getAttribute("aria-disabled"), "true");
  is([at(seat(0)).button.hasAttribute("aria-disabled"), at(seat(0)).button.hasAttribute("aria-busy")], [false, false]);
});

test("buzzer.js: one touch, one key and one click each press once", async () => {
  const { showBuzzer } = await load("buzzer");
  const race = ask({ fields: [pick([{ value: 0, off: "" }, { value: 1, off: "no" }], "buzz")] });
  const presses = async (me, does, how = { busy: false, late: false }) => {
    const [place, pressed] = [new Element("div"), []];
    showBuzzer(place, { match: MATCH, seen: null }, me, race, how, (one) => pressed.push(one));
    await does(place.firstChild);
    return pressed.length;
  };
  const felt = [];
  Object.defineProperty(globalThis, "navigator", { value: { vibrate: (ms) => felt.push(ms) }, configurable: true });
  const touch = (button) => button.happens("pointerdown", { isPrimary: true, button: 0 });
  is(await presses(seat(0), touch), 1);
  is(await presses(seat(1), touch), 0);
  is(await presses(seat(0), touch, { busy: true, late: false }), 0);
  is(await presses(seat(0), touch, { busy: false, late: true }), 0);
  is(await presses(seat(0), (button) => button.happens("pointerdown", { isPrimary: false, button: 0 })), 0);
  is(await presses(seat(0), (button) => button.happens("pointerdown", { isPrimary: true, button: 2 })), 0);
  is(await presses(seat(0), (button) => button.happens("keydown", { key: "Enter", repeat: false })), 1);
  is(await presses(seat(0), (button) => button.happens("keydown", { key: " ", repeat: true })), 0);
  is(await presses(seat(0), (button) => button.happens("keydown", { key: "x", repeat: false })), 0);
  is(await presses(seat(0), (button) => button.happens("click", { detail: 0 })), 1);
  is(await presses(seat(0), (button) => button.happens("click", { detail: 1 })), 0);
  is(felt, [40, 40, 40], "a press that counts is felt");
});

test("sentence.js: what a phone says at the top of a question", async () => {
  const { barred, sentence, titleOf } = await load("sentence");
  const says = (table, me, mine = [], race = false) => {
    const said = sentence({ match: MATCH, referee: false, now: { text: "Now" }, ...table }, me, mine, race);
    return said && shown(said);
  };
  const judged = asking(ask({ referee: true, seat: 1, text: "Right?" }));
  is(says({ question: judged }, null), "Now");
  is(says({ question: judged, now: null }, REFEREE), "Right?");
  is(says({ question: judged }, seat(1)), "Ben, say your answer, then judge it together at the box.");
  is(says({ question: judged, referee: true }, seat(1)), "Ben, say your answer: the referee judges it on their phone.");
  is(says({ question: judged }, seat(0)), "<span.mark.blue>■</><span.name>Ben</> answers. Judge it together at the box.");
  is(says({ question: judged, referee: true }, seat(0)), "<span.mark.blue>■</><span.name>Ben</> answers, and the referee judges on their phone.");
  const moderated = { ...MATCH, moderator: "Di" };
  is(says({ question: judged, match: moderated }, seat(1)), "Ben, say your answer: Di judges it.");
  is(says({ question: judged, match: moderated }, seat(0)), "<span.mark.blue>■</><span.name>Ben</> answers, and Di judges.");
  is(says({ question: asking(ask({ referee: true })) }, seat(0)), null);
  is(says({ question: { ...asking(ask({ seat: 0 })), answered: [0] } }, seat(0)), "Ann, you have answered. You can change your answer until all have answered.");
  const again = { ...asking(ask({ secret: true })), again: [0] };
  is(says({ question: again }, seat(0)), "Ann: answer again. The rules do not allow this answer beside the others.");
  const team = { ...asking(ask({ seat: 0 })), answered: [0], together: [[1, 2], [0, 3]] };
  is(says({ question: team }, seat(0)), "Ann, your team has answered. You can change its answer until all have answered.");
  is(says({ question: { ...team, together: [[1, 2]] } }, seat(0)), "Ann, you have answered. You can change your answer until all have answered.");
  is(says({ question: { ...team, answered: [1] } }, seat(0)), null);
  const own = ask({ seat: 0, text: "Which bid?", secret: true });
  is(says({ question: asking(own, ask({ seat: 1, text: "Pass" })) }, seat(0), [own]), "Ann: Which bid?");
  is(says({ question: asking(ask({ seat: 0 })) }, seat(0), [ask({ seat: 0 })]), "Now");
  is(says({ question: asking(ask({ seat: 0 })), now: null }, seat(0), [], true), "Roll");
  is(says({ question: asking(ask({ seat: 1 })) }, seat(0)), null);
  is(titleOf(asking()), "Whole");
  is(titleOf(asking(ask({ rare: true }))), "Whole");
  is(titleOf(asking(ask(), ask({ text: "Stop" }), ask({ text: "Pass" }))), "Roll, Stop or Pass");
  is(titleOf(asking(ask(), ask({ text: "Which card?" }))), "Which card?");
  const closed = pick([{ value: 0, off: "Not yours." }], "buzz");
  is(titleOf(asking(ask({ fields: [closed] }), ask({ text: "Stop" }))), "Stop");
  is(titleOf(asking(ask({ fields: [closed] }))), "Roll");
  is(titleOf(asking(ask({ fields: [pick([{ value: 0, off: "" }], "buzz")] }))), "Buzz now!");
  is(titleOf(asking(ask({ fields: [pick([{ value: 0, off: "" }], "cube")] }))), "Roll");
  is([barred(ask()), barred(ask({ fields: [closed] })), barred(ask({ fields: [pick([])] })), barred(ask({ fields: [{ kind: "number", options: [{ off: "no" }] }] }))],
    ["", "Not yours.", "There is nothing to choose.", ""]);
});

test("pieces.js: what is on cards and dice", async () => {
  const { drawn, faceOf, inAct, kindOf, signed } = await load("pieces");
  is(faceOf("fire-2"), { number: "2", suit: "fire", ink: "red", word: "fire" });
  is(faceOf("blue-mammoth-10"), { number: "10", suit: "mammoth", ink: "blue", word: "blue mammoth" });
  is(faceOf("jungle"), { number: undefined, suit: "jungle", ink: "purple", word: "jungle" });
  is(faceOf("king"), { number: undefined, suit: undefined, ink: "black", word: "king" });
  is([kindOf({ hand: "card" }, "hand low"), kindOf({ hand: "card" }, "low"), kindOf(undefined, "hand")], ["card", undefined, undefined]);
  is([...drawn("die", 7, "7")].map((one) => one.names()), [["piece", "die"], ["unseen"]]);
  is([drawn("card", 7, "seven"), drawn("die", "x", "x"), drawn(undefined, "a", "b")], ["seven", "x", "b"]);
  is(shown(drawn("dode", "5x2", "5x2")), "<svg.piece.dode><path.body></><path.edges></><text.value>5</><text.hex>⬡ 2</></><span.unseen>5x2</>");
  is(shown(drawn("card", "king", "King")), "<svg.piece.card.ink-black><rect.paper></><text.word>king</></><span.unseen>King</>");
  is(shown(drawn("card", "water-3", "3")), "<svg.piece.card.ink-blue><rect.paper></><path.suit></><text.value>3</></><span.unseen>3</>");
  const high = (value, name) => drawn("card", value, value)[0].querySelector(name);
  is([high("fire-2", "text").getAttribute("y"), high("red-king-2", ".value").getAttribute("y")], ["17", "26"]);
  is([high("fire-2", "path").getAttribute("transform"), high("jungle", "path").getAttribute("transform")], ["translate(6 20) scale(.2)", "translate(4 10) scale(.24)"]);
  is([high("queen", "text").getAttribute("textLength"), high("bishop", "text").getAttribute("textLength")], [null, "28"]);
  const [body, , number] = drawn("die", 7, "7")[0].childNodes;
  const corners = body.getAttribute("d").slice(1, -1).split("L").map((corner) => corner.split(" ").map(Number));
  is(corners.length, 10);
  for (const [x, y] of corners) assert.ok(Math.abs(Math.hypot(x - 22, y - 22) - 19) < 0.1);
  is(corners[0], [22, 3], "the first corner is on top");
  is([number.getAttribute("x"), number.getAttribute("y")], ["22", "27"]);
  const [, edges] = drawn("die", 7, "7")[0].childNodes;
  const lines = edges.getAttribute("d").split("M").slice(2).map((line) => line.split("L"));
  is(lines.length, 5);
  for (const [inner, outer] of lines) {
    const [[x, y], [far, down]] = [inner, outer].map((corner) => corner.split(" ").map(Number));
    assert.ok(Math.abs(Math.hypot(x - 22, y - 22) - 11.5) < 0.1 && Math.abs((x - 22) * (down - 22) - (y - 22) * (far - 22)) < 4, "an edge points away from the middle");
  }
  is(shown(signed("2 🔥 and 3")), "2 <svg.sign><path></></><span.unseen>fire </> and 3");
  is(inAct({ card: "card", dice: "die" }, { do: "play", at: 1, by: 0, card: "fire-2", dice: [3, 4], who: "x", more: { card: "earth-1" } }).map((one) => one.names().slice(0, 2)),
    [["piece", "card"], ["piece", "die"], ["piece", "die"], ["piece", "card"]]);
});

test("sketch.js: two sketches are equal if they draw the same", async () => {
  const { Sketch } = await load("sketch");
  const of = (name, bears, ...inside) => new Sketch(name, bears, inside);
  const path = (d) => of("path", { d });
  const one = () => of("g", { a: "1", b: "2" }, "text", path("M"));
  is([one().equals(one()), one().equals(undefined)], [true, false]);
  for (const other of [
    of("p", { a: "1", b: "2" }, "text", path("M")), of("g", { a: "1" }, "text", path("M")), of("g", { a: "1", b: "3" }, "text", path("M")), of("g", { a: "1", c: "2" }, "text", path("M")),
    of("g", { a: "1", b: "2" }, "other", path("M")), of("g", { a: "1", b: "2" }, "text", path("L")), of("g", { a: "1", b: "2" }, "text"), of("g", { a: "1", b: "2" }, "text", "M"),
  ]) is([one().equals(other), other.equals(one())], [false, false], JSON.stringify(other));
});

test("send.js: answers, refusals and boxes that are away", async () => {
  const { get, once, post } = await load("send");
  box.answers["api/a"] = [200, '{"a":1}'];
  is(await get("api/a"), { ok: true, status: 200, error: "", body: { a: 1 } });
  box.answers["api/a"] = [409, '{"error":"Not your turn."}'];
  is(await post("api/a", { b: 2 }), { ok: false, status: 409, error: "Not your turn.", body: { error: "Not your turn." } });
  const { method, headers, body, cache } = box.asked.at(-1);
  is({ method, headers, body, cache }, { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"b":2}', cache: "no-store" });
  box.answers["api/a"] = [502, "<html>"];
  is(await get("api/a"), { ok: false, status: 502, error: "Box error: 502.", body: null });
  const away = async (path, request) => (await post(path, request)).error;
  is(await away("api/act", {}), "Your entry may not have arrived. Check the table.");
  is(await away("api/amend", { try: true }), "No reply from the box.");
  is(await away("api/hint", {}), "No reply from the box.");
  is(await get("api/gone"), { ok: false, status: 0, error: "No reply from the box.", body: null });
  const { setTimeout: sets, clearTimeout: clears } = globalThis;
  const timers = new Map();
  Object.assign(globalThis, { setTimeout: (how, ms) => timers.set(timers.size + 1, [how, ms]).size, clearTimeout: (number) => timers.delete(number) });
  box.answers["api/a"] = () => { is([...timers.values()].map(([, ms]) => ms), [5000]); return [200, "1"]; };
  is([(await get("api/a")).ok, timers.size], [true, 0], "what has come needs no end");
  box.answers["api/a"] = () => { for (const [how, ms] of timers.values()) if (ms === 70) how(); return box.asked.at(-1).signal.aborted ? new Error("aborted") : [200, "1"]; };
  is((await get("api/a", 70)).error, "No reply from the box.", "after that time the box counts as away");
  Object.assign(globalThis, { setTimeout: sets, clearTimeout: clears });
  const button = new Element("button");
  let done = 0;
  const act = once(async () => { done += 1; is(button.ariaBusy, "true"); });
  await Promise.all([act({ currentTarget: button }), act({ currentTarget: button })]);
  is([done, button.ariaBusy], [1, null]);
  await assert.rejects(once(async () => { throw new Error("x"); })({ currentTarget: button }));
  is(button.ariaBusy, null);
});

test("calls.js: what is new in a document", async () => {
  const { answers } = await load("calls");
  const hear = answers();
  const at = (question, acts, more = {}) => ({ boot: "b", match: { id: 1, acts }, question: { id: question }, calls: [{ text: "Bust!" }], ...more });
  is(hear(at(1, 0)), null);
  is(hear(at(1, 0)), null);
  is(hear(at(2, 1)), { calls: ["Bust!"], made: [{ text: "Bust!" }], undone: false });
  is(hear(at(3, 0)).undone, true);
  is(hear(at(4, 0)).undone, true);
  is(hear(at(5, 9, { match: { id: 2, acts: 9 } })).undone, true);
  is(hear(at(6, 10, { boot: "c" })), null);
  is(hear(at(7, 11, { boot: "c", match: null })).undone, true);
});

test("calls.js: calls stand out until they have been read", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { lastAnswer } = await load("calls");
  const place = new Element("div");
  const show = lastAnswer(place);
  const fresh = () => place.classList.contains("fresh");
  const table = (calls, last = "Ann rolls") => ({ boot: "b", match: { over: null }, calls, last: { text: last } });
  const bust = [{ text: "Bust!", kind: "" }];
  show(table(bust), null);
  is([fresh(), shown(place.childNodes)], [false, "<p.call>Bust!</>"]);
  show(table(bust), { calls: ["Bust!"], undone: false });
  is(fresh(), true);
  show(table(bust), null);
  is(fresh(), true, "a document without news changes nothing");
  show(table([]), { calls: [], undone: false });
  is([fresh(), shown(place.childNodes)], [true, "<p.call>Bust!</>"], "an answer without a call leaves them their time");
  context.mock.timers.tick(3500 + 5 * 65 - 1);
  is(fresh(), true);
  context.mock.timers.tick(1);
  is(fresh(), false);
  show(table([]), { calls: [], undone: false });
  is(shown(place.childNodes), "<p>Last: Ann rolls</>");
  show(table([{ text: "x".repeat(900), kind: "" }]), { calls: ["x".repeat(900)], undone: false });
  context.mock.timers.tick(11_999);
  is(fresh(), true);
  show(table([]), { calls: [], undone: true });
  is([fresh(), shown(place.childNodes)], [false, "<p>Last: Ann rolls</>"]);
  show(table([{ text: "Ann wins", kind: "over" }]), { calls: ["Ann wins"], undone: false });
  is(shown(place.childNodes), "<p>Last: Ann rolls</>");
  show({ ...table([]), match: { over: {} } }, null);
  is(shown(place.childNodes), "");
});

test("drafts.js: an answer that was begun is kept", async () => {
  const { drafts, shortDrafts } = await load("drafts");
  const kept = { match: 7, question: 4, ask: { verb: "roll", seat: 1 }, begun: {}, entered: { a: 1 }, named: true, opened: ["a"], sent: false };
  const entry = { ...kept, opened: new Set(["a"]), other: 1 };
  for (const each of [drafts, shortDrafts()]) {
    is(each.read(), null);
    each.write(entry);
    is(each.read(), kept);
    each.write(null);
    is(each.read(), null);
  }
  sessionStorage.setItem("umpi draft", "{");
  is(drafts.read(), null);
});

test("scores.js: places, leaders, podium and rows", async () => {
  const { showScores } = await load("scores");
  const place = new Element("div");
  const show = (match, question = null) => {
    showScores(place, { match: match && { ...MATCH, ...match }, question });
    return place.querySelectorAll("li").map((one) => shown(one.childNodes.slice(0, 9)));
  };
  is(show({}), [
    "<span.place>2.</><span.who><span.mark.red>●</><span.name>Ann</></><span.large>5</>",
    "<span.place>1.</><span.who><span.mark.blue>■</><span.name>Ben</></><svg.crown><path></></><span.small>+2</><span.large>9</>",
    "<span.place>2.</><span.who><span.mark.green>◆</><span.name>Cy</></><span.large>5</>",
  ]);
  const held = (name) => place.querySelectorAll("li").map((one) => one.getAttribute(name));
  is([held("data-nth"), held("aria-current"), held("data-seat")], [["1", "0", "2"], [null, "true", null], ["0", "1", "2"]]);
  is(place.querySelectorAll("li").map((one) => one.names()), [["score"], ["score", "acts", "leads"], ["score"]]);
  is(place.querySelector("ol").style["--letters"], 1);
  is(show({ ranks: [1, 1, 1], turn: null }).some((text) => text.includes("place") || text.includes("crown")), false);
  is(show({ over: { winners: [1], places: [2, 1, 3] }, turn: null }).map((text) => text.match(/<span.note>(.*?)</)[1]), ["rank 2", "winner", "rank 3"]);
  is(place.querySelectorAll("li").map((one) => one.names()), [["score"], ["score", "won"], ["score"]]);
  is(place.querySelector("ol").names(), ["scores", "podium"]);
  is(show({ scores: [null, 4, null], hidden: true })[0].endsWith("<span.large>?</>"), true);
  is(place.querySelector(".large").getAttribute("title"), "hidden until the end");
  is(show({ live: true })[1].endsWith("<span.small>9</><span.large>+2</>"), true);
  is(show({ head: "Round 2", rows: [["Dice", "3", "a"]] }).length, 3);
  is(shown(place.childNodes[1].childNodes), "<p.head>Round 2</><dl.rows><div.row><dt>Dice</><dd>3</><dd>a</></></>");
  show({ head: "Round 2" });
  is(shown(place.childNodes[1].childNodes), "<p.head>Round 2</>");
  show({ rows: [["Hand", "Fire 2", "12x1"]], pieces: { card: "card", one: "dode" } }, asking(ask({ fields: [{ name: "card", options: [{ label: "Fire 2", value: "fire-2" }] }, { name: "one", kind: "number" }] })));
  is(place.querySelectorAll("dd").map((one) => one.firstChild.names()), [["piece", "card", "ink-red"], ["piece", "dode"]]);
  is(show(null), []);
});

test("photo.js and announcement.js: who was first", async () => {
  const { showAnnouncement } = await load("announcement");
  const show = (table, me = null) => {
    const place = new Element("div");
    showAnnouncement(place, { match: MATCH, seen: null, race: null, doubt: null, question: { id: 4 }, referee: false, ...table }, me, () => {});
    return place;
  };
  is(shown(show({}).childNodes), "");
  is(shown(show({ match: null, doubt: { text: "?" } }).childNodes), "");
  const order = [{ seat: 1, name: "Ben" }, { seat: null, name: "Lane 3" }];
  const race = { arrivals: [{ behind: "", bound: "" }], verdict: "Ben by a nose" };
  is(shown(show({ seen: { order, text: "2 of 3" }, race, match: { ...MATCH, turn: null } }).childNodes),
    "<h2>Who was first</><p.count>2 of 3</><ol.order><li.speaks><span.runner><span.mark.blue>■</><span.name>Ben</></></><li><span.runner><span.name>Lane 3</></></></><p.verdict>Ben by a nose</>");
  const close = [{ ...order[0], close: true }, order[1]];
  is(show({ seen: { order: close }, race }).querySelectorAll("li").map((one) => one.names()), [["doubtful", "speaks"], []]);
  is(show({ seen: { order: close }, race }).querySelector(".doubt").textContent, "Ben by a nose");
  const doubt = { text: "Too close.", seats: [1] };
  is(shown(show({ doubt }).childNodes), "<h2>Not sure who was first</><p.doubt>Too close.</><p>Settle this at the box.</>");
  is(shown(show({ doubt, referee: true }).childNodes.slice(2)), "<p>The referee’s phone settles this.</>");
  is(show({ doubt, seen: { order } }).querySelectorAll("li").map((one) => one.names()), [["doubtful", "speaks"], []]);
  const ways = show({ doubt, question: { id: "b.3" } }, REFEREE);
  is(shown(ways.childNodes.slice(2)), "<div.ways><button>Toss again</><button>Enter the order</><button>Keep this order</></>");
  box.answers["api/settle"] = [200, "{}"];
  const [, , keep] = ways.querySelectorAll("button");
  await keep.happens("click", { currentTarget: keep });
  is(box.asked.at(-1).body, '{"question":"b.3","how":"accept","doubt":"Too close."}');
});

test("photo.js: the picture moves again from its start", async () => {
  const { run, times } = await load("photo");
  is(shown(times({ behind: "+3 ms", bound: "± 1 ms" })), "<span.margin>+3 ms</><span.bounds>± 1 ms</>");
  is(shown(times()), "");
  const steps = [];
  run({ classList: { add: (name) => steps.push(`+${name}`), remove: (name) => steps.push(`-${name}`) }, getBoundingClientRect: () => steps.push("laid out") });
  is(steps, ["-runs", "laid out", "+runs"]);
});

test("slow_motion.js: a race is shown again for twelve seconds", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { slowMotion } = await load("slow_motion");
  let ended = 0;
  const look = slowMotion(() => { ended += 1; });
  const asked = (number, boot = "b") => ({ boot, slow_motion: { number, race: { arrivals: [number] } } });
  is(look(asked(1)).fresh, false);
  const { fresh, shown: there } = look(asked(2));
  is([fresh, there.seen, there.doubt], [true, { order: [2] }, null]);
  is(look(asked(2)).fresh, false);
  context.mock.timers.tick(11_999);
  is([ended, look(asked(2)).shown.race], [0, { arrivals: [2] }]);
  context.mock.timers.tick(1);
  is([ended, look(asked(2)).shown.race], [1, undefined]);
  is(look(asked(3)).fresh, true);
  is(look({ boot: "b", slow_motion: null }).shown, { boot: "b", slow_motion: null });
  is(look(asked(9, "c")).fresh, false);
});

test("make.js and keep.js: an element that is the same stays", async () => {
  const { again, change, make } = await load("make");
  const place = new Element("div");
  let heard = "";
  const list = (...names) => names.map((name) => make("p", { "data-key": name, onclick: () => { heard += name; }, title: () => `t ${name}` }, name));
  change(place, list("a", "b", "c"), "end");
  const [a, b, c] = place.childNodes;
  change(place, list("c", "a", "d"), "fin", false, null, "");
  is(place.childNodes.map((one) => one.textContent), ["c", "a", "d", "fin"]);
  is([place.childNodes[0] === c, place.childNodes[1] === a, b.parentElement], [true, true, null]);
  await a.happens("click");
  is(heard, "a");
  change(place, make("p", { "data-key": "a", hidden: true, lang: "x" }, "new"));
  is([place.childNodes.length, place.firstChild === a, a.outerHTML], [1, true, '<p data-key="a" hidden="" lang="x">new</p>']);
  await a.happens("click");
  is(heard, "a", "its listener is gone with the new one");
  change(place, make("b", { "data-key": "a" }, "other"));
  is([place.firstChild === a, place.textContent], [false, "other"]);
  let word = "one";
  const said = make("p", { text: () => word });
  place.replaceChildren(said);
  word = "two";
  again(place);
  is(said.textContent, "two");
  change(place, make("p", {}, "two"));
  word = "three";
  again(place);
  is([place.firstChild === said, place.textContent], [true, "two"], "a text that is fixed now stays, though it looked the same");
  word = "two";
  change(place, make("p", { text: () => word }));
  word = "four";
  again(place);
  is([place.firstChild === said, place.textContent], [true, "four"], "and one that is no longer fixed is written again");
  const details = (more, text) => make("details", { "data-key": "d", ...more }, text);
  change(place, details({ title: "t" }, "closed"));
  place.firstChild.setAttribute("open", "");
  change(place, details({}, "read on"));
  is(place.firstChild.outerHTML, '<details data-key="d" open="">read on</details>', "who reads has opened it");
  for (const [tag, typed, kept] of [["input", "typed", "new"], ["input", "new", "new"], ["textarea", "typed", "typed"]]) {
    change(place, make(tag, { "data-key": tag, value: "old" }));
    place.firstChild.value = typed;
    const now = make(tag, { "data-key": tag, title: "x", value: "new" });
    now.value = "new";
    change(place, now);
    is([place.firstChild.title ?? place.firstChild.getAttribute("title"), place.firstChild.value], ["x", kept]);
    change(place, []);
  }
  const moved = [];
  const row = new Element("div");
  row.insertBefore = function insertBefore(part, next) {
    moved.push(part.textContent);
    return Element.prototype.insertBefore.call(this, part, next);
  };
  const as = (text) => {
    moved.length = 0;
    change(row, [...text].map((name) => make("p", { "data-key": name, vars: { size: 1 } }, name)));
    is(row.textContent, text);
    return moved.join("");
  };
  is(["abcde", "bcde", "bxcdye", "exbcdy", "ybecxd"].map(as), ["edcba", "", "yx", "xe", "cby"], "as few as can be are moved");
  is(make("p", { a: 0, b: false, c: null, d: "", e: true }).outerHTML, '<p a="0" e=""></p>');
});

test("history.js: the moves so far, the latest first", async () => {
  const { historyView } = await load("history");
  const place = new Element("div");
  const told = [];
  const show = historyView(place, (text) => told.push(text));
  const act = (index, more = {}) => ({ index, seat: 1, text: `act ${index}`, at_ms: 61_000 + index, who: "panel", entered: true, calls: [], line: { do: "x" }, ...more });
  const document = { boot: "b", match: MATCH, question: { id: 4 } };
  box.answers["api/history"] = [200, JSON.stringify([act(0, { seat: null, at_ms: null, who: "x" }), act(1, { who: "phone:Blue", calls: ["Bust!"] }), act(2, { who: "phone:referee" })])];
  await show(document, seat(0), false);
  is(place.childNodes.length, 0);
  await show(document, seat(0), true);
  is(place.querySelectorAll("li").map((one) => shown(one.childNodes)), [
    "<span.when>1:01</><span.did><span.mark.blue>■</>act 2</><span.by>☎ Referee</>",
    "<span.when>1:01</><span.did><span.mark.blue>■</>act 1</><span.by>☎ <span><span.mark.blue>■</></></><span.said>Bust!</>",
    "<span.when></><span.did>act 0</><span.by>x</>",
  ]);
  is(place.querySelectorAll("button").length, 0, "this seat's phone has entered none");
  await show(document, seat(1), true);
  is(place.querySelectorAll("button").length, 0, "another phone has entered the last move");
  const played = [act(0, { who: "phone:Blue" }), act(1, { who: "box", seat: 2 }), act(2, { who: "box", seat: 2, entered: false })];
  const boxed = { ...MATCH, acts: 3, players: MATCH.players.map((player) => ({ ...player, level: player.seat === 2 ? "easy" : undefined })) };
  for (const [acts, me, match, texts] of [
    [played.slice(0, 1), seat(1), MATCH, ["Undo: act 0"]],
    [[played[0], played[2]], seat(1), boxed, ["Undo: act 0"]],
    [[played[0], played[2]], seat(0), boxed, []],
    [played, seat(0), boxed, ["Undo: act 1"]],
    [played, seat(0), { ...MATCH, acts: 3 }, []],
  ]) {
    box.answers["api/history"] = [200, JSON.stringify(acts)];
    await show({ ...document, boot: JSON.stringify([acts, me, match]), match }, me, true);
    is(place.querySelectorAll("button").map((one) => one.textContent), texts);
  }
  box.answers["api/history"] = [200, JSON.stringify(played)];
  await show({ ...document, match: boxed }, seat(1), true);
  box.answers["api/undo"] = [200, "{}"];
  await place.querySelector("button").happens("click");
  is(box.asked.at(-1).body, '{"question":4}', "the box knows how many moves that takes");
  const asked = box.asked.length;
  await place.querySelector("button").happens("click");
  is(box.asked.length, asked, "a double tap undoes one answer");
  const { now } = performance;
  performance.now = () => now.call(performance) + 401;
  await show({ ...document, match: null }, null, true);
  is(shown(place.childNodes), "<h2>Moves so far</><p>No active match.</><p><a>Past matches</></><ol.history></>");
  box.answers["api/history"] = [500, '{"error":"Broken."}'];
  await show(document, seat(1), true);
  is(told, ["Broken."]);
  box.answers["api/history"] = [200, JSON.stringify(Array.from({ length: 31 }, (_, index) => act(index)))];
  await show({ ...document, question: { id: 5 } }, REFEREE, true);
  is(place.querySelectorAll("li").length, 30);
  is(place.querySelectorAll("button").filter((one) => one.dataset.key?.startsWith("to")).slice(0, 3).map((one) => one.textContent),
    ["Undo this move", "Undo this and 1 later move", "Undo this and 2 later moves"]);
  await place.querySelectorAll("button").at(-1).happens("click");
  is(place.querySelectorAll("li").length, 31);
  box.answers["api/undo"] = [409, '{"error":"Too late."}'];
  await place.querySelectorAll("button").filter((one) => one.dataset.key?.startsWith("to"))[2].happens("click");
  is([box.asked.at(-1).body, told.at(-1)], ['{"question":5,"count":3}', "Too late."]);
  delete performance.now;
});

test("entry.js: when an answer is complete", async () => {
  const { whole } = await load("entry");
  const some = { kind: "some", least: 2 };
  const two = { kind: "each", fields: [{ kind: "pick" }, some] };
  const forms = { kind: "forms", least: 1, fields: [{ kind: "pick", name: "a" }, { kind: "number", name: "b" }] };
  const text = { kind: "text", least: 1 };
  for (const [field, value, complete] of [
    [{ kind: "pick" }, undefined, false], [{ kind: "pick" }, null, true], [{ kind: "number" }, 0, true],
    [some, [], false], [some, [1], false], [some, [1, 2], true], [{ kind: "some", least: 0 }, [], true],
    [two, [0, [1, 2]], true], [two, [0, [1]], false], [two, [undefined, [1, 2]], false], [two, [0], false],
    [forms, [], false], [forms, [{ a: 1, b: 2 }], true], [forms, [{ a: 1 }], false], [forms, [{ a: 1, b: 2 }, {}], false],
    [text, "", false], [text, "x", true], [text, null, true], [text, undefined, false],
  ]) is(whole(field, value), complete, JSON.stringify([field, value]));
});

test("entry.js: which answers are there before the first tap", async () => {
  const { granted } = await load("entry");
  const one = { name: "a", kind: "number", low: 3, high: 3 };
  const ordered = { name: "b", kind: "pick", in_order: true, options: [{ value: 1, off: "taken" }, { value: 2, off: "" }, { value: 3, off: "" }] };
  const free = { name: "c", kind: "number", low: 0, high: 9 };
  const none = { name: "d", kind: "some", most: 0 };
  for (const [fields, usual, entered] of [
    [[one], undefined, { a: 3 }], [[{ ...one, null: true }], undefined, {}], [[{ ...one, optional: true }], undefined, {}], [[free], undefined, {}],
    [[ordered], undefined, { b: 2 }], [[{ ...ordered, options: ordered.options.slice(0, 1) }], undefined, {}], [[{ ...ordered, in_order: false }], undefined, {}],
    [[none], undefined, { d: [] }], [[{ ...none, most: 1 }], undefined, {}],
    [[free], { c: 5 }, {}], [[free, ordered], { c: 5 }, { c: 5, b: 2 }], [[{ ...free, optional: true }, one], { c: 0 }, { c: 0, a: 3 }], [[free, one], { z: 1 }, { a: 3 }],
  ]) is(granted({ fields, usual }), entered, JSON.stringify([fields, usual]));
});

test("entry.js: an answer, the fields that follow, and undo", async () => {
  const { Entry } = await load("entry");
  const field = (name, more) => ({ name, kind: "number", low: 0, high: 9, ...more });
  const asks = { verb: "roll", fields: [field("a")] };
  const learnt = [];
  let reply = (given) => ({ ok: true, status: 200, body: { fields: "a" in given ? [field("a"), field(`b${given.a}`)] : [], refusal: "" } });
  let shows = 0;
  const entry = new Entry(asks, () => { shows += 1; }, async (given) => { learnt.push(given); return reply(given); });
  const now = () => [entry.fields.map(({ name }) => name), entry.missing.map(({ name }) => name), entry.ready];
  is(now(), [["a"], ["a"], false]);
  await entry.answer({ a: 1 });
  is(now(), [["a", "b1"], ["b1"], false]);
  await entry.answer({ b1: 2 });
  is([entry.act, entry.ready, entry.objection], [{ do: "roll", a: 1, b1: 2 }, true, ""]);
  await entry.answer({ a: 3 });
  is([entry.given, ...now()], [{ a: 3 }, ["a", "b3"], ["b3"], false], "what followed from the first answer is gone");
  await entry.back();
  is(entry.act, { do: "roll", a: 1, b1: 2 });
  await entry.back();
  await entry.back();
  is([entry.given, ...now()], [{}, ["a"], ["a"], false]);
  await entry.back();
  is(entry.given, {}, "there is nothing left to undo");

  const same = shows;
  await entry.look();
  is(shows, same + 1, "nothing moves again if the box says the same");
  await entry.answer({ a: 5, b5: 6 });
  is([entry.act, learnt.at(-1)], [{ do: "roll", a: 5, b5: 6 }, { a: 5, b5: 6 }], "a quick tap is asked about with all its answers");

  const twice = new Entry({ verb: "roll", fields: [field("a"), field("c")] }, () => {}, async (given) => reply(given));
  await twice.answer({ c: 8 });
  await twice.answer({ a: 1 });
  await twice.answer({ b1: 2 });
  await twice.answer({ a: 3 });
  is(twice.given, { a: 3, c: 8 }, "what the ask itself asks stays");

  reply = () => ({ ok: true, status: 200, body: { fields: [], refusal: "Too many." } });
  await entry.answer({ a: 7 });
  is([entry.objection, entry.ready], ["Too many.", false]);
  await entry.answer({ a: undefined });
  is(entry.objection, "", "nothing is refused that is not complete");
  for (const [status, error, refusal, silent] of [[409, "Changed.", "", false], [500, "Broken.", "Broken.", false], [0, "No reply.", "No reply.", true]]) {
    reply = () => ({ ok: false, status, error });
    await entry.answer({ a: 1 });
    is([entry.refusal, entry.silent, entry.ready], [refusal, silent, refusal === ""]);
  }
});

test("entry.js: of two requests the later one counts", async () => {
  const { Entry } = await load("entry");
  const waiting = [];
  const entry = new Entry({ verb: "x", fields: [{ name: "a", kind: "number" }, { name: "o", kind: "number", optional: true }] }, () => {}, () => new Promise((go) => waiting.push(go)));
  const [first, second] = [entry.answer({ a: 1 }), entry.answer({ a: 2 })];
  const says = (refusal) => ({ ok: true, status: 200, body: { fields: [], refusal } });
  waiting[1](says("later"));
  await second;
  waiting[0](says("earlier"));
  await first;
  is([entry.refusal, entry.missing], ["later", []]);
});

test("held.js: a hand is shown to its player, and covered again", async () => {
  const { heldView } = await load("held");
  const [place, told] = [new Element("div"), []];
  const show = heldView(place, (text) => told.push(text));
  const table = (id, dealt = [0]) => ({ match: { ...MATCH, dealt }, question: { id } });
  const tap = () => place.querySelector("button").happens("click");
  const settle = () => new Promise((go) => setTimeout(go));
  box.answers["api/hand"] = [200, '{"hand":["Fire 2","Water 3"]}'];
  for (const [me, dealt] of [[null, [0]], [REFEREE, [0]], [seat(1), [0]], [seat(0), []]]) {
    show(table(1, dealt), me);
    is(shown(place.childNodes), "");
  }
  show(table(1), seat(0));
  is(shown(place.childNodes), "<button.plain>Show my hand</>");
  await tap();
  is(shown(place.childNodes), "<button.plain>Cover my hand</><ul><li>Fire 2</><li>Water 3</></>");
  is(place.querySelector("button").getAttribute("aria-expanded"), "true");
  box.answers["api/hand"] = [200, '{"hand":["Water 3"]}'];
  show(table(1), seat(0));
  await settle();
  is(place.querySelectorAll("li").length, 2, "the same question asks nothing");
  show(table(2), seat(0));
  await settle();
  is(place.querySelectorAll("li").map((one) => one.textContent), ["Water 3"]);
  await tap();
  is(shown(place.childNodes), "<button.plain>Show my hand</>");
  await tap();
  show(table(3), seat(1));
  is(shown(place.childNodes), "");
  show(table(3), seat(0));
  is(shown(place.childNodes), "<button.plain>Show my hand</>", "another player's turn at the phone has covered it");
  box.answers["api/hand"] = [409, '{"error":"No hand."}'];
  await tap();
  is([shown(place.childNodes), told], ["<button.plain>Show my hand</>", ["No hand."]]);
});

test("fields/pair.js: two small questions as one grid", async () => {
  const { choices, fitsGrid, pairGrid } = await load("fields/pair");
  const number = (name, low, high, more) => ({ name, label: name, kind: "number", low, high, ...more });
  const values = (field) => choices(field)?.map(({ value }) => value) ?? null;
  is([values(number("a", -1, 1)), values(number("a", 0, 1, { null: true })), values(number("a", 0, 12))?.length, values(number("a", 0, 13)), values(number("a", 0, 1, { optional: true })), values({ kind: "text" })],
    [[-1, 0, 1], [0, 1, null], 13, null, null, null]);
  const fits = (rows, columns, name = "a") => fitsGrid(number(name, 1, rows), number("b", 1, columns));
  is([fits(12, 6), fits(6, 12), fits(13, 2), fits(7, 7), fits(6, 1), fits(7, 1), fits(3, 2), fits(12, 6, "seat"), fits(14, 2)],
    [true, true, false, false, false, true, false, false, false]);
  const [picked, refused] = [[], []];
  const grid = pairGrid(number("hex", 1, 2), number("face", 1, 4), (one) => picked.push(one), { pieces: {}, refuse: (text) => refused.push(text) });
  const buttons = grid.querySelectorAll("button");
  is(buttons.map((one) => one.textContent), ["1×1", "1×2", "2×1", "2×2", "3×1", "3×2", "4×1", "4×2"]);
  is(buttons.map((one) => one.tabIndex), [0, -1, -1, -1, -1, -1, -1, -1]);
  is(grid.querySelector(".asks").textContent, "Down: face · Across: hex");
  await buttons[5].happens("click");
  is(picked, [{ face: 3, hex: 2 }]);
  const rows = (longest) => ({ name: "a", label: "A", kind: "pick", options: ["b", "c", "d", longest].map((label) => ({ value: label, label, off: "" })) });
  const above = (longest) => pairGrid(rows(longest), number("face", 1, 2), () => {}, { pieces: {} }).querySelector(".pair").names().includes("above");
  is([above("nine_long"), above("ten_is_not")], [false, true], "long labels stand above their buttons");
});

test("fields/number.js and fields/some.js: what each tap answers", async () => {
  const { numberField } = await load("fields/number");
  const { someField } = await load("fields/some");
  const field = { name: "n", label: "Points", low: -20, high: 120, kind: "number", null: true };
  const tapped = async (make, text) => {
    const [answers, refused] = [[], []];
    const made = make((value) => answers.push(value), { players: [], pieces: {}, refuse: (why) => refused.push(why) });
    await made.querySelectorAll("button").find((one) => one.textContent === text).happens("click");
    return refused.length ? refused : answers[0];
  };
  for (const [value, key, answer] of [
    [undefined, "7", 7], [0, "7", 7], [1, "2", 12], [12, "0", 120], [12, "⌫", 1], [1, "⌫", undefined], [-1, "⌫", undefined], [5, "±", -5], [undefined, "±", 0],
    [115, "+10", 120], [-15, "−10", -20], [undefined, "+5", 5], [3, "−1", 2], [3, "none", null],
  ]) is(await tapped((answer_, hand) => numberField(field, value, answer_, hand), key), answer, `${value} ${key}`);
  is(await tapped((answer, hand) => numberField(field, 12, answer, hand), "9"), ["“Points”: enter a whole number from -20 to 120."]);

  const option = (value, count = 1, off = "") => ({ value, label: value, words: [value], count, off });
  const single = { name: "s", label: "Cards", options: [option("a"), option("b"), option("c")], least: 1, most: 2 };
  const pool = { ...single, options: [option("a", 2), option("b", 1)] };
  for (const [of, value, text, answer] of [
    [single, undefined, "a", ["a"]], [single, ["a"], "b", ["a", "b"]], [single, ["a", "b"], "a", ["b"]], [single, ["a", "b"], "c", ["Choose at most 2."]],
    [{ ...single, ends: ["a"] }, ["a"], "b", ["You cannot add anything after a."]], [{ ...single, least: 0 }, [], "none", []],
    [pool, ["a"], "a×1", ["a", "a"]], [{ ...pool, most: 9 }, ["a", "a"], "a×0", ["No a left."]], [pool, ["a", "b"], "b✕", ["a"]], [{ ...single, again: true }, ["a"], "a", ["a", "a"]],
  ]) is(await tapped((answer_, hand) => someField(of, value, answer_, hand), text), answer, JSON.stringify([value, text]));
});

test("boards/shapes.js: stones at one spot do not cover each other, and names fit", async () => {
  const { cluster, keysOf, seatLook, sizeOfNames, text } = await load("boards/shapes");
  is([cluster(0, 10), cluster(1, 10)], [[], [[0, 0, 10]]]);
  for (let count = 2; count <= 12; count++) {
    const places = cluster(count, 10);
    is(places.length, count);
    places.forEach(([x, y, r], nth) => places.slice(0, nth).forEach(([left, up, other]) => assert.ok(Math.hypot(x - left, y - up) >= r + other, `${count} stones`)));
    assert.ok(Math.abs(places.reduce((sum, [x]) => sum + x, 0)) < 1e-6, "each row is centred");
  }
  is(keysOf(["a", "b", "a", "a"]), ["a#1", "b#1", "a#2", "a#3"]);
  is([sizeOfNames([{ name: "Ann" }], 12, 100), sizeOfNames([{ name: "Ann" }, { name: "x".repeat(20) }], 12, 124), sizeOfNames([{ name: "x".repeat(20) }], 12, 99.2), sizeOfNames([{ name: "x".repeat(20) }], 12, 92)], [12, 10, 8, 0]);
  const texts = [text(1, 2, 10, "abcde", "", 15.5), text(1, 2, 10, 0), text(1, 2, 10, "abcde")];
  is(texts.map(({ bears, inside }) => [bears["font-size"], ...inside]), [["5", "abcde"], ["10", "0"], ["10", "abcde"]]);
  for (const wrong of [() => text(1, 2, 10, null), () => text(NaN, 2, 10, "a"), () => seatLook(6)]) assert.throws(wrong, TypeError);
});
