// The shapes that the boards are made of: stones, dice, cards and texts. What may move has a `data-key`.

import { SYMBOLS, faceOf } from "../pieces.js";
import { BUTTONS } from "../seats.js";
import { Sketch } from "../sketch.js";

const LETTER = 0.62; // the width of a letter, as a part of its height
const LEAST = 7.5; // size of a name that can be read

/** Draw one element of a board. Throws TypeError if a number or a text is missing, so that nothing half is ever shown. */
export function shape(tag, bears, ...inside) {
  const texts = {};
  for (const name in bears) {
    const value = bears[name];
    const missing = value === undefined || (name !== "aria-label" && /NaN|undefined|Infinity/.test(value)); // a player may be called so
    if (missing) throw new TypeError(`${tag} has no ${name}`);
    if (value !== "") texts[name] = String(value);
  }
  return new Sketch(tag, texts, inside.flat(Infinity).filter((part) => part != null && part !== false && part !== ""));
}

/** Draw a board of `width` and `height`; screen readers hear its one sentence. */
export const board = (name, [width, height], sentence, ...inside) =>
  shape("svg", { class: `board b-${name}`, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": sentence }, ...inside);

/** Write a text; it becomes smaller where it is wider than `room`. */
export function text(x, y, size, words, look = "", room = Infinity) {
  if (words == null) throw new TypeError("a text is missing");
  const fits = Math.min(size, room / (String(words).length * LETTER));
  return shape("text", { x: round(x), y: round(y), "font-size": round(fits), class: look && `b-${look.replaceAll(" ", " b-")}` }, String(words));
}

/** Return one size for the names of all players, so that each fits into `room`; 0 if nobody could read it. */
export function sizeOfNames(players, size, room) {
  const fits = Math.min(size, room / (Math.max(...players.map(({ name }) => name.length)) * LETTER));
  return fits < LEAST ? 0 : fits;
}

export const group = (look, x, y, ...inside) => shape("g", { class: look, transform: `translate(${round(x)} ${round(y)})` }, ...inside);

/** Return how far the content of an element is moved by the element itself. */
export const ownPlace = (one) => (one.getAttribute("transform")?.match(/^translate\((\S+) (\S+)\)$/) ?? [0, 0, 0]).slice(1).map(Number);

/** Return how far the content of an element of a board is moved from the corner of the board. */
export function placeOf(one) {
  if (one.localName === "svg") return [0, 0];
  const [[x, y], [left, top]] = [ownPlace(one), placeOf(one.parentElement)];
  return [left + x, top + y];
}

export const rect = (look, x, y, width, height, round_ = 6) =>
  shape("rect", { class: `b-${look}`, x: round(x), y: round(y), width: round(Math.max(width, 0)), height: round(Math.max(height, 0)), rx: round_ });
export const circle = (look, x, y, r) => shape("circle", { class: `b-${look}`, cx: round(x), cy: round(y), r: round(r) });
export const path = (look, d, width = "") => shape("path", { class: `b-${look}`, d, "stroke-width": width });
export const times = (number, make) => Array.from({ length: number }, (_, nth) => make(nth));

const round = (number) => Math.round(number * 10) / 10;

/** Let an element move from one drawing to the next by its key. */
export function keyed(drawing, key) {
  drawing.bears["data-key"] = String(key);
  return drawing;
}

/** Draw the mark of a button within a radius, as a path: no font can lack it. */
function markOf(button, r) {
  const corners = (...points) => `M${points.map(([x, y]) => `${round(x * r)} ${round(y * r)}`).join("L")}Z`;
  if (button === 0) return circle("mark", 0, 0, r * 0.5);
  if (button === 1) return path("mark", corners([-0.45, -0.45], [0.45, -0.45], [0.45, 0.45], [-0.45, 0.45]));
  if (button === 2) return path("mark", corners([0, -0.58], [0.56, 0.42], [-0.56, 0.42]));
  if (button === 3) return path("mark", corners([0, -0.62], [0.52, 0], [0, 0.62], [-0.52, 0]));
  if (button === 4) return shape("circle", { class: "b-mark b-open", r: round(r * 0.42), "stroke-width": round(r * 0.2) });
  const far = round(r * 0.4);
  return shape("path", { class: "b-mark b-open", "stroke-width": round(r * 0.24), d: `M${-far} ${-far}L${far} ${far}M${far} ${-far}L${-far} ${far}` });
}

/** Return the class that gives a button its colours. */
export const seatLook = (button) => {
  if (!(button in BUTTONS)) throw new TypeError(`there is no button ${button}`);
  return BUTTONS[button];
};

/** Draw a round stone of a seat. */
export const stone = (key, button, x, y, r, look = "") =>
  keyed(group(`b-stone ${seatLook(button)} ${look && `b-${look}`}`, x, y, circle("body", 0, 0, r), markOf(button, r)), key);

/** Draw a cube; `button` is null if its owner is unknown. */
export function cube(key, button, x, y, size, look = "") {
  const [half, back] = [size / 2, size * 0.2];
  const edge = (...points) => `M${points.map(([a, b]) => `${round(a)} ${round(b)}`).join("L")}Z`;
  return keyed(group(`b-cube ${button == null ? "unknown" : seatLook(button)} ${look && `b-${look}`}`, x, y,
    path("top", edge([-half, -half], [-half + back, -half - back], [half + back, -half - back], [half, -half])),
    path("side", edge([half, -half], [half + back, -half - back], [half + back, half - back], [half, half])),
    rect("body", -half, -half, size, size, 2),
    button == null ? text(0, size * 0.2, size * 0.6, "?", "mark") : markOf(button, half)), key);
}

/** Draw a die of twelve faces from above, with its number; in the colour of a seat it is a dode. */
export function die(key, face, x, y, r, button = null, look = "") {
  const corner = (turn, far) => `${round(far * Math.sin(turn))} ${round(-far * Math.cos(turn))}`;
  const around = (number, far) => times(number, (nth) => corner((2 * Math.PI * nth) / number, far));
  const [outer, inner] = [around(10, r), around(5, r * 0.64)];
  return keyed(group(`b-die ${button == null ? "" : seatLook(button)} ${look && `b-${look}`}`, x, y,
    path("body", `M${outer.join("L")}Z`), path("face", `M${inner.join("L")}Z`),
    path("edges", inner.map((one, nth) => `M${one}L${outer[2 * nth]}`).join("")),
    face !== "" && text(0, r * 0.26, r * 0.74, face, "value", r * 1.1),
    (face === 6 || face === 9) && path("under", `M${round(-r * 0.2)} ${round(r * 0.38)}H${round(r * 0.2)}`)), key);
}

/** Draw a card by its word, such as fire-2, red-club-3 or dudab; width : height = 5 : 7. */
export function card(key, value, x, y, width, look = "") {
  const { number, suit, ink, word } = faceOf(value);
  const symbol = (left, top, size) => shape("path", { class: "b-suit", d: SYMBOLS[suit], transform: `translate(${round(left)} ${round(top)}) scale(${(size / 100).toFixed(3)})` });
  return keyed(group(`b-card b-ink-${ink} ${look && `b-${look}`}`, x, y,
    rect("body", 0, 0, width, width * 1.4, width * 0.1),
    rect("frame", width * 0.07, width * 0.07, width * 0.86, width * 1.26, width * 0.06),
    number != null && text(width * 0.27, width * 0.42, width * 0.38, number, "value"),
    suit && number != null && symbol(width * 0.58, width * 0.16, width * 0.26),
    suit ? symbol(width * (number == null ? 0.18 : 0.24), width * (number == null ? 0.38 : 0.58), width * (number == null ? 0.64 : 0.54)) : text(width / 2, width * 0.8, width * 0.3, word, "value", width * 0.8)), key);
}

/** Draw a card with a short text on it, in an ink with a mark of its own, null for none. */
export const faced = (key, face, ink, mark, x, y, width) =>
  keyed(group(`b-card b-ink-${ink}`, x, y,
    rect("body", 0, 0, width, width * 1.4, width * 0.1),
    rect("frame", width * 0.07, width * 0.07, width * 0.86, width * 1.26, width * 0.06),
    text(width / 2, width * (mark == null ? 0.86 : 0.7), width * 0.5, face, "value", width * 0.76),
    mark != null && group("", width / 2, width * 1.02, markOf(mark, width * 0.26))), key);

/** Draw cards that lie face down on each other, with their number. */
export const backs = (key, number, x, y, width) =>
  tile(key, x, y,
    times(Math.min(number, 3), (nth) => group("b-back", 0, 0, rect("body", nth * 2, (2 - nth) * 2, width - 4, width * 1.4 - 4, width * 0.1))),
    number === 0 && rect("slot", 0, 0, width, width * 1.4, width * 0.1),
    text(width / 2, width * 0.86, width * 0.46, number, "strong", width * 0.76));

/** Draw a die of six faces from above. */
export const square = (key, face, x, y, r, button = null) =>
  keyed(group(`b-die ${button == null ? "" : seatLook(button)} ${face === "" ? "b-empty" : ""}`, x, y,
    rect("body", -r, -r, 2 * r, 2 * r, r * 0.3), rect("face", -0.84 * r, -0.84 * r, 1.68 * r, 1.68 * r, r * 0.3),
    face !== "" && text(0, r * 0.36, r, face, "value", r * 1.5)), key);

/** Draw a round stone with a text above its mark; a stone of nobody has no mark. */
export const lettered = (key, words, look, button, x, y, r) =>
  keyed(group(`b-stone ${look}`, x, y, circle("body", 0, 0, r),
    words !== "" && text(0, r * (button == null ? 0.3 : 0.14), r * 0.8, words, "on-seat strong", r * 1.6),
    button != null && group("", 0, r * 0.58, markOf(button, r * 0.36))), key);

/** Draw anything as one piece at a place. */
export const tile = (key, x, y, ...inside) => keyed(group("b-tile", x, y, inside), key);

/** Draw the back of a card. */
export const back = (key, x, y, width) =>
  keyed(group("b-back", x, y, rect("body", 0, 0, width, width * 1.4, width * 0.1),
    path("weave", `M${round(width * 0.5)} ${round(width * 0.28)}L${round(width * 0.78)} ${round(width * 0.7)}L${round(width * 0.5)} ${round(width * 1.12)}L${round(width * 0.22)} ${round(width * 0.7)}Z`)), key);

/** Draw a pile of cards that a player has won, so small that it stands in a line of text. */
export const pile = (x, y, size) => group("b-back", x, y, times(3, (nth) => rect("body", 0, -nth * size * 0.24, size, size * 0.3, 1)));

/** Draw a deck as a small pile of backs, with the number of its cards below. */
export const deck = (left, x, y, width, size) => [
  times(Math.min(left, 3), (nth) => back(`deck-${nth}`, x + nth * 2.5, y - nth * 2.5, width)),
  left === 0 && rect("slot", x, y, width, width * 1.4, width * 0.1),
  text(x + width / 2, y + width * 1.4 + size * 1.3, size, left, "strong"),
];

/**
 * Draw the hand of a seat from its top left corner: its stone, the backs of its cards as a fan, their number, its name.
 *
 * `names` is the size of the name, 0 for none.
 */
export function hand(player, held, x, y, width, size, names, look = "") {
  const fan = Math.min(held, 7);
  const step = Math.min(size * 0.34, Math.max(width - size * 3.9, 0) / Math.max(fan - 1, 1));
  return [
    stone(`hand-${player.seat}`, player.button, x + size * 0.6, y + size * 0.7, size * 0.56, look),
    times(fan, (nth) => back(`held-${player.seat}-${nth}`, x + size * 1.4 + nth * step, y, size)),
    text(x + size * 2.55 + (fan - 1) * step, y + size * 0.96, size * 0.74, held, "start strong"),
    names ? text(x, y + size * 2.2, names, player.name, "start") : null,
  ];
}

/** Give each copy of the same value a key of its own, in the order of the list. */
export function keysOf(values) {
  const seen = {};
  return values.map((value) => `${value}#${(seen[value] = (seen[value] ?? 0) + 1)}`);
}

/** Return the places and radii of `count` stones at one spot: one in the middle, more in two rows, the lower one centred. */
export function cluster(count, r) {
  if (count < 2) return [[0, 0, r]].slice(0, count);
  const [columns, small] = [Math.ceil(Math.sqrt(count)), r * (count < 3 ? 0.8 : 0.68)];
  const rows = Math.ceil(count / columns);
  return times(count, (nth) => {
    const row = Math.floor(nth / columns);
    const inRow = Math.min(columns, count - row * columns);
    return [((nth % columns) - (inRow - 1) / 2) * small * 2.05, (row - (rows - 1) / 2) * small * 2.05, small];
  });
}
