// What the box would do, on phones that ask for it, if the box gives hints.

import { fill, make } from "./make.js";
import { once, post } from "./send.js";
import { say, spoken } from "./words.js";

/** Show the hint of each document in `place`, or the button that asks for it. `tell(text)` shows a message. */
export function hintView(place, tell) {
  let shown = "";
  return (document, me) => {
    const { hint, match, question } = document;
    const offered = hint && me && match && !match.over && match.turn != null && question?.asks.length;
    const asked = offered && hint.for.includes(me.role === "referee" ? "referee" : me.button);
    const now = JSON.stringify([spoken(), offered && question.id, asked, asked && hint.text]);
    if (now === shown) return;
    shown = now;
    fill(place, !offered ? null : asked ? make("p", {}, hint.text || say("Hint follows …")) : make("button", {
      type: "button", class: "plain", "data-key": "hint", onclick: once(async () => {
        const { ok, error } = await post("api/hint", { question: question.id });
        if (!ok) tell(error);
      }),
    }, say("What would you do?")));
  };
}
