// The buzzer of a player's phone: one button in the seat's colour, always in one place. It acts as soon as it is touched.

import { fill, make } from "./make.js";
import { BUTTONS, mark } from "./seats.js";
import { say } from "./words.js";

/** Return the ask that is answered by being first: its only answer is a seat that buzzes. */
export const raceOf = (asks) => asks.find(({ fields, more }) => fields.length === 1 && !more && fields[0].source === "buzz");

/** Return whether anybody may buzz now. */
export const isOpen = (race) => race?.fields[0].options.some(({ off }) => !off) ?? false;

/** Show the buzzer of the seat of `me` in `place`, if the game has one; `press(ask)` is called at a touch. */
export function showBuzzer(place, me, race, busy, press) {
  const option = race?.fields[0].options.find(({ value }) => value === me.seat);
  const why = option ? option.off : say("Not now.");
  const hit = () => {
    if (why || busy) return;
    navigator.vibrate?.(40);
    press(race);
  };
  fill(place, make(
    "button",
    {
      type: "button", class: `hit ${me.button}`, "data-key": "buzz", "aria-disabled": why && "true", "aria-busy": busy && "true",
      onpointerdown: ({ isPrimary, button }) => isPrimary && button === 0 && hit(),
      onclick: ({ detail }) => detail === 0 && hit(), // the keyboard, or a reader
    },
    make("span", { class: "what" }, mark(BUTTONS.indexOf(me.button)), why ? me.name : say("Buzz!")),
    why && make("span", { class: "why" }, why),
  ));
}
