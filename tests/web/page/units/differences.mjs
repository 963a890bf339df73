// Two lists of lines and what differs: no change is hidden, and lines elsewhere are not in it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { changes } from "./changes.mjs";

const LISTS = [[]];
for (let longest = 0; longest < 4; longest++) LISTS.push(...LISTS.filter((list) => list.length === longest).flatMap((list) => ["a", "b", "<p>c</p>"].map((line) => [...list, line])));

test("changes.mjs: two lists never have the same changes of a third", () => {
  for (const before of LISTS) {
    const all = new Set(LISTS.map((now) => changes(before, now).join("\n")));
    assert.equal(all.size, LISTS.length, `of ${before}`);
  }
});

test("changes.mjs: lines above, and in both, change nothing of it", () => {
  const [before, now] = ["two", "three"].map((word) => ["<ol>", " <li>one</li>", ` <li>${word}</li>`, "</ol>", "<p>A line that is in both.</p>"]);
  assert.deepEqual(changes(before, now), ["@@ 0 after <li>one</li>, 1 go", "+ <li>three</li>"]);
  assert.deepEqual(changes(["<br>", ...before], ["<br>", ...now]), changes(before, now));
});
