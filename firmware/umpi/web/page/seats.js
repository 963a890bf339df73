// The look of the seats: each of the six buttons has a colour and a mark, because colour alone is not enough.

import { make } from "./make.js";
import { say } from "./words.js";

export const BUTTONS = ["red", "blue", "yellow", "green", "white", "black"]; // from the left
const NAMES = [() => say("red"), () => say("blue"), () => say("yellow"), () => say("green"), () => say("white"), () => say("black")];
export const MARKS = ["●", "■", "▲", "◆", "○", "✕"];

/** Return the name of a button, 0 to 5 from the left. */
export const nameOf = (button) => NAMES[button]();

/** Make the mark of a button, 0 to 5 from the left; screen readers read the name beside it instead. */
export function mark(button) {
  if (button == null) return null;
  return make("span", { class: `mark ${BUTTONS[button]}`, "aria-hidden": "true" }, MARKS[button]);
}

/** Make the name of a seat after its mark. */
export function called(players, seat) {
  const player = players[seat];
  return player ? [mark(player.button), make("span", { class: "name" }, player.name)] : [];
}
