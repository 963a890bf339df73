// Dohdles!: the track with its arrows and tokens, the riddles with their chips and letters, and the cubes that wait.

import { say } from "../words.js";
import { board, circle, cluster, cube, group, keyed, path, rect, seatLook, stone, text, times } from "./shapes.js";

const CLUES = { questions: "?", letter: "A", either: "?A" };
const ONE_ROW = 12; // spaces of the track that fit into one row

/** Draw a match of Dohdles!. */
export function dohdles(match, small) {
  const { facts, players, turn } = match;
  const { riddles, queue, tokens, board: measured } = facts;
  const [width, height] = small ? [360, 300] : [640, 400];
  const pad = small ? 10 : 18;
  const head = small ? 18 : 28;
  const names = Object.keys(riddles);
  const open = names.filter((name) => riddles[name].state === "open").length;
  const wait = queue.map((seat) => (seat == null ? "?" : players[seat].name)).join(", ");
  const track = measured && trackOf(measured.track, players, tokens, turn, pad, queue.length ? head + 4 : pad, width - 2 * pad, small);
  const top = track ? track.bottom + (small ? 8 : 14) : queue.length ? head + 6 : pad;
  return board("dohdles", [width, height], wait ? say("Open riddles: {open}. Cubes in order: {cubes}.", { open, cubes: wait }) : say("Open riddles: {open}.", { open }),
    queue.length > 0 && cubesOf(queue, players, width - pad, head, small),
    track?.inside,
    tiles(match, names, pad, top, width - 2 * pad, height - pad - top, small));
}

/** Draw the cubes in the order in which they came, the first at the left. */
function cubesOf(queue, players, right, head, small) {
  const step = small ? 24 : 36;
  const size = small ? 14 : 21;
  return queue.map((seat, nth) => {
    const x = right - (queue.length - nth - 0.5) * step;
    return [text(x - size * 0.95, head * 0.5 + size * 0.3, size * 0.7, `${nth + 1}.`, "end soft"), cube(seat == null ? `cube-x${nth}` : `cube-${seat}`, seat == null ? null : players[seat].button, x, head * 0.62, size, nth ? "" : "acts")];
  });
}

/** Draw the track in one row or two, the second from right to left; return its drawing and where it ends. */
function trackOf(track, players, tokens, turn, left, top, width, small) {
  const rows = track.length > ONE_ROW ? 2 : 1;
  const columns = Math.ceil(track.length / rows);
  const wide = width / columns;
  const high = small ? (rows > 1 ? 30 : 40) : rows > 1 ? 46 : 62;
  const pitch = high + (small ? 12 : 18);
  const place = (nth) => {
    const [row, column] = [Math.floor(nth / columns), nth % columns];
    return [left + wide * ((row % 2 ? columns - 1 - column : column) + 0.5), top + row * pitch + high / 2];
  };
  const font = small ? 8.5 : 13;
  const r = Math.min(wide * 0.34, high * 0.34);
  const last = track.length - 1;
  const inside = [
    track.map(([back, on], nth) => {
      const [x, y] = place(nth);
      return [
        rect(nth === last ? "space b-final" : nth === 0 ? "space b-hindmost" : "space", x - wide / 2 + 1.5, y - high / 2, wide - 3, high, 5),
        nth === last && path("flag", `M${(x - r * 0.5).toFixed(1)} ${(y + r).toFixed(1)}v${(-r * 2).toFixed(1)}l${(r * 1.2).toFixed(1)} ${(r * 0.45).toFixed(1)}l${(-r * 1.2).toFixed(1)} ${(r * 0.45).toFixed(1)}`),
        nth < last && arrows(x, y + high / 2 + font * 0.95, wide, font, back, on, place(nth + 1)[0] < x),
      ];
    }),
    times(track.length, (nth) => {
      const here = players.filter(({ seat }) => Math.min(Math.max(tokens[seat], 0), last) === nth);
      const [x, y] = place(nth);
      return cluster(here.length, r).map(([dx, dy, size], one) => stone(`token-${here[one].seat}`, here[one].button, x + dx * Math.min(1, wide / (r * 3)), y + dy, size, here[one].seat === turn ? "acts" : ""));
    }),
  ];
  return { inside, bottom: top + (rows - 1) * pitch + high + font };
}

/** Write how far a token goes back and on from a space, each on the side to which it goes; `left` is whether on is left. */
function arrows(x, y, wide, font, back, on, left) {
  const side = (steps, leftwards, look) => steps > 0 && text(x + wide * (leftwards ? -0.22 : 0.22), y, font, leftwards ? `‹${steps}` : `${steps}›`, look, wide * 0.46);
  return [side(back, !left, "back-by"), side(on, left, "on-by")];
}

/** Draw a tile for each riddle: whose it is, its known letters, and its chip on the way of its clues. */
function tiles({ facts, players }, names, left, top, width, height, small) {
  const columns = names.length > 6 || !small ? Math.min(names.length, small ? 4 : 6) : Math.ceil(names.length / 2);
  const rows = Math.max(Math.ceil(names.length / columns), 1);
  const gap = small ? 5 : 9;
  const [wide, high] = [(width - gap * (columns - 1)) / columns, Math.min((height - gap * (rows - 1)) / rows, small ? 110 : 190)];
  return names.map((name, nth) => tile(name, facts, players, left + (nth % columns) * (wide + gap), top + Math.floor(nth / columns) * (high + gap), wide, high, small));
}

function tile(name, { riddles, riddle: now, board: measured }, players, x, y, wide, high, small) {
  const { chip, state, letters, solver } = riddles[name];
  const owner = players["ABCDEF".indexOf(name[0])];
  const s = Math.min(high * 0.16, wide * 0.13);
  const spaces = (measured?.clues.length ?? 7) + 1;
  const spot = (space) => [wide * (0.13 + (0.74 * space) / (spaces - 1)), high * 0.82];
  const size = Math.min(wide * 0.15, high * 0.18);
  const [chipX, chipY] = spot(Math.min(chip, spaces - 1));
  const clue = measured?.clues[chip - 1];
  return group(`b-tile b-${state} ${now === name ? "b-now" : ""}`, x, y,
    rect("ground", 0, 0, wide, high, small ? 6 : 10),
    stone(`owner-${name}`, owner.button, s * 1.5, s * 1.5, s),
    text(s * 3, s * 1.5 + s * 0.6, s * 1.7, name.slice(1), "start strong"),
    solver != null && group(`b-stone ${seatLook(players[solver].button)}`, wide - s * 1.5, s * 1.5, circle("body", 0, 0, s), path("tick-mark", `M${(-s * 0.45).toFixed(1)} 0l${(s * 0.32).toFixed(1)} ${(s * 0.36).toFixed(1)}L${(s * 0.5).toFixed(1)} ${(-s * 0.38).toFixed(1)}`)),
    letters.map((letter, one) => {
      const at = wide * (0.18 + 0.16 * one);
      return [path("dash", `M${(at - size * 0.38).toFixed(1)} ${(high * 0.62).toFixed(1)}h${(size * 0.76).toFixed(1)}`), letter && text(at, high * 0.59, size, letter, "strong")];
    }),
    state === "open" && [
      path("chip-way", `M${spot(0).map((one) => one.toFixed(1)).join(" ")}L${spot(spaces - 1).map((one) => one.toFixed(1)).join(" ")}`),
      times(spaces, (space) => circle(space <= chip ? "dot b-past" : "dot", ...spot(space), small ? 1.8 : 2.6)),
    ],
    state === "open" && chipOf(name, chipX, chipY, Math.min(high * 0.12, wide * 0.1), clue));
}

function chipOf(name, x, y, r, clue) {
  return keyed(group("b-chip", x, y, circle("body", 0, 0, r), clue && text(0, r * 0.45, r * 1.25, CLUES[clue] ?? "", "on-gold strong")), `chip-${name}`);
}

/** Return the pieces that a call is about. */
export const ofDohdles = ({ kind, seat, riddle }) => (kind === "move" ? [`token-${seat}`] : kind === "guess" ? [`cube-${seat}`, `token-${seat}`] : kind === "home" ? [`cube-${seat}`] : riddle ? [`owner-${riddle}`] : []);
