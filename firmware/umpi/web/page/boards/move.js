// How boards move: a piece with the same key goes from its old place to its new one, a new piece appears.

import { keep } from "../keep.js";

const known = new WeakMap(); // for each place with a board, where its pieces are by their keys, in the units of the board
const moving = new WeakMap(); // the pieces that are on their way, with their animations

/** Show the board `next` in `place`; the pieces with the keys in `lit` are what a call is about, and light up. */
export function move(place, next, lit = []) {
  const before = whereabouts(place);
  for (const one of place.querySelectorAll(".b-lit")) one.remove(); // so that it can light up again
  keep(place, [next]);
  const board = place.firstElementChild;
  const pieces = [...board.querySelectorAll("[data-key]")];
  for (const one of pieces) {
    moving.get(one)?.cancel();
    moving.delete(one);
  }
  const seen = board.getBoundingClientRect().width > 0;
  const now = new Map(seen ? spots(board, pieces) : []);
  known.set(place, now);
  const duration = calm_ms(); // 0 for those who want no motion
  for (const one of pieces) {
    const { key } = one.dataset;
    if (lit.includes(key)) one.classList.add("b-lit");
    if (duration && before.size && seen) travel(one, before.get(key), now.get(key), duration);
  }
}

const calm_ms = () => parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--calm")) * 1000;

/** Return where the pieces of the board in `place` are seen, also those that are on their way. */
function whereabouts(place) {
  const board = place.firstElementChild;
  if (!board) return new Map();
  const away = [...board.querySelectorAll("[data-key]")].filter((one) => moving.get(one)?.playState === "running");
  return new Map([...(known.get(place) ?? []), ...(away.length ? spots(board, away) : [])]);
}

/** Return the middle of each piece by its key, in the units of its board. */
function spots(board, pieces) {
  const { a: scale, e: left, f: top } = board.getScreenCTM();
  return pieces.map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [one.dataset.key, [(x + width / 2 - left) / scale, (y + height / 2 - top) / scale]];
  });
}

function travel(one, from, to, duration) {
  const easing = "cubic-bezier(.2, .8, .3, 1)";
  if (!from) {
    one.animate([{ opacity: 0 }, { opacity: 1 }], { duration, easing });
    return;
  }
  const [x, y] = [from[0] - to[0], from[1] - to[1]];
  if (Math.hypot(x, y) < 1) return;
  const rests = getComputedStyle(one).transform;
  const stays = rests === "none" ? "" : rests;
  moving.set(one, one.animate([{ transform: `translate(${x}px, ${y}px) ${stays}` }, { transform: stays || "none" }], { duration, easing }));
}
