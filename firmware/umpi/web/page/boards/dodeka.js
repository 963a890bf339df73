// Dodéka: the three dice with their combination, the throws used, and the track with a stone for each player.

import { say } from "../words.js";
import { board, circle, cluster, die, path, stone, text, times } from "./shapes.js";

const THROWS = 3;
const STEPS = 7; // numbers along the track after its start
const NAMES = { brelan: () => say("brelan"), thirteen: () => say("thirteen"), suite: () => say("suite"), pair: () => say("pair"), sum: () => say("sum"), pairtraiz: () => say("pairtraiz") };

/** Draw a match of Dodéka. */
export function dodeka({ facts, players, turn }, small) {
  const { dice, points, target, last, combination, worth, throws_left: left, pairtraiz } = facts;
  const [width, height] = small ? [360, 270] : [640, 400];
  const [r, top, edge] = small ? [29, 40, 14] : [54, 78, 30];
  const lane = small ? 26 : 46;
  const way = snake(small ? { left: 34, right: 326, top: 112, pitch: 45, rows: 4 } : { left: 66, right: 574, top: 206, pitch: 74, rows: 3 });
  const [name, score] = dice.length ? [combination, worth] : last ? [last.combination, last.points] : [];
  const by = !dice.length && last ? players[last.seat] : null;
  return board("dodeka", [width, height], say("Points: {who}. Goal: {target}.", { target, who: players.map(({ seat, name: who }) => `${who} ${points[seat]}`).join(", ") }),
    times(THROWS, (nth) => die(`die-${nth}`, dice[nth] ?? "", edge + r + nth * r * 2.25, top, r, null, dice.length ? "" : "empty")),
    name && [
      text(width - edge, top - r * 0.3, r * 0.6, NAMES[name]?.() ?? name, by ? "end soft" : "end strong", width - edge * 2 - r * 7.2),
      text(width - edge, top + r * 0.48, r * 0.54, name === "pairtraiz" ? "13!" : `+${score}`, by ? "end soft" : "end gold"),
      by && stone("last", by.button, width - edge - r * 2.1, top + r * 0.28, r * 0.28),
    ],
    dice.length > 0 && times(THROWS, (nth) => circle(nth < THROWS - left ? "throw b-used" : "throw", width - edge - r * 0.16 - (THROWS - 1 - nth) * r * 0.42, top + r * 0.88, r * 0.13)),
    path("lane", way.line, lane),
    ticks(way, small),
    times(STEPS + 1, (step) => mark(way.at(step / STEPS), step, target, lane, small)),
    stones(players, points, target, way, width, small ? 12 : 20, (seat) => (pairtraiz.includes(seat) ? "lucky" : seat === turn ? "acts" : "")),
  );
}

/** Draw ten dots for each step along the way, as one line of round points. */
function ticks(way, small) {
  const dots = times(STEPS * 10, (ten) => way.at(ten / (STEPS * 10)).map((at) => at.toFixed(1)).join(" "));
  return path("ticks", dots.map((dot, ten) => (ten % 10 ? `M${dot}h0` : "")).join(""), small ? 2.2 : 3.6);
}

function mark([x, y], step, target, lane, small) {
  if (step === STEPS) return [circle("goal", x, y, lane * 0.46), text(x, y + lane * 0.12, lane * 0.36, target, "on-gold strong", lane * 0.86)];
  return [path("mile", `M${x.toFixed(1)} ${(y - lane * 0.4).toFixed(1)}v${(lane * 0.8).toFixed(1)}`), text(x, y - lane * 0.6, small ? 11 : 15, Math.round((step * target) / STEPS), "soft")];
}

/** Draw the stones; those that are close to each other stand side by side. */
function stones(players, points, target, way, width, r, lookOf) {
  const groups = [];
  for (const player of players) {
    const at = Math.min(Math.max(points[player.seat] / target, 0), 1);
    const near = groups.find((one) => Math.abs(one.at - at) * way.length < r * 1.9);
    near ? near.members.push(player) : groups.push({ at, members: [player] });
  }
  return groups.flatMap(({ at, members }) => cluster(members.length, r).map(([dx, dy, size], nth) => {
    const [[x, y], { seat, button }] = [way.at(at), members[nth]];
    const clear = size + 3; // of the edge, in the bends
    return stone(`stone-${seat}`, button, Math.min(Math.max(x + dx, clear), width - clear), y + dy, size, lookOf(seat));
  }));
}

/** Return a way in rows with half circles at their ends: its line, its length, and where a share of it lies. */
function snake({ left, right, top, pitch, rows }) {
  const [row, bend] = [right - left, (Math.PI * pitch) / 2];
  const length = rows * row + (rows - 1) * bend;
  let line = `M${left} ${top}`;
  for (let nth = 0; nth < rows; nth += 1) {
    const [end, y] = [nth % 2 ? left : right, top + nth * pitch];
    line += `H${end}`;
    if (nth < rows - 1) line += `A${pitch / 2} ${pitch / 2} 0 0 ${nth % 2 ? 0 : 1} ${end} ${y + pitch}`;
  }
  function at(share) {
    const far = share * length;
    const nth = Math.min(Math.floor(far / (row + bend)), rows - 1);
    const rest = far - nth * (row + bend);
    const [y, forward] = [top + nth * pitch, nth % 2 === 0];
    if (rest <= row) return [forward ? left + rest : right - rest, y];
    const turn = (rest - row) / (pitch / 2);
    const out = Math.sin(turn) * (pitch / 2);
    return [forward ? right + out : left - out, y + (1 - Math.cos(turn)) * (pitch / 2)];
  }
  return { line, length, at };
}

/** Return the pieces that a call is about. */
export const ofDodeka = ({ kind, seat }) => (kind === "pairtraiz" ? ["die-0", "die-1", "die-2", `stone-${seat}`] : kind === "scored" ? [`stone-${seat}`] : []);
