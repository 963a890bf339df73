// Options as buttons: one row for all options with the same first words. Arrow keys move between the buttons.

import { make } from "../make.js";
import { drawingOf, drawn, kindOf } from "../pieces.js";
import { called } from "../seats.js";
import { say } from "../words.js";

/**
 * Make the buttons of `options`; `pick(value)` receives the tapped value.
 *
 * `hand` contains what an answer needs of the table: `players`, `pieces`, `refuse(text)`, and `seat` if only that seat
 * may answer.
 */
export function optionButtons(field, options, pick, hand, { chosen = [], usual } = {}) {
  const seats = isSeat(field);
  const piece = kindOf(hand.pieces, field.name);
  const keyOf = (option) => `${field.name} ${JSON.stringify(option.value)}`;
  const offOf = (option) => option.off || (seats && hand.seat != null && option.value !== hand.seat ? say("Only that player’s phone can do this.") : "");
  const button = (option, short) => {
    const label = short && spoken(option);
    const on = chosen.some((one) => one === option.value);
    return make(
      "button",
      {
        type: "button",
        class: `option ${seats ? "seat" : ""} ${piece ?? ""} ${usual === option.value ? "usual" : ""}`,
        "data-key": keyOf(option),
        "data-value": JSON.stringify(option.value),
        "aria-pressed": chosen.length > 0 && String(on),
        "aria-disabled": offOf(option) && "true",
        "aria-label": label,
      },
      seats && hand.players[option.value] ? called(hand.players, option.value)
        : piece ? (label && drawingOf(piece, option.value, option.label)) || drawn(piece, option.value, option.label) : short || option.label,
      option.left != null && make("span", { class: "left" }, `×${option.left}`),
    );
  };
  const rows = stems(options);
  const row = ([stem, some]) => (stem
    ? make("div", { class: "stem" }, make("span", { class: "head" }, stem), some.map((one) => button(one, brief(one))))
    : make("div", { class: "flow words" }, some.map((one) => button(one))));
  const inside = rows ? rows.map(row) : options.map((one) => button(one));
  const wide = rows ? Math.max(...rows.map(([, some]) => some.length)) : 0;
  const stem = rows ? Math.max(...rows.flatMap(([words]) => words.split(" ").map((word) => word.length))) : 0;
  const word = options.some((one) => one.label.length > 5) ? "words" : options.length % 6 ? "" : "six";
  const kind = rows ? "stems" : seats ? "flow seats" : `flow ${word}`;
  const known = new Map(options.map((option) => [keyOf(option), option]));
  const tap = (key) => {
    const option = known.get(key);
    offOf(option) ? hand.refuse(offOf(option)) : pick(option.value);
  };
  return toolbar(field.label, kind, inside, tap, { wide, stem });
}

/**
 * Make a group of buttons with arrow keys and a single tab stop; `tap(key)` receives the `data-key` of a tapped button.
 *
 * The buttons have no listeners of their own: `keep` compares them with those before by one call of the browser.
 */
export function toolbar(label, kind, inside, tap, vars = {}) {
  const onclick = ({ target }) => {
    const button = target.closest("button");
    if (button) tap(button.dataset.key);
  };
  const bar = make("div", { role: "toolbar", class: `options ${kind}`, "aria-label": label, onclick, onkeydown: walk, onfocusin: rove, vars }, inside);
  bar.classList.toggle("two", bar.childElementCount === 2);
  const buttons = [...bar.querySelectorAll("button")];
  const first = buttons.find((one) => one.ariaPressed === "true") || buttons.find((one) => one.ariaDisabled !== "true") || buttons[0];
  for (const one of buttons) one.tabIndex = one === first ? 0 : -1;
  return bar;
}

/** Make the button with the focus the tab stop of its group. */
function rove({ currentTarget: bar, target }) {
  for (const one of bar.querySelectorAll("button")) one.tabIndex = one === target ? 0 : -1;
}

/** Return whether the values of a field are seats. */
export const isSeat = (field) => field.name === "seat" || field.source === "buzz" || field.source === "cube";

/** Group options by all words except the last; return null if the rows would not help. */
function stems(options) {
  const rows = new Map();
  for (const option of options) {
    const stem = option.words.slice(0, -1).join(" ");
    rows.set(stem, [...(rows.get(stem) || []), option]);
  }
  const long = [...rows.values()].filter((row) => row.length > 1).length;
  const sorted = [...rows].sort(([one], [other]) => (one === "") - (other === "")); // single options come last
  return options.length > 5 && long > 1 && rows.size * 2 <= options.length ? sorted : null;
}

/** Return the last word if the label consists only of the words, because the row shows the others. */
function brief(option) {
  const plain = option.label.replaceAll("-", " ") === option.words.join(" ");
  return plain ? option.words.at(-1) : option.label;
}

const spoken = (option) => (option.words.length > 1 ? option.words.join(" ") : null);

const TO = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Move the focus to the nearest button in the direction of an arrow key. */
function walk(event) {
  const [right, down] = TO[event.key] || [];
  if (right == null) return;
  event.preventDefault();
  event.stopPropagation();
  const middle = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(event.target);
  let best = null;
  let least = Infinity;
  for (const one of event.currentTarget.querySelectorAll("button")) {
    const [to_x, to_y] = middle(one);
    const along = (to_x - x) * right + (to_y - y) * down;
    const aside = Math.abs((to_x - x) * down) + Math.abs((to_y - y) * right);
    if (along > 1 && along + 3 * aside < least) [best, least] = [one, along + 3 * aside];
  }
  best?.focus();
}
