// A chart of the scores after each act, one line per player with the seat's colour and mark.

import { draw } from "./make.js";
import { BUTTONS, MARKS } from "./seats.js";
import { say } from "./words.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [420, 270, 44, 18, 16, 30];

/** Draw `progress`, the scores of `players` after each act. */
export function chart(progress, players) {
  const all = progress.flat();
  const [least, most] = [Math.min(0, ...all), Math.max(1, ...all)];
  const x = (act) => LEFT + (act / Math.max(progress.length - 1, 1)) * (WIDTH - LEFT - RIGHT);
  const y = (score) => TOP + ((most - score) / (most - least)) * (HEIGHT - TOP - BOTTOM);
  const last = progress.at(-1) || [];
  const words = players.map(({ seat, name }) => `${name} ${last[seat] ?? 0}`);
  return draw(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": say("Scores after move {number}: {scores}", { number: progress.length, scores: words.join(", ") }) },
    ticks(least, most).map((score) => draw("g", {},
      draw("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(score), y2: y(score) }),
      draw("text", { x: LEFT - 8, y: y(score) + 5, "text-anchor": "end" }, String(score)))),
    draw("text", { x: LEFT, y: HEIGHT - 6 }, say("start")),
    draw("text", { x: WIDTH - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }, say("move {number}", { number: progress.length })),
    players.map((player) => line(player, progress, x, y)),
  );
}

function line({ seat, button }, progress, x, y) {
  const points = progress.map((scores, act) => [x(act), y(scores[seat])]);
  const marks = [0.2, 0.4, 0.6, 0.8, 1].map((part) => points[Math.round((points.length - 1) * part)]).filter(Boolean);
  return draw(
    "g",
    { class: BUTTONS[button] },
    draw("polyline", { class: "rim", points: points.join(" ") }),
    draw("polyline", { class: "run", points: points.join(" ") }),
    [...new Map(marks.map((at) => [String(at), at])).values()].map(([across, down]) =>
      draw("text", { class: "at", x: across, y: down + 6, "text-anchor": "middle" }, MARKS[button])),
  );
}

/** Return about five round numbers from the least to the most. */
function ticks(least, most) {
  const rough = (most - least) / 4;
  const unit = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((part) => part * unit).find((size) => size >= rough) || unit;
  const first = Math.ceil(least / step);
  return Array.from({ length: Math.floor(most / step) - first + 1 }, (_, place) => (first + place) * step);
}
