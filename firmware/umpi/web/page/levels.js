// Who plays a seat: a person, or the box at one of its levels.

import { make } from "./make.js";
import { once, post } from "./send.js";
import { mark } from "./seats.js";
import { say } from "./words.js";

const PERSON = "person";

/** Return the levels with their labels, and a person first. */
const levels = () => [[PERSON, say("a person")], ["easy", say("Umpi: easy")], ["medium", say("Umpi: medium")], ["strong", say("Umpi: strong")]];

/** Make the choice of who plays a seat; `attributes` are those of the field. Its `level` is "" for a person. */
export function whoPlays(attributes) {
  const who = make("select", attributes, levels().map(([value, label]) => make("option", { value }, label)));
  return {
    element: who,
    get level() { return who.value === PERSON ? "" : who.value; },
    set level(level) { who.value = level || PERSON; },
  };
}

/** Make the part in which the referee's phone gives the seats of a match to the box, and takes them back. */
export function emptySeats({ players }, tell) {
  const row = ({ seat, name, button, level = "" }) => {
    const give = once(async () => {
      const { ok, error } = await post("api/seat", { seat, ...(who.level && { level: who.level }) });
      if (ok) return;
      who.level = level;
      tell(error);
    });
    const who = whoPlays({ "data-key": `occupy ${seat}`, onchange: give });
    who.level = level;
    return make("label", { class: "option-row" }, make("span", {}, mark(button), make("span", { class: "name" }, name)), who.element);
  };
  return make("details", { class: "seats", "data-key": "seats" }, make("summary", {}, say("Umpi plays")), players.map(row));
}
