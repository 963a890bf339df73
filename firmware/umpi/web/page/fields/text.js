// A short text, for example a letter.

import { make } from "../make.js";
import { say } from "../words.js";

/** Make the control of a text; `answer(text)` receives each text entered. */
export function textField(field, value, answer) {
  const written = make("input", {
    class: "text", value: value ?? "", maxlength: field.most, autocomplete: "off", autocapitalize: "characters",
    "data-key": field.name, "aria-label": field.label, oninput: ({ target }) => answer(target.value || undefined),
  });
  return make("div", { class: "entry" }, written,
    field.null && make("button", { type: "button", "aria-pressed": String(value === null), onclick: () => answer(null) }, say("none")));
}
