// Quiz: a lamp that shows whether the question is open, then the order of those who buzzed, and the points below.

import { say } from "../words.js";
import { board, circle, group, rect, sizeOfNames, stone, text } from "./shapes.js";

/** Draw a match of the quiz. */
export function quiz({ facts, players, turn }, small) {
  const { question, queue, locked, left, points, open } = facts;
  const [width, height] = small ? [360, 262] : [640, 400];
  const foot = small ? 66 : 104;
  const names = sizeOfNames(players, small ? 12 : 17, (width - 20) / players.length - 6);
  const waits = new Set(queue);
  const said = queue.map((seat) => (seat == null ? "?" : players[seat].name)).join(", ");
  const sentence = said ? say("Question {question}. Buzzed: {order}.", { question, order: said }) : say("Question {question}.", { question });
  return board("quiz", [width, height], sentence,
    queue.length ? orderOf(queue, players, width, height - foot, small) : lampOf(question, open, width / 2, (height - foot) / 2 + 4, small ? 74 : 118),
    players.map(({ seat, button, name }, nth) => {
      const each = (width - 20) / players.length;
      const x = 10 + each * (nth + 0.5);
      const r = small ? 14 : 22;
      const out = locked.includes(seat) || left.includes(seat);
      return group(out ? "b-off" : "", 0, 0,
        waits.has(seat) ? circle("slot", x, height - foot + r + 4, r) : stone(`buzz-${seat}`, button, x, height - foot + r + 4, r, seat === turn ? "acts" : ""),
        names ? text(x, height - foot + r * 2 + (small ? 17 : 27), names, name) : null,
        text(x, height - (small ? 5 : 8), small ? 14 : 22, points[seat], "strong"));
    }));
}

function lampOf(question, open, x, y, r) {
  return [
    open && [circle("wave", x, y, r * 1.12), circle("wave b-late", x, y, r * 1.12)],
    circle(open ? "lamp b-open" : "lamp", x, y, r * 0.92),
    text(x, y + r * 0.3, r * 0.86, open ? "?" : question, "on-gold strong", r * 1.5),
  ];
}

/** Draw a line for each who buzzed, the first at the top and largest. */
function orderOf(queue, players, width, height, small) {
  const pad = small ? 12 : 26;
  const lines = Math.max(queue.length, 3);
  const high = (height - pad) / lines;
  return queue.map((seat, nth) => {
    const y = pad / 2 + high * (nth + 0.5);
    const r = Math.min(high * 0.42, small ? 22 : 38) * (nth ? 0.84 : 1);
    const from = pad + (small ? 62 : 104);
    const name = seat == null ? "?" : players[seat].name;
    const size = Math.min(high * 0.5, small ? 24 : 40) * (nth ? 0.8 : 1);
    return [
      rect(nth ? "trail" : "trail b-first", from, y - high * 0.42, width - pad - from, high * 0.84, 8),
      text(pad, y + r * 0.42, r * 1.2, `${nth + 1}.`, nth ? "start soft" : "start gold"),
      seat == null ? group("b-stone unknown", from, y, circle("body", 0, 0, r), text(0, r * 0.36, r, "?", "mark strong")) : stone(`buzz-${seat}`, players[seat].button, from, y, r, nth ? "" : "acts"),
      text(from + r + (small ? 10 : 18), y + size * 0.36, size, name, "start strong", width - pad * 2 - from - r),
    ];
  });
}

/** Return the pieces that a call is about. */
export const ofQuiz = ({ seat }) => (seat == null ? [] : [`buzz-${seat}`]);
