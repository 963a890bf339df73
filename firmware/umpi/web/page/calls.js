// The calls of the referee: a banner after each answer. It passes by itself and by a touch, and never takes a tap.

import { fill, make } from "./make.js";

const LEAST_MS = 3500;
const MOST_MS = 12_000;
const LETTER_MS = 65; // time to read a letter

/**
 * Return a function that finds out what each document has new: {calls, undone}, or null if nobody has answered since.
 *
 * The first document after loading the page, or after a restart of the box, has nothing new.
 */
export function answers() {
  let before = null;
  return ({ boot, match, question, calls }) => {
    const now = { boot, match: match?.id, question: match && question?.id, acts: match?.acts ?? 0 };
    const last = before;
    before = now;
    if (!last || last.boot !== boot || last.question === now.question) return null;
    return { calls: calls.map(({ text }) => text), undone: last.match !== now.match || now.acts <= last.acts };
  };
}

/** Return a function that shows the calls of each answer in `place`; an undo removes them. */
export function callBanner(place) {
  let timer = 0;

  function away() {
    clearTimeout(timer);
    fill(place);
  }

  addEventListener("pointerdown", away);
  addEventListener("keydown", away);
  return ({ calls, undone }) => {
    if (undone) away();
    if (!calls.length) return; // an answer without a call leaves the banner its time
    clearTimeout(timer);
    fill(place, calls.map((text) => make("p", {}, text)));
    timer = setTimeout(away, Math.min(LEAST_MS + LETTER_MS * calls.join("").length, MOST_MS));
  };
}
