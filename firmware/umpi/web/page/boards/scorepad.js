// Score pad: a bar for each player, made of the rounds; what was taken away is a gap with a dashed edge.

import { board, group, keyed, path, rect, seatLook, stone, text } from "./shapes.js";
import { say } from "../words.js";

const MOST_PARTS = 24; // of a bar: more could not be told apart

/** Draw a score pad. */
export function scorepad({ facts, players, turn }, small) {
  const { rows, totals, left } = facts;
  const [width, height] = small ? [360, 262] : [640, 400];
  const sums = players.map(({ seat }) => partsOf(rows, seat));
  const [low, most] = [Math.min(...sums.flat()), Math.max(1, ...sums.flat())];
  const high = (height - (small ? 16 : 30)) / players.length;
  const [from, to] = [small ? 46 : 78, width - (small ? 78 : 138)];
  const at = (points) => from + ((points - low) / (most - low)) * (to - from);
  return board("scorepad", [width, height], say("Points: {who}.", { who: players.map(({ seat, name }) => `${name} ${totals[seat]}`).join(", ") }),
    players.map(({ seat, name, button }, nth) => {
      const y = (small ? 8 : 15) + high * nth;
      const thick = Math.min(high * 0.5, small ? 30 : 52);
      const barY = y + high * 0.62 - thick / 2;
      const font = Math.min(high * 0.26, small ? 12 : 18);
      return group(`${seatLook(button)} ${left.includes(seat) ? "b-off" : ""}`, 0, 0,
        stone(`seat-${seat}`, button, from * 0.5, barY + thick / 2, Math.min(high * 0.36, small ? 16 : 26), seat === turn ? "acts" : ""),
        text(from, barY - font * 0.3, font, name, "start", to - from),
        rect("bed", from, barY, to - from, thick, 5),
        bars(sums[nth], seat, at, barY, thick, small),
        low < 0 && path("zero", `M${at(0).toFixed(1)} ${(barY - 3).toFixed(1)}v${(thick + 6).toFixed(1)}`),
        text(width - (small ? 8 : 16), barY + thick / 2 + (small ? 9 : 15), Math.min(small ? 26 : 44, high * 0.7), totals[seat], "end strong", width - to - (small ? 14 : 26)));
    }));
}

/** Return the total of a seat after each of its rounds, from 0; of many rounds, those before the last ones are one. */
function partsOf(rows, seat) {
  let sum = 0;
  const sums = rows.map((row) => row[seat]).filter((points) => points != null).map((points) => (sum += points));
  return [0, ...sums.slice(-MOST_PARTS)];
}

function bars(sums, seat, at, y, thick, small) {
  return sums.slice(1).map((sum, nth) => {
    const points = sum - sums[nth];
    const [start, end] = [at(sums[nth]), at(sum)].sort((one, other) => one - other);
    const wide = end - start;
    const less = points < 0;
    const bar = rect(less ? "bar b-minus" : "bar", start + 0.8, less ? y + thick * 0.62 : y, Math.max(wide - 1.6, 1), less ? thick * 0.38 : thick, 4);
    return [keyed(bar, `part-${seat}-${nth}`), !less && wide > (small ? 22 : 34) && text(start + wide / 2, y + thick / 2 + (small ? 4 : 6), small ? 12 : 17, points, "on-seat strong", wide - 4)];
  });
}

/** Return the pieces that a call is about. */
export const ofScorepad = () => [];
