// A number: buttons if there are few values, else a keypad with quick steps. The keyboard works too.

import { make } from "../make.js";
import { optionButtons } from "./options.js";
import { choices } from "./pair.js";
import { say } from "../words.js";

const STEPS = ["−10", "−5", "−1", "+1", "+5", "+10"];

/** Make the control of a number; `answer(value)` receives each number entered. */
export function numberField(field, value, answer, hand) {
  const few = choices({ ...field, optional: false });
  if (few) return optionButtons(field, few, answer, hand, { chosen: value === undefined ? [] : [value] });
  const shown = value == null ? "" : String(value);
  const within = (number) => Math.min(Math.max(number, field.low), field.high);
  const take = (text) => {
    const number = Number(text);
    if (text === "" || text === "-") return answer(undefined);
    if (Number.isInteger(number) && number === within(number)) return answer(number);
    hand.refuse(say("“{field}”: enter a whole number from {low} to {high}.", { field: field.label, low: field.low, high: field.high }));
    answer(value); // and show the previous number again
  };
  const key = (text, does, label) =>
    make("button", { type: "button", "data-key": `${field.name} ${text}`, "aria-label": label, onclick: does }, text);
  const digit = (text) => key(text, () => take(shown === "0" ? text : shown + text));
  const screen = make("input", {
    class: "number", inputmode: "numeric", autocomplete: "off", value: shown, "data-key": field.name, "aria-label": field.label,
    oninput: ({ target }) => target.value !== "-" && take(target.value.trim()),
  });
  const sign = field.low < 0 && key("±", () => take(String(-(value || 0))), say("change the sign"));
  return make(
    "div",
    { class: "keypad" },
    screen,
    make("div", { class: "keys" }, [..."123456789"].map(digit), sign || make("span"), digit("0"),
      key("⌫", () => take(shown.slice(0, -1)), say("delete a digit"))),
    make("div", { class: "steps" }, STEPS.map((step) =>
      key(step, () => take(String(within((value || 0) + Number(step.replace("−", "-")))))))),
    field.null && key(say("none"), () => answer(null)),
  );
}
