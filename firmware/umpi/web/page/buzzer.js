// The buzzer of a player's phone: one button in the seat's colour, always in one place. It acts as soon as it is touched.

import { fill, make } from "./make.js";
import { BUTTONS, mark } from "./seats.js";
import { say } from "./words.js";

/** Return the ask that is answered by being first: its only answer is a seat, by a button or by a cube. */
export const raceOf = (asks) => by(asks, "buzz") ?? by(asks.filter(({ rare }) => !rare), "cube");

const by = (asks, source) => asks.find(({ fields, more }) => fields.length === 1 && !more && fields[0].source === source);

/** Selects a buzzer that shows what became of a press. */
export const OUTCOME = ":is(.pressed, .first, .close, .after, .late)";

/** Return whether anybody may buzz now. */
export const isOpen = (race) => race?.fields[0].options.some(({ value, off }) => value != null && !off) ?? false;

/** Return whether a seat may buzz now. */
export const mayPress = (race, seat) => race?.fields[0].options.some(({ value, off }) => value === seat && !off) ?? false;

/**
 * Show the buzzer of the seat of `me` in `place`, and what became of its press; `press(ask)` is called at a touch.
 *
 * `busy` is whether a press is on its way, `late` whether the box took none because the race was over.
 */
export function showBuzzer(place, { match, seen }, me, race, { busy, late }, press) {
  const option = race?.fields[0].options.find(({ value }) => value === me.seat);
  const why = option ? option.off : say("Not now.");
  const became = busy ? { key: "pressed", text: say("Pressed …") } : outcome(seen, me.seat, late);
  const shut = why || became.key === "late";
  const hit = () => {
    if (shut || busy) return;
    navigator.vibrate?.(40);
    press(race);
  };
  fill(place, make(
    "button",
    {
      type: "button", class: `hit ${me.button} ${became.key}`, "data-key": "buzz", "aria-disabled": shut && "true", "aria-busy": busy && "true",
      onpointerdown: ({ isPrimary, button }) => isPrimary && button === 0 && hit(),
      onkeydown: (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), event.repeat || hit()),
      onclick: ({ detail }) => detail === 0 && hit(), // a screen reader
      oncontextmenu: (event) => event.preventDefault(), // a long touch
    },
    make("span", { class: "who" }, mark(BUTTONS.indexOf(me.button)), make("span", { class: "name" }, match.players[me.seat].name)),
    make("span", { class: "what" }, became.text || (why ? "" : say("Buzz!"))),
    !busy && why && make("span", { class: "why" }, why),
  ));
}

/** Return what became of the press of a seat, by the order in which the box has put the presses. */
function outcome(seen, seat, late) {
  const order = seen?.order ?? [];
  const own = order.findIndex((one) => one.seat === seat);
  if (own < 0) return late ? { key: "late", text: say("Too late") } : { key: "", text: "" };
  if (order[own].close) return { key: "close", text: say("Too close to call") };
  if (own === 0) return { key: "first", text: say("First!") };
  return { key: "after", text: say("Too late: {who} was first", { who: order[0].name }) };
}
