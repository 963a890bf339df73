// The board of a foreign game, which its package brings as data: lines of pieces, tracks and grids from top to bottom.

import { say, sayN } from "../words.js";
import { back, backs, board, circle, cluster, die, faced, group, lettered, path, rect, seatLook, square, stone, text, tile, times } from "./shapes.js";

const LINES = 3; // a line of pieces that needs more of them has smaller pieces
const BENDS = 5; // the same of a track
const LEAST = 16; // of a piece

const INKS = { // for each colour of a card the mark that says the same, as the mark of a button does, and its word
  black: [null, () => ""], red: [0, () => say("red")], blue: [1, () => say("blue")], yellow: [2, () => say("yellow")],
  green: [3, () => say("green")], purple: [4, () => say("purple")], grey: [5, () => say("grey")],
};

/** Draw the board that a match brings. */
export function foreign({ board: parts, players }, small) {
  const [width, pad, unit, size, tallest] = small ? [360, 12, 42, 15, 380] : [640, 24, 62, 22, 520];
  const room = width - 2 * pad;
  let y = pad;
  const drawn = parts.map((part) => {
    const label = part.label !== "" && text(pad, y + size * 0.8, size, part.label, "start soft", room);
    if (label) y += size * 1.4;
    const { height, inside } = PARTS[part.kind].layOut(part, { players, unit, room, tallest });
    const whole = group("", pad, y, inside);
    y += height + size;
    return [label, whole];
  });
  const sentence = parts.map((part) => labelled(part.label, PARTS[part.kind].inWords(part, players))).join("; ");
  return board("foreign", [width, y - size + pad], sentence, drawn);
}

/** Return the pieces that a call is about. */
export const ofForeign = ({ pieces }) => pieces ?? [];

/** Return the keys that the open question offers. */
export const offeredBy = (question) =>
  new Set((question?.asks ?? []).flatMap(({ fields }) => fields.flatMap(({ options }) => options ?? [])).filter(({ off }) => !off).map(({ value }) => value));

const labelled = (label, words) => (label === "" ? words : `${label}: ${words}`);

// For each part: how it is laid out, as its height and its drawing from its top left corner, and its words for readers who hear it.
const PARTS = {
  line: { layOut: lineOf, inWords: ({ pieces }, players) => listOf(pieces, players) },
  track: { layOut: trackOf, inWords: ({ spaces }, players) => spacesOf(spaces, players) },
  grid: { layOut: gridOf, inWords: ({ rows }, players) => spacesOf(rows.flat().filter(Boolean), players) },
};

function lineOf({ pieces }, { players, unit, room }) {
  let wide = unit;
  let lines = wrapped(pieces, wide, room);
  while (lines.length > LINES && wide > LEAST) lines = wrapped(pieces, (wide *= 0.9), room);
  const high = wide * (pieces.some(({ kind }) => kind === "card" || kind === "pile") ? 1.4 : 1);
  return {
    height: lines.length * high,
    inside: lines.map((line, nth) => line.map(({ piece, from, width }) => drawnPiece(piece, from + width / 2, high * (nth + 0.5), wide * 0.46, players))),
  };
}

/** Return the pieces in lines, each piece with its place; a counter is twice as wide as the others. */
function wrapped(pieces, unit, room) {
  const lines = [[]];
  let from = 0;
  for (const piece of pieces) {
    const width = piece.kind === "counter" ? unit * 2 : unit;
    if (from && from + width > room) {
      lines.push([]);
      from = 0;
    }
    lines.at(-1).push({ piece, from, width });
    from += width;
  }
  return lines;
}

/** Lay out a track: it bends at the edge, and comes back on the next line. */
function trackOf({ spaces }, { players, unit, room }) {
  const wide = Math.max(Math.min(unit, Math.sqrt((room * unit * BENDS) / spaces.length)), LEAST);
  const inLine = Math.floor(room / wide);
  const at = spaces.map((_, nth) => {
    const [line, place] = [Math.floor(nth / inLine), nth % inLine];
    return [wide * ((line % 2 ? inLine - 1 - place : place) + 0.5), wide * (line + 0.5)];
  });
  return {
    height: wide * Math.ceil(spaces.length / inLine),
    inside: [at.length > 1 && path("dots", `M${at.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`), onSpaces(spaces, at, wide * 0.44, players, (r) => circle("space", 0, 0, r))],
  };
}

function gridOf({ rows, shape }, { players, unit, room, tallest }) {
  const hexagons = shape === "hexagons";
  const [columns, step] = [Math.max(...rows.map(({ length }) => length)) + (hexagons ? 0.5 : 0), hexagons ? Math.sqrt(3) / 2 : 1];
  const wide = Math.min(unit * 1.2, room / columns, tallest / (rows.length * step));
  const left = (room - wide * columns) / 2;
  const far = wide / Math.sqrt(3);
  const there = rows.flatMap((row, line) => row.map((space, nth) => space && { space, at: [left + wide * (nth + 0.5 + (hexagons && line % 2 ? 0.5 : 0)), (hexagons ? far : wide / 2) + wide * step * line] })).filter(Boolean);
  const hex = (r) => path("hex", `M${times(6, (nth) => `${(r * 1.13 * Math.sin((nth * Math.PI) / 3)).toFixed(1)} ${(-r * 1.13 * Math.cos((nth * Math.PI) / 3)).toFixed(1)}`).join("L")}Z`);
  const cell = (r) => rect("space", -r, -r, 2 * r, 2 * r, 3);
  return {
    height: wide * step * (rows.length - 1) + (hexagons ? 2 * far : wide),
    inside: onSpaces(there.map(({ space }) => space), there.map(({ at }) => at), wide * 0.48, players, hexagons ? hex : cell),
  };
}

/** Draw spaces at their places, and then their pieces, so that a piece that moves is over all spaces. */
function onSpaces(spaces, at, r, players, ground) {
  return [
    spaces.map(({ key, text: words, pieces }, nth) => tile(key, ...at[nth], ground(r), words !== "" && !pieces.length && text(0, r * 0.24, r * 0.66, words, "soft", r * 1.7))),
    spaces.map(({ pieces }, nth) => within(cluster(pieces.length, r), r * 0.86).map(([x, y, own], place) => drawnPiece(pieces[place], at[nth][0] + x, at[nth][1] + y, own * (REACH[pieces[place].kind] ?? 1), players))),
  ];
}

/** Return the same spots so much smaller that none reaches further than `r`. */
function within(spots, r) {
  const scale = r / Math.max(...spots.map(([x, y, own]) => Math.max(Math.abs(x), Math.abs(y)) + own));
  return spots.map((spot) => spot.map((far) => far * scale));
}

const REACH = { card: 0.58, pile: 0.58, counter: 0.5 }; // half its width, if a piece reaches just as far as its place

/** Draw a piece around a point; `r` is half its width. */
function drawnPiece(piece, x, y, r, players) {
  const { kind, key, text: words, seat, number } = piece;
  const button = seat == null ? null : players[seat].button;
  switch (kind) {
    case "card": return words === "" ? back(key, x - r, y - r * 1.4, 2 * r) : faced(key, words, piece.ink, INKS[piece.ink][0], x - r, y - r * 1.4, 2 * r);
    case "pile": return backs(key, number, x - r, y - r * 1.4, 2 * r);
    case "die": return piece.sides === 6 ? square(key, words, x, y, r * 0.92, button) : die(key, words, x, y, r, button);
    case "token": return words === "" && button != null ? stone(key, button, x, y, r * 0.9) : lettered(key, words, button == null ? "b-nobody" : seatLook(button), button, x, y, r * 0.9);
    case "counter": return tile(key, x, y, rect("ground", -1.9 * r, -0.96 * r, 3.8 * r, 1.92 * r), text(0, r * 0.06, r * 0.86, number, "gold", 3.4 * r), text(0, r * 0.8, r * 0.42, words, "soft", 3.5 * r));
    default: throw new TypeError(`there is no piece ${kind}`);
  }
}

/** Return pieces in words; equal ones are counted. */
function listOf(pieces, players) {
  const counts = new Map();
  for (const piece of pieces) counts.set(pieceInWords(piece, players), (counts.get(pieceInWords(piece, players)) ?? 0) + 1);
  return [...counts].map(([words, count]) => (count > 1 ? `${count} × ${words}` : words)).join(", ") || say("nothing");
}

function spacesOf(spaces, players) {
  const taken = spaces.filter(({ pieces }) => pieces.length);
  return taken.map(({ key, text: words, pieces }) => `${words || key} (${listOf(pieces, players)})`).join(", ") || say("nothing");
}

/** Return a piece in words, for those who hear the board. */
function pieceInWords({ kind, text: words, ink, seat, number }, players) {
  const whose = seat == null ? "" : players[seat].name;
  if (kind === "pile") return sayN("{number} card", "{number} cards", number);
  if (kind === "counter") return `${words} ${number}`;
  if (kind === "card") return words === "" ? say("a card face down") : [words, INKS[ink][1]()].filter(Boolean).join(" ");
  return [whose, words].filter(Boolean).join(" ") || say("a piece");
}
