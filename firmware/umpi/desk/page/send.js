// What this phone asks of the box: JSON out and in, with a sentence where it did not work.

import { say } from "./words.js";

const HEADERS = { "Content-Type": "application/json" };

/** Get `path`: {ok, status, error, body}. */
export const get = (path) => call(path, {});

/** Post `told` to `path`: {ok, status, error, body}. */
export const post = (path, told) => call(path, { method: "POST", headers: HEADERS, body: JSON.stringify(told) });

async function call(path, how) {
  try {
    const answer = await fetch(path, { cache: "no-store", ...how });
    const text = await answer.text();
    const body = read(text);
    const error = answer.ok ? "" : body?.error || say("The box answered {status}.", { status: answer.status });
    return { ok: answer.ok, status: answer.status, error, body };
  } catch {
    return { ok: false, status: 0, error: say("The box does not answer. Nothing was sent."), body: null };
  }
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
