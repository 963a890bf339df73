// A button that asks again before it acts.

import { fill, make } from "./make.js";
import { once } from "./send.js";
import { say } from "./words.js";

/** Make a button with a `text`; a touch asks the `question`, and a second touch acts by `does()`. */
export function confirmed(key, text, question, does) {
  const place = make("div", { class: "confirm" });
  const rest = () => fill(place, make("button", { type: "button", class: "plain", "data-key": key, onclick: ask }, text));

  function ask() {
    fill(place, make("p", { role: "status" }, question),
      make("button", { type: "button", "data-key": `yes ${key}`, onclick: once(does) }, text),
      make("button", { type: "button", class: "plain", "data-key": key, onclick: rest }, say("Cancel")));
  }

  rest();
  return place;
}
