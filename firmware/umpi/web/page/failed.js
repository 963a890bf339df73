// What a view shows if the box does not answer what it needs.

import { make } from "./make.js";
import { once } from "./send.js";
import { say } from "./words.js";

/** Make the sentence `error`, and a button that asks the box `again`. */
export const failed = (error, again) => make("div", { class: "failed" }, make("p", { class: "objection", role: "status" }, error),
  make("button", { type: "button", "data-key": "retry", onclick: once(again) }, say("Try again")));
