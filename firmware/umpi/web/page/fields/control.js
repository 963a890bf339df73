// A field of an offer to what enters it: every kind there is, drawn from the offer alone.

import { numberField } from "./number.js";
import { optionButtons } from "./options.js";
import { eachField, formsField } from "./places.js";
import { someField } from "./some.js";
import { textField } from "./text.js";

const KINDS = { pick: pickField, number: numberField, some: someField, text: textField, each: eachField, forms: formsField };

/** Make what enters `field`, now `value`, undefined before it is answered; `answer(value)` hears of each change. */
export function control(field, value, answer, hand) {
  return KINDS[field.kind](field, value, answer, hand);
}

function pickField(field, value, answer, hand) {
  return optionButtons(field, field.options, answer, hand, { chosen: value === undefined ? [] : [value], usual: hand.usual?.[field.name] });
}
