// The pieces of a game, drawn from their values: cards, dice and dodes. The document says which fields name a piece.

import { draw, make } from "./make.js";
import { say } from "./words.js";

// Each symbol is in a square of 100; a part inside another part is a hole. They are those of the printed cards.
export const SYMBOLS = {
  fire: "M 50 4 C 56 24 84 38 84 66 C 84 86 68 97 50 97 C 32 97 16 86 16 66 C 16 50 26 42 30 30 C 36 38 40 42 42 44 C 50 34 52 20 50 4 Z M 50 60 C 58 68 64 74 64 82 C 64 90 58 94 50 94 C 42 94 36 90 36 82 C 36 74 44 70 50 60 Z",
  water: "M 50 5 C 62 28 82 46 82 66 C 82 84 68 96 50 96 C 32 96 18 84 18 66 C 18 46 38 28 50 5 Z M 30 62 C 30 78 40 87 52 88 C 42 82 37 74 37 62 Z",
  air: "M 8 30 L 52 30 C 64 30 64 12 54 12 C 48 12 45 16 45 20 L 37 20 C 37 10 44 4 54 4 C 74 4 74 38 52 38 L 8 38 Z M 8 47 L 80 47 C 88 47 90 36 82 35 C 78 35 76 38 76 41 L 68 41 C 68 32 75 27 83 27 C 102 29 100 55 80 55 L 8 55 Z M 8 64 L 62 64 C 88 64 86 96 64 96 C 54 96 47 90 47 81 L 55 81 C 55 85 58 88 64 88 C 76 88 74 72 62 72 L 8 72 Z",
  earth: "M 3 92 L 38 20 L 54 52 L 66 34 L 97 92 Z M 38 33 L 47 53 L 40 48 L 34 55 L 28 53 Z",
  ether: "M 50 2 C 54 34 66 46 98 50 C 66 54 54 66 50 98 C 46 66 34 54 2 50 C 34 46 46 34 50 2 Z M 50 40 L 60 50 L 50 60 L 40 50 Z",
  hand: "M 34 98 L 32 74 C 22 66 14 56 6 46 C 2 40 10 34 15 39 L 28 52 L 24 18 C 23 10 33 9 35 17 L 41 44 L 43 8 C 43 1 53 1 54 8 L 56 44 L 62 12 C 64 5 73 7 72 15 L 69 48 L 78 26 C 81 19 89 23 87 30 L 78 62 C 76 76 72 82 70 98 Z",
  mammoth: "M 6 62 C 6 40 18 26 34 26 C 38 14 52 8 62 14 C 70 10 82 14 86 26 C 94 32 96 46 94 60 C 93 72 92 80 96 86 C 90 92 84 84 84 74 C 84 68 82 62 78 60 C 80 70 74 78 64 76 C 70 72 72 66 70 60 L 68 62 L 68 92 L 56 92 L 54 72 L 36 72 L 34 92 L 20 92 L 18 70 C 14 76 12 80 8 84 C 6 76 6 70 6 62 Z M 76 30 L 81 30 L 81 35 L 76 35 Z",
  club: "M 12 96 C 6 94 4 90 8 84 L 48 40 C 50 22 62 6 78 4 C 92 2 99 12 96 26 C 93 42 78 52 62 54 L 18 95 C 16 97 14 97 12 96 Z M 66 30 L 72 24 L 78 30 L 72 36 Z M 80 16 L 85 11 L 90 16 L 85 21 Z",
  hide: "M 20 6 L 34 18 C 44 22 56 22 66 18 L 80 6 L 92 20 L 80 34 C 76 46 76 56 80 66 L 94 80 L 82 94 L 66 82 C 56 80 54 84 50 96 C 46 84 44 80 34 82 L 18 94 L 6 80 L 20 66 C 24 56 24 46 20 34 L 8 20 Z",
  shaman: "M 50 98 C 30 98 22 74 22 54 C 10 46 4 30 8 8 C 16 24 24 30 32 32 C 42 26 58 26 68 32 C 76 30 84 24 92 8 C 96 30 90 46 78 54 C 78 74 70 98 50 98 Z M 32 52 L 45 57 L 34 63 Z M 68 52 L 55 57 L 66 63 Z M 40 77 L 60 77 L 56 84 L 44 84 Z",
  dudab: "M 10 12 L 90 12 C 95 12 98 15 98 20 L 98 62 C 98 67 95 70 90 70 L 52 70 L 30 94 L 32 70 L 10 70 C 5 70 2 67 2 62 L 2 20 C 2 15 5 12 10 12 Z M 44 20 L 56 20 L 54 46 L 46 46 Z M 45 52 L 55 52 L 55 62 L 45 62 Z",
  jungle: "M 8 92 C 4 50 30 8 94 6 C 92 70 50 96 16 86 L 10 98 L 4 96 Z M 20 80 C 34 60 50 42 72 28 C 54 46 38 64 24 84 Z",
  baby: "M 90 54 C 90 76 72 94 50 94 C 28 94 10 76 10 54 C 10 32 28 14 46 14 C 44 6 52 2 58 6 C 54 8 54 12 56 14 C 74 17 90 34 90 54 Z M 32 46 L 40 46 L 40 55 L 32 55 Z M 60 46 L 68 46 L 68 55 L 60 55 Z M 34 66 C 40 80 60 80 66 66 C 60 72 40 72 34 66 Z",
};
const SIGNS = { "🔥": "fire", "💧": "water", "💨": "air", "⛰": "earth", "✦": "ether" };
const WORDS = { "🔥": () => say("fire"), "💧": () => say("water"), "💨": () => say("air"), "⛰": () => say("earth"), "✦": () => say("ether") };
const COLOURS = ["red", "blue", "yellow", "green"];
const INKS = { fire: "red", water: "blue", air: "purple", earth: "green", ether: "yellow", jungle: "purple", baby: "grey" };
const EDGE = 19; // of a die, from its middle
const FACE = 11.5;

/** Return which piece the values of a field are, undefined if they are none; parts of a field have its name first. */
export const kindOf = (pieces, name) => pieces?.[name.split(" ")[0]];

/** Return a value as it is seen: its drawing with its text for readers, or its text if it is no piece. */
export function drawn(kind, value, text) {
  const drawing = drawingOf(kind, value, text);
  return drawing ? [drawing, make("span", { class: "unseen" }, inWords(text))] : text;
}

/** Return the drawing of a value alone, for a place that has another text for readers; null if it is no piece. */
export function drawingOf(kind, value, text) {
  return kind === "card" ? copied(card, value) : kind === "die" || kind === "dode" ? copied(die, kind, text) : null;
}

const made = new Map(); // drawings by what they show, because a copy costs less than a new one

/** Return a new copy of what `draws` draws of these values. */
function copied(draws, ...values) {
  const key = JSON.stringify([draws.name, ...values]);
  if (!made.has(key)) made.set(key, draws(...values));
  return made.get(key)?.cloneNode(true) ?? null;
}

/** Return a text with its signs of elements drawn, because a font may lack them; readers hear words. */
export function signed(text) {
  return text.split(/(🔥|💧|💨|⛰|✦)/u).filter(Boolean).map((part) => (part in SIGNS ? [
    draw("svg", { class: "sign", viewBox: "0 0 100 100", "aria-hidden": "true" }, draw("path", { d: SYMBOLS[SIGNS[part]] })),
    make("span", { class: "unseen" }, `${WORDS[part]()} `),
  ] : part));
}

/** Return a text with words for its signs of elements, because a voice drops them or gives them other names. */
export const inWords = (text) => String(text).replace(/(🔥|💧|💨|⛰|✦) ?/gu, (_, sign) => `${WORDS[sign]()} `).trimEnd();

/** Return the drawings of all pieces that an act names, in its order. */
export function inAct(pieces, { do: verb, at, by, ...line }) {
  return Object.entries(line).flatMap(([name, value]) => drawings(pieces, name, value));
}

function drawings(pieces, name, value) {
  if (Array.isArray(value)) return value.flatMap((one) => drawings(pieces, name, one));
  if (value && typeof value === "object") return Object.entries(value).flatMap(([part, one]) => drawings(pieces, part, one));
  const kind = kindOf(pieces, name);
  return [kind === "card" ? card(value) : kind === "die" ? die(kind, String(value)) : null].filter(Boolean);
}

/** Return what is on a card by the parts of its word, such as fire-2: its number, its symbol, its ink and its words. */
export function faceOf(value) {
  const parts = value.split("-");
  const number = parts.find((part) => /^\d+$/.test(part));
  const suit = parts.find((part) => part in SYMBOLS);
  const ink = parts.find((part) => COLOURS.includes(part)) ?? INKS[suit] ?? "black";
  return { number, suit, ink, word: parts.filter((part) => part !== number).join(" ") };
}

/** Draw a card; a word without a symbol is written on it. */
function card(value) {
  if (typeof value !== "string") return null;
  const { number, suit, ink, word } = faceOf(value);
  return draw("svg", { class: `piece card ink-${ink}`, viewBox: "0 0 32 44", "aria-hidden": "true" },
    draw("rect", { class: "paper", x: 1, y: 1, width: 30, height: 42, rx: 4 }),
    suit && draw("path", { class: "suit", d: SYMBOLS[suit], transform: number ? "translate(6 20) scale(.2)" : "translate(4 10) scale(.24)" }),
    !suit && draw("text", { class: "word", x: 16, y: 38, "text-anchor": "middle", textLength: word.length > 5 ? 28 : null }, word),
    number && draw("text", { class: "value", x: 16, y: suit ? 17 : 26, "text-anchor": "middle" }, number));
}

/** Draw a die of twelve faces from above, with the number on its upper face; a dode has its hexagon below. */
function die(kind, text) {
  const [face, hex] = String(text).split(/[x×]/);
  if (!/^\d+$/.test(face)) return null;
  const at = (turn, far) => [22 + far * Math.sin(turn), 22 - far * Math.cos(turn)].map((one) => one.toFixed(1)).join(" ");
  const around = (number, far, from = 0) => Array.from({ length: number }, (_, corner) => at(from + (2 * Math.PI * corner) / number, far));
  const [outer, inner] = [around(10, EDGE), around(5, FACE)];
  return draw("svg", { class: `piece ${kind}`, viewBox: hex == null ? "0 0 44 44" : "0 0 44 60", "aria-hidden": "true" },
    draw("path", { class: "body", d: `M${outer.join("L")}Z` }),
    draw("path", { class: "edges", d: `M${inner.join("L")}Z${inner.map((corner, turn) => `M${corner}L${outer[2 * turn]}`).join("")}` }),
    draw("text", { class: "value", x: 22, y: 27, "text-anchor": "middle" }, face),
    hex != null && draw("text", { class: "hex", x: 22, y: 57, "text-anchor": "middle" }, `⬡ ${hex}`));
}
