// What this phone asks of the box: JSON out and in, with a sentence where it did not work.

import { say } from "./words.js";

const HEADERS = { "Content-Type": "application/json" };
const PATIENCE_MS = 5000; // an answer takes a few milliseconds; after this the line is taken for dead
const ACTS = new Set(["api/act", "api/undo", "api/amend", "api/settle"]); // may be done though no answer comes

/** Whether the page is served where no other device reaches it, as the server writes into it. */
export const alone = "alone" in document.documentElement.dataset;

/** Get `path`: {ok, status, error, body}. */
export const get = (path) => call(path);

/** Post `told` to `path`: {ok, status, error, body}. Nothing is ever sent again by itself. */
export const post = (path, told) =>
  call(path, { method: "POST", headers: HEADERS, body: JSON.stringify(told) }, ACTS.has(path) && !told.try);

/** Make what a button does: busy from the tap on until it is done, and deaf to further taps meanwhile. */
export const once = (does) => async ({ currentTarget: button }) => {
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  try {
    await does();
  } finally {
    button.ariaBusy = null;
  }
};

async function call(path, how, unsure) {
  const line = new AbortController();
  const timer = setTimeout(() => line.abort(), PATIENCE_MS);
  try {
    const answer = await fetch(path, { cache: "no-store", signal: line.signal, ...how });
    const text = await answer.text();
    const body = read(text);
    const error = answer.ok ? "" : body?.error || say("The box answered {status}.", { status: answer.status });
    return { ok: answer.ok, status: answer.status, error, body };
  } catch {
    const error = unsure ? say("Not sure whether it arrived: look at the table.") : say("The box does not answer.");
    return { ok: false, status: 0, error, body: null };
  } finally {
    clearTimeout(timer);
  }
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
