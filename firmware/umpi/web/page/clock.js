// The clock of this page: exchanges with the box, so that a press counts by when it happened, not by when it arrived.

import { post } from "./send.js";

const BURST = 8; // exchanges at once, because the quickest one counts, and a radio that is awake answers quicker
const SOON_MS = 200; // the box takes ten a second for long, and 40 at once
const OPENED_MS = 60; // while a race has just opened
const RACE_MS = 500;
const QUIET_MS = 10_000;
const SLEPT_MS = 50; // if this clock is behind the time of day by more, it did not run while the phone slept
const COARSEST_US = 100_000;

let run; // a name for the time in which this clock runs without a stop
let started; // the time of day less this clock, in ms, when the run began
let burst; // exchanges to make at once
let last; // the number of the last one, and when its reply arrived
let back_us;
let keyed = false; // whether a key is down
let wanted = false;
let racing = false;
let pressed_ms = 0; // when somebody last pressed something
let wake = () => {};
const step_us = stepOf();

const us = (ms) => Math.round(ms * 1000);

for (const kind of ["pointerdown", "keydown", "click"]) {
  addEventListener(kind, ({ type, detail, timeStamp }) => {
    if (type === "keydown") keyed = true;
    if (type === "click" && (detail || keyed)) return; // a press has led to it; without one, it is a screen reader
    const now_ms = performance.now();
    pressed_ms = timeStamp > 0 ? Math.min(timeStamp, now_ms) : now_ms;
  }, true);
}
addEventListener("keyup", () => setTimeout(() => { keyed = false; }), true); // the click of a space bar comes in between
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  begin();
  wake();
});
begin();
follow();

/** Exchange times with the box if this phone is paired, more often while players race. */
export function keepTime(paired, race) {
  const opened = race && !racing;
  const soon = paired && (!wanted || opened);
  [wanted, racing] = [paired, race];
  if (opened) burst = BURST; // the bounds are narrow just when somebody may press
  if (soon) wake();
}

/** Return the time of the last press on this clock, undefined if the box does not know this clock yet. */
export function stamp() {
  if (slept()) begin();
  return last ? { run, at_us: us(pressed_ms) } : undefined;
}

function begin() {
  [burst, last, back_us] = [BURST, 0, 0];
  started = Date.now() - performance.now();
  run = `${Date.now()}.${us(performance.now())}`;
}

const slept = () => Math.abs(Date.now() - performance.now() - started) > SLEPT_MS;

async function follow() {
  for (;;) {
    if (wanted && !document.hidden) await exchange();
    const soon_ms = racing ? OPENED_MS : SOON_MS;
    const pause_ms = burst > 0 ? soon_ms : racing ? RACE_MS : QUIET_MS;
    await new Promise((go) => {
      wake = go;
      setTimeout(go, wanted ? pause_ms : QUIET_MS);
    });
  }
}

async function exchange() {
  if (slept()) begin();
  const own = run;
  const { ok, status, body } = await post("api/clock", { run, step_us, sent_us: us(performance.now()), last, back_us });
  const now_us = us(performance.now());
  if (own !== run) return;
  burst = Math.max(0, burst - 1); // also a refused one, so that the next ones come no faster
  if (ok) [last, back_us] = [body.id, now_us];
  if (status === 401) wanted = false; // this phone has been unpaired
}

/** Return the steps in which this clock advances, in microseconds: browsers round it. */
function stepOf() {
  let least_ms = Infinity;
  let before_ms = performance.now();
  for (let tries = 0, steps = 0; tries < 100_000 && steps < 5; tries += 1) {
    const now_ms = performance.now();
    if (now_ms === before_ms) continue;
    least_ms = Math.min(least_ms, now_ms - before_ms);
    before_ms = now_ms;
    steps += 1;
  }
  return Math.min(COARSEST_US, Math.ceil(least_ms * 1000) + 1);
}
