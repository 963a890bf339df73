// How boards move: a piece with the same key goes from its old place to its new one, a new piece appears.

import { keep } from "../keep.js";
import { ownPlace, placeOf } from "./shapes.js";

const known = new WeakMap(); // for each place with a board that was seen, where its pieces are by their keys, in the units of the board
const moving = new WeakMap(); // the pieces that are on their way: {from, to, animation}
const calms_ms = {}; // with and without motion
const LIT_MS = 1200; // how long a piece is lit
const ends = new WeakMap(); // for each place the timer that ends it

/**
 * Show the board `next` in `place`; the pieces with the keys in `lit` are what a call is about, and light up.
 *
 * `seen` tells whether the place is visible: nothing moves from where nobody saw it. Nothing is measured here, because
 * a browser would have to lay out the page in the middle of its changes.
 */
export function move(place, next, lit = [], seen = true) {
  const before = whereabouts(place);
  const putOut = () => place.querySelectorAll(".b-lit").forEach((one) => one.classList.remove("b-lit"));
  putOut();
  keep(place, [next]);
  const pieces = [...place.querySelectorAll("[data-key]")];
  for (const one of pieces) {
    moving.get(one)?.animation.cancel();
    moving.delete(one);
  }
  const now = new Map(seen ? pieces.map((one) => [one.dataset.key, placeOf(one)]) : []);
  known.set(place, now);
  const duration = before.size && seen ? calm_ms() : 0; // 0 for those who want no motion
  for (const one of pieces) {
    const { key } = one.dataset;
    if (lit.includes(key)) one.classList.add("b-lit");
    if (duration) travel(one, before.get(key), now.get(key), duration);
  }
  clearTimeout(ends.get(place));
  if (lit.length) ends.set(place, setTimeout(putOut, LIT_MS));
}

/** Return how long pieces move, in ms. The styles say it; they are asked once, because a browser styles the whole page to answer. */
function calm_ms() {
  const { matches } = matchMedia("(prefers-reduced-motion: reduce)");
  return (calms_ms[matches] ??= parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--calm")) * 1000);
}

/** Return where the pieces of the board in `place` are seen, also those that are on their way. */
function whereabouts(place) {
  const before = new Map(place.firstElementChild && known.get(place));
  for (const one of place.querySelectorAll("[data-key]")) {
    const way = moving.get(one);
    if (way?.animation.playState === "running") before.set(one.dataset.key, along(way));
  }
  return before;
}

function along({ from, to, animation }) {
  const { progress } = animation.effect.getComputedTiming();
  return from.map((start, axis) => start + (to[axis] - start) * progress);
}

function travel(one, from, to, duration) {
  const easing = "cubic-bezier(.2, .8, .3, 1)";
  if (!from) {
    one.animate([{ opacity: 0 }, { opacity: 1 }], { duration, easing });
    return;
  }
  const [x, y] = [from[0] - to[0], from[1] - to[1]];
  if (Math.hypot(x, y) < 1) return;
  const [left, top] = ownPlace(one);
  const way = [{ transform: `translate(${left + x}px, ${top + y}px)` }, { transform: `translate(${left}px, ${top}px)` }];
  moving.set(one, { from, to, animation: one.animate(way, { duration, easing }) });
}
