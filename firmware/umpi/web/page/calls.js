// The calls of the referee: what the last answer led to. They have a place of their own, so they never cover a question.

import { fill, make } from "./make.js";
import { signed } from "./pieces.js";
import { say } from "./words.js";

const LEAST_MS = 3500;
const MOST_MS = 12_000;
const LETTER_MS = 65; // time to read a letter
const OVER = "over"; // the kind of the call that ends a match: the heading already says who has won

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
    return { calls: calls.map(({ text }) => text), made: calls, undone: last.match !== now.match || now.acts <= last.acts };
  };
}

/**
 * Return a function that shows in `place` the calls of the last answer, or that answer if it has none.
 *
 * New calls stand out until they have been read, and an answer without a call leaves them that time. They then take
 * the same room as before: what is under a finger must move only when the question changes.
 */
export function lastAnswer(place) {
  let of = ""; // the boot whose answers are shown
  let held = false; // whether an answer without a call has left the calls before it their time
  let shown = "";
  let timer = 0;

  const age = () => place.classList.remove("fresh");

  /** Let calls stand out as long as they take to read; with none, end that. */
  function standOut(calls) {
    clearTimeout(timer);
    place.classList.toggle("fresh", calls.length > 0);
    timer = setTimeout(age, Math.min(LEAST_MS + LETTER_MS * calls.join("").length, MOST_MS));
  }

  return ({ boot, match, calls, last }, news) => {
    if (news || boot !== of) {
      held = Boolean(news && !news.undone && !news.calls.length && place.classList.contains("fresh"));
      of = boot;
      if (!held) standOut(news?.calls ?? []);
    }
    if (held) return;
    const said = calls.filter(({ kind }) => kind !== OVER).map(({ text }) => make("p", { class: "call" }, signed(text)));
    const done = match && !match.over && last && make("p", {}, signed(say("Last: {what}", { what: last.text })));
    const inside = said.length ? said : [done].filter(Boolean);
    const now = inside.map((one) => one.outerHTML).join("");
    if (now !== shown) fill(place, inside); // screen readers read it when it changes
    shown = now;
  };
}
