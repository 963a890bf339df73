// The controls of an answer: one question at a time, and the answers so far.

import { control } from "./fields/control.js";
import { isSeat } from "./fields/options.js";
import { fitsGrid, pairGrid } from "./fields/pair.js";
import { make } from "./make.js";
import { drawn, kindOf } from "./pieces.js";
import { say } from "./words.js";

const LARGE = 8; // options; above this number, they are folded after a choice

/** Make the controls of `own`, an Entry; `answer(values)` receives each answer, `opened()` reports an opened field. */
export function parts(own, hand, answer, opened) {
  const made = [];
  const known = (field) => own.ask.secret && hand.seat != null && isSeat(field) && own.entered[field.name] === hand.seat;
  const taken = (field) => field.in_order && own.entered[field.name] !== undefined;
  const shown = own.fields.filter((field) => (!field.optional || own.opened.has(field.name)) && !known(field) && !taken(field));
  for (let at = 0; at < shown.length; at++) {
    const [field, next] = [shown[at], shown[at + 1]];
    const open = [field, next].every((one) => one && own.missing.includes(one));
    if (open && fitsGrid(field, next)) {
      made.push(pairGrid(field, next, answer, hand));
      at++;
    } else {
      made.push(part(own, field, hand, answer));
    }
    if (own.missing.includes(shown[at])) break; // one question at a time
  }
  const more = own.fields.filter((field) => field.optional && !own.opened.has(field.name));
  const opens = (field) => () => { own.opened.add(field.name); opened(); };
  if (more.length) made.push(make("div", { class: "more" }, more.map((field) =>
    make("button", { type: "button", class: "plain", "data-key": `more ${field.name}`, onclick: opens(field) }, say("More: {what}", { what: field.label })))));
  return made;
}

function part(own, field, hand, answer) {
  const value = own.entered[field.name];
  if (field.kind === "some" && field.most === 0) return null;
  const many = field.kind === "pick" && field.options.length > LARGE && value !== undefined;
  if (many) {
    const chosen = field.options.find((option) => option.value === value);
    return make("p", { class: "chosen" }, `${field.label}: `, make("strong", {}, drawn(kindOf(hand.pieces, field.name), value, chosen?.words.join(" ") ?? String(value))),
      make("button", { type: "button", class: "plain", onclick: () => answer({ [field.name]: undefined }) }, say("Change")));
  }
  const label = (own.fields.length > 1 || own.ask.more) && make("p", { class: "asks" }, field.label);
  return make("div", { class: "field", "data-field": field.name }, label,
    control(field, value, (one) => answer({ [field.name]: one }), hand));
}
