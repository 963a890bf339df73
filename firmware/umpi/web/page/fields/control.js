// The control for a field, of any kind, made from the form alone.

import { numberField } from "./number.js";
import { optionButtons } from "./options.js";
import { eachField, formsField } from "./places.js";
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
