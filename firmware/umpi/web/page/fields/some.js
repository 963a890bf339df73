// A list of values from one pool: a tap adds a value, a tap on a chosen value removes it.

import { make } from "../make.js";
import { drawn, inWords, kindOf } from "../pieces.js";
import { optionButtons } from "./options.js";
import { say } from "../words.js";

/** Make the control of a list; `answer(list)` receives each new list. */
export function someField(field, value = [], answer, hand) {
  const known = new Map(field.options.map((option) => [option.value, option]));
  const used = (one) => value.filter((other) => other === one).length;
  const ended = field.ends?.length && field.ends.includes(value.at(-1));
  const full = value.length >= field.most || ended;
  const single = !field.again && field.options.every((option) => option.count <= 1); // a second tap removes the value
  const options = field.options.map((option) => {
    if (field.again || option.off) return option;
    const left = option.count - used(option.value);
    return { ...option, left: option.count > 1 ? left : null, off: left || single ? "" : say("No {what} left.", { what: option.label }) };
  });
  const tap = (one) => {
    if (single && used(one)) return answer(value.filter((other) => other !== one));
    if (full) return hand.refuse(ended ? say("You cannot add anything after {what}.", { what: known.get(value.at(-1)).label }) : say("Choose at most {number}.", { number: field.most }));
    return answer([...value, one]);
  };
  const chip = (one, place) => make(
    "button",
    {
      type: "button", class: "chip", "data-key": `${field.name} chosen ${place}`, "aria-label": say("remove {what}", { what: inWords(known.get(one)?.label ?? one) }),
      onclick: () => answer(value.filter((_, other) => other !== place)),
    },
    drawn(kindOf(hand.pieces, field.name), one, known.get(one)?.label ?? String(one)), make("span", { class: "out", "aria-hidden": "true" }, "✕"),
  );
  return make(
    "div",
    {},
    make("p", { class: "asks" }, wanted(field, value.length)),
    !(single && field.options.length <= 12) && make("div", { class: "chips", role: "group", "aria-label": say("chosen") },
      value.map(chip), slots(field, value.length)),
    optionButtons(field, options, tap, hand, { chosen: single ? value : [] }),
    field.least === 0 && value.length === 0 &&
      make("button", { type: "button", class: "plain", "data-key": `${field.name} none`, onclick: () => answer([]) }, say("none")),
  );
}

/** Empty places for the rest of the list, so that nothing moves under the finger. */
function slots({ least, most }, number) {
  if (least !== most || most > 6) return number ? null : make("span", { class: "nothing" }, say("Nothing chosen yet"));
  return Array.from({ length: most - number }, () => make("span", { class: "slot", "aria-hidden": "true" }));
}

function wanted({ least, most, ends }, number) {
  if (ends?.length) return say("{number} chosen so far", { number });
  if (least === most) return say("{number} of {most} chosen", { number, most });
  return say("{number} chosen; choose {least} to {most}", { number, least, most });
}
