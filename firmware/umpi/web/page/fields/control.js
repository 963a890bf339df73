// The control for a field, of any kind, made from the form alone.

import { make } from "../make.js";
import { say } from "../words.js";
import { numberField } from "./number.js";
import { optionButtons } from "./options.js";
import { fitsGrid, pairGrid } from "./pair.js";
import { someField } from "./some.js";
import { textField } from "./text.js";

const KINDS = { pick: pickField, number: numberField, some: someField, text: textField, each: eachField, forms: formsField };

/** Make the control of `field` with its `value`, undefined if unanswered; `answer(value)` receives each change. */
export function control(field, value, answer, hand) {
  return KINDS[field.kind](field, value, answer, hand);
}

function pickField(field, value, answer, hand) {
  return optionButtons(field, field.options, answer, hand, { chosen: value === undefined ? [] : [value], usual: hand.usual?.[field.name] });
}

/** Make the control of a list with one answer per place. */
function eachField(field, value = [], answer, hand) {
  const put = (place) => (one) => answer(field.fields.map((_, other) => (other === place ? one : value[other])));
  return make("div", { class: "places" }, field.fields.map((one, place) => make(
    "fieldset", {}, make("legend", {}, one.label), control({ ...one, name: `${field.name} ${one.name}` }, value[place], put(place), hand),
  )));
}

/** Make the control of a list of small forms: one box each, and a button that adds one. */
function formsField(field, value = [], answer, hand) {
  const put = (place, values) => answer(value.map((form, other) => (other === place ? { ...form, ...values } : form)));
  const forms = value.map((form, place) => make(
    "fieldset",
    {},
    make("legend", {}, `${field.label} ${place + 1}`),
    inside(field.fields, form, place, (values) => put(place, values), hand),
    make("button", { type: "button", class: "plain", onclick: () => answer(value.filter((_, other) => other !== place)) }, say("Remove")),
  ));
  return make("div", { class: "places" }, forms, value.length < field.most &&
    make("button", { type: "button", class: "plain", "data-key": `${field.name} add`, onclick: () => answer([...value, {}]) }, say("More: {what}", { what: field.label })));
}

function inside(fields, form, place, put, hand) {
  const made = [];
  for (let at = 0; at < fields.length; at++) {
    const [one, next] = [fields[at], fields[at + 1]];
    const paired = next && fitsGrid(one, next) && !(one.name in form) && !(next.name in form);
    if (paired && one.kind === "number") {
      made.push(pairGrid(one, next, put, hand));
      at++;
    } else {
      const named = { ...one, name: `${one.name} ${place}` };
      made.push(make("p", { class: "asks" }, one.label), control(named, form[one.name], (value) => put({ [one.name]: value }), hand));
    }
  }
  return made;
}
