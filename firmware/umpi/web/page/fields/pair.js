// Two small questions in sequence, for example face and hexagon, as one grid: one tap answers both.

import { make } from "../make.js";
import { drawingOf, kindOf } from "../pieces.js";
import { isSeat, toolbar } from "./options.js";
import { say } from "../words.js";

const BESIDE = 9; // letters: a longer label is above the buttons of its row

/** Return whether two fields fit a grid: at most twelve values by six. */
export function fitsGrid(one, other) {
  const [rows, columns] = [choices(one), choices(other)];
  if (!rows || !columns || isSeat(one) || isSeat(other)) return false;
  return Math.max(rows.length, columns.length) <= 12 && Math.min(rows.length, columns.length) <= 6 && rows.length * columns.length > 6;
}

/** Make the grid; `pick({name: value, name: value})` receives both answers. */
export function pairGrid(one, other, pick, hand) {
  const [down, across] = choices(one).length >= choices(other).length ? [one, other] : [other, one];
  const columns = choices(across);
  const short = columns.every(({ label }) => label.length < 3);
  const head = short && make("div", { class: "line heads", "aria-hidden": "true" }, make("span"), columns.map(({ label }) => make("span", {}, label)));
  const known = new Map(); // what each button answers, by its key
  const cell = (row, column) => {
    const key = JSON.stringify([row.value, column.value]);
    known.set(key, [row, column]);
    return make("button", {
      type: "button",
      class: "option",
      "data-key": key,
      "aria-label": `${down.label} ${row.label}, ${across.label} ${column.label}`,
      "aria-disabled": (row.off || column.off) && "true",
    }, short ? `${row.label}×${column.label}` : column.label);
  };
  const tap = (key) => {
    const [row, column] = known.get(key);
    const off = row.off || column.off;
    off ? hand.refuse(off) : pick({ [down.name]: row.value, [across.name]: column.value });
  };
  const lines = choices(down).map((row) =>
    make("div", { class: "line" }, make("span", { class: "head", "aria-hidden": "true" }, drawingOf(kindOf(hand.pieces, down.name), row.value, row.label) ?? row.label), columns.map((column) => cell(row, column))));
  const letters = Math.max(...choices(down).map(({ label }) => label.length));
  const bar = toolbar(say("{one} and {other}", { one: down.label, other: across.label }), `pair ${letters > BESIDE ? "above" : ""}`, [head, lines], tap, { wide: columns.length, letters });
  return make("div", {}, short && make("p", { class: "asks" }, say("Down: {one} · Across: {other}", { one: down.label, other: across.label })), bar);
}

/** Return the values of a small field as options, or null for another field. */
export function choices(field) {
  if (field.optional) return null;
  if (field.kind === "pick") return field.options;
  if (field.kind !== "number" || field.high - field.low > 12) return null;
  const numbers = Array.from({ length: field.high - field.low + 1 }, (_, step) => field.low + step);
  const options = numbers.map((value) => ({ value, label: String(value), words: [String(value)], off: "" }));
  return field.null ? [...options, { value: null, label: say("none"), words: [say("none")], off: "" }] : options;
}
