// The boards as approved: positions of real matches, from records and random games, each as wide as a phone or a table.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { approve } from "./approve.mjs";
import "./dom.mjs";

const page = new URL("../../../../firmware/umpi/web/page/", import.meta.url).href;
const load = (name) => import(`${page}${name}.js`);
const is = assert.deepEqual;
const TABLES = readFileSync(new URL("tables.jsonl", import.meta.url), "utf-8").trim().split("\n").map((line) => JSON.parse(line));

for (const name of new Set(TABLES.map(({ match }) => match.game))) {
  test(`boards: ${name} is drawn as approved`, async () => {
    const { boardOf } = await load("boards/all");
    const drawn = TABLES.filter(({ match }) => match.game === name).map(({ match, small }, nth) => {
      const board = boardOf(match, small).made();
      const keys = board.querySelectorAll("[data-key]").map((one) => one.dataset.key);
      is(new Set(keys).size, keys.length, "no key is there twice");
      return [`${name} ${nth + 1}, ${small ? "narrow" : "wide"}`, board];
    });
    approve(`board-${name}`, drawn);
  });
}

test("boards: a player may be called like what is no number", async () => {
  const { boardOf } = await load("boards/all");
  const { match } = TABLES.find(({ match: { game } }) => game === "dodeka");
  const board = boardOf({ ...match, players: match.players.map((player) => ({ ...player, name: "Infinity" })) });
  assert.match(board.getAttribute("aria-label"), /Infinity/);
});

test("boards: of a Dodekka of which only final hands are entered, no line and no deck are drawn", async () => {
  const { boardOf } = await load("boards/all");
  const players = ["Ann", "Ben"].map((name, seat) => ({ seat, button: seat, name }));
  for (const [facts, cards] of [[{ held: [2, 0], suits: ["fire", null], hands: [[], []] }, 0], [{ held: [2, 0], suits: ["fire", null], hands: [["fire-2", "air-4"], []] }, 2]]) {
    const board = boardOf({ game: "dodekka", facts, players, scores: [2, 0], turn: null, phase: "over" }, true).made();
    const keys = board.querySelectorAll("[data-key]").map((one) => one.dataset.key.replace(/-.*/, ""));
    is([board.getAttribute("aria-label"), keys.filter((key) => key !== "hand").length, board.querySelectorAll(".b-bed").length], ["Points: Ann 2, Ben 0.", cards, 0]);
  }
});

test("boards: a name that nobody could read beside the dodes in hand is left to the scores", async () => {
  const { boardOf } = await load("boards/all");
  const { match } = TABLES.find(({ match: { game } }) => game === "battledodes");
  const dodes = match.facts.dodes.map((some) => some.map((one) => ({ ...one, at: "hand" })));
  const players = match.players.map((player, seat) => ({ ...player, name: ["Anne-Catherine Maximilia", "Ben"][seat] }));
  const texts = boardOf({ ...match, players, facts: { ...match.facts, dodes } }, true).made().querySelectorAll("text");
  is([texts.some((one) => one.textContent.startsWith("Anne")), texts.some((one) => one.textContent === "Ben")], [false, true]);
});

test("boards: what a call is about", async () => {
  const of = (name) => load(`boards/${name}`);
  const [{ ofBattledodes }, { ofDodeka }, { ofDodekka }, { ofDohdles }, { ofDudabBuba }, { ofForeign, offeredBy }, { ofQuiz }, { ofScorepad }] =
    await Promise.all(["battledodes", "dodeka", "dodekka", "dohdles", "dudab_buba", "foreign", "quiz", "scorepad"].map(of));
  for (const [pieces, call, keys] of [
    [ofBattledodes, { kind: "struck", seat: 1, dode: 3 }, ["dode-1-3"]], [ofBattledodes, { kind: "scored", seat: 0 }, ["seat-0"]], [ofBattledodes, { kind: "over", seat: null }, []],
    [ofDodeka, { kind: "pairtraiz", seat: 1 }, ["die-0", "die-1", "die-2", "stone-1"]], [ofDodeka, { kind: "scored", seat: 1 }, ["stone-1"]], [ofDodeka, { kind: "part", seat: 1 }, []],
    [ofDodekka, { kind: "bust", seat: 1 }, ["hand-1"]], [ofDodekka, { kind: "", seat: 1 }, []],
    [ofDohdles, { kind: "move", seat: 1, riddle: "A1" }, ["token-1"]], [ofDohdles, { kind: "guess", seat: 1 }, ["cube-1", "token-1"]], [ofDohdles, { kind: "home", seat: 1 }, ["cube-1"]],
    [ofDohdles, { kind: "solved", riddle: "A1" }, ["owner-A1"]], [ofDohdles, { kind: "over" }, []],
    [ofDudabBuba, { kind: "taken", seat: 1 }, ["hand-1"]], [ofDudabBuba, { kind: "request", seat: 2 }, ["hand-2"]], [ofDudabBuba, { kind: "", seat: 1 }, []],
    [ofForeign, { pieces: ["a", "b"] }, ["a", "b"]], [ofForeign, {}, []], [ofQuiz, { seat: 0 }, ["buzz-0"]], [ofQuiz, { seat: null }, []], [ofScorepad, { seat: 0 }, []],
  ]) is(pieces(call), keys, JSON.stringify(call));
  const options = [{ value: "a", off: "" }, { value: "b", off: "Taken." }];
  is([...offeredBy({ asks: [{ fields: [{ options }, { low: 1 }] }, { fields: [] }] })], ["a"]);
  is([offeredBy(null).size, offeredBy(undefined).size], [0, 0]);
});

test("boards/all.js: an odd position has no board, and is logged in one line", async () => {
  const of = (game, label) => TABLES.find(({ match }) => match.game === game && (!label || match.board?.[0].label === label)).match;
  const warned = [];
  const warn = console.warn;
  console.warn = (text) => warned.push(text);
  for (const [nth, [match, spoil]] of [
    [of("dodeka"), ({ facts }) => { facts.points = [40]; }], [of("dodeka"), ({ facts }) => { delete facts.pairtraiz; }],
    [of("dodeka"), ({ facts }) => { facts.points = ["many", null]; }], [of("dodeka"), ({ facts }) => { Object.assign(facts, { dice: [{}, 3, 4], target: "far" }); }],
    [of("dodeka"), ({ players }) => { players[0].button = 9; }],
    [of("of-a-stranger", "market"), ({ board }) => { board[0].kind = "spiral"; }], [of("of-a-stranger", "market"), ({ board }) => { board[1].pieces[1].ink = "pink"; }],
    [of("of-a-stranger", "market"), ({ board }) => { delete board[1].pieces[0].number; }], [of("of-a-stranger", "market"), ({ board }) => { board[0].pieces[0].kind = "puppet"; }],
    [of("of-a-stranger", "market"), ({ board }) => { Object.assign(board[0].pieces[0], { kind: "token", text: "", seat: 9 }); }],
  ].entries()) {
    const { boardOf } = await import(`${page}boards/all.js?odd=${nth}`); // it logs each game once
    const odd = structuredClone(match);
    spoil(odd);
    warned.length = 0;
    is([boardOf(odd, false), boardOf(odd, false)], [null, null], spoil.toString());
    is(warned.map((text) => text.startsWith(`The board of ${match.game}: `)), [true], spoil.toString());
    assert.notEqual(boardOf(match, false), null);
  }
  console.warn = warn;
});

test("boards/shapes.js: each piece is drawn as approved", async () => {
  const { back, backs, board, card, cube, deck, die, faced, hand, lettered, pile, square, stone, text } = await load("boards/shapes");
  const row = (title, ...pieces) => [title, board("toy", [400, 100], title, pieces.flat(2)).made()];
  approve("board-shapes", [
    row("stones", [0, 1, 2, 3, 4, 5].map((button) => stone(`s${button}`, button, 30 + 60 * button, 50, 25, button === 2 ? "acts" : ""))),
    row("cubes", cube("c1", 3, 40, 50, 40, "acts"), cube("c2", null, 120, 50, 40)),
    row("dice", ["", 1, 6, 9, 12, 120].map((face, nth) => die(`d${nth}`, face, 30 + 60 * nth, 50, 25, nth === 4 ? 1 : null, nth ? "" : "empty"))),
    row("square dice", ["", 1, 6, "long word"].map((face, nth) => square(`q${nth}`, face, 30 + 60 * nth, 50, 25, nth === 2 ? 0 : null))),
    row("cards", ["fire-2", "red-club-10", "dudab", "king", "a long word"].map((value, nth) => card(`k${nth}`, value, 5 + 60 * nth, 5, 50, nth ? "" : "newest"))),
    row("cards of a stranger", faced("f1", "K", "red", 0, 5, 5, 50), faced("f2", "a long word", "black", null, 65, 5, 50), back("f3", 125, 5, 50)),
    row("piles", [0, 1, 2, 5, 1234567].map((number, nth) => backs(`p${nth}`, number, 5 + 60 * nth, 5, 50)), pile(330, 60, 40)),
    row("decks", [0, 1, 4].map((left, nth) => deck(left, 5 + 80 * nth, 5, 40, 12))),
    row("stones of a stranger", lettered("l1", "A", "red", 0, 30, 50, 25), lettered("l2", "", "blue", 1, 90, 50, 25), lettered("l3", "a long word", "b-nobody", null, 150, 50, 25), lettered("l4", "a long word", "red", 0, 210, 50, 25)),
    row("hands", hand({ seat: 0, button: 0, name: "Ann" }, 0, 5, 5, 90, 24, 0), hand({ seat: 1, button: 1, name: "Ben" }, 1, 105, 5, 90, 24, 12, "acts"), hand({ seat: 2, button: 2, name: "Cy" }, 7, 205, 5, 120, 24, 12), hand({ seat: 3, button: 3, name: "Di" }, 9, 305, 5, 20, 24, 12)),
    row("texts", text(10, 30, 20, "short", "soft strong"), text(10, 60, 20, "much too long for its room", "", 60), text(10, 90, 20, 0, "gold", 5)),
  ]);
});

test("chart.js: scores are drawn as approved", async () => {
  const { chart } = await load("chart");
  const players = ["Ann", "Ben", "Cy"].map((name, seat) => ({ seat, button: [0, 1, 3][seat], name }));
  const alone = (...scores) => chart(scores.map((score) => [score]), players.slice(0, 1));
  approve("curves", [
    ["three players", chart([[0, 0, 0], [10, -5, 0], [40, 20, 40]], players)],
    ["no move", alone()], ["one move", alone(2)], ["below nothing", alone(-3, -8)], ["from -100 to 100", alone(-100, 100)], ["up to ten", alone(3, 10)],
    ["nine moves, marks at five of them", alone(...Array.from({ length: 9 }, (_, nth) => 35 - nth * nth))], ["a thousand", alone(...Array.from({ length: 30 }, (_, nth) => nth === 20 ? 1000 : nth))],
  ]);
});

test("start_cards.js: the games are shown as approved, with how long they take here", async () => {
  const { gameCards, whoIsHere } = await load("start_cards");
  const games = [["dodekka", "A line of cards", [2, 3, 4, 5, 6], true], ["scorepad", "", [2, 3], false], ["quiz", "Buzz", [4], false]]
    .map(([game, about, seats, lesson]) => ({ game, title: game.toUpperCase(), about, seats, lesson }));
  const lasted = (game, minutes, more) => ({ game, over: true, began: "2026-03-01T20:00:00Z", ended: new Date(Date.UTC(2026, 2, 1, 20, 0, minutes * 60)).toISOString(), ...more });
  const matches = [9, 31.4, 2].map((minutes) => lasted("dodekka", minutes)).concat([0.2, 0.1, 0.3, 0.3].map((minutes) => lasted("scorepad", minutes)), [5, 6].map((minutes) => lasted("quiz", minutes)), lasted("quiz", 7, { ended: "" }), lasted("quiz", 7, { over: false }));
  const here = [[], [{ button: 1, name: "Ann" }], [{ button: 1, name: "Ann" }, { button: 5, name: "Ben" }], [0, 1, 2, 3].map((button) => ({ button, name: `P${button}` }))];
  approve("start-cards", here.map((joined) => [`${joined.length} have joined`, ...whoIsHere(joined), gameCards(games, joined, joined.length ? matches : [])]));
});
