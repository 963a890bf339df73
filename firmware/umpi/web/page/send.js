// Requests to the box: JSON in both directions, and a message if a request fails.

import { say } from "./words.js";

const HEADERS = { "Content-Type": "application/json" };
export const TWICE_MS = 400; // a second tap within this time after what the first has changed belongs to a double tap
const PATIENCE_MS = 5000; // an answer takes a few ms; after this, the box counts as away
const ACTS = new Set(["api/act", "api/undo", "api/amend", "api/settle", "api/start", "api/rematch", "api/leave", "api/resume"]); // the box may do these even if no answer arrives

/** Whether only this computer can reach the page, and whether the box runs in this browser; marks of the server. */
export const alone = "alone" in document.documentElement.dataset;
export const inTab = "tab" in document.documentElement.dataset;

/** Return why phones cannot reach the box. */
export const whyAlone = () => say(inTab ? "This box runs in this browser. Phones cannot reach it." : "Phones cannot reach this computer. Restart with: ./scripts/play --lan");

/** Get `path`; return {ok, status, error, body}. Some answers take the box longer than `patience_ms`. */
export const get = (path, patience_ms = PATIENCE_MS) => call(path, {}, false, patience_ms);

/** Return what gets a path like `get`, or nothing without one; the answer is null if something newer has been asked meanwhile. */
export function newest() {
  let last = null;
  return async (path) => {
    const own = last = {};
    const answer = path ? await get(path) : { ok: true, body: null };
    return own === last ? answer : null;
  };
}

/** Post `request` to `path`; return {ok, status, error, body}. No request is repeated automatically. */
export const post = (path, request, patience_ms = PATIENCE_MS) =>
  call(path, { method: "POST", headers: HEADERS, body: JSON.stringify(request) }, ACTS.has(path) && !request.try, patience_ms);

/** Wrap the action of a button: the button is busy until the action is finished, and ignores taps meanwhile. */
export const once = (does) => async ({ currentTarget: button }) => {
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  try {
    await does();
  } finally {
    button.ariaBusy = null;
  }
};

async function call(path, how, unsure, patience_ms = PATIENCE_MS) {
  const line = new AbortController();
  const timer = setTimeout(() => line.abort(), patience_ms);
  try {
    const answer = await fetch(path, { cache: "no-store", signal: line.signal, ...how });
    const text = await answer.text();
    const body = read(text);
    const error = answer.ok ? "" : body?.error || say("Box error: {status}.", { status: answer.status });
    return { ok: answer.ok, status: answer.status, error, body };
  } catch {
    const error = unsure ? say("Your entry may not have arrived. Check the table.") : say("No reply from the box.");
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
