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
      const board = boardOf(match, small);
      const keys = board.querySelectorAll("[data-key]").map((one) => one.dataset.key);
      is(new Set(keys).size, keys.length, "no key is there twice");
      return [`${name} ${nth + 1}, ${small ? "narrow" : "wide"}`, board];
    });
    approve(`board-${name}`, drawn);
  });
}

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
