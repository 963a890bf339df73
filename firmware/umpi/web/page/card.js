// The card of the box on the referee's phone: an update, and copies of the box on a stick.

import { make } from "./make.js";
import { once, post } from "./send.js";
import { say } from "./words.js";

/** Return what the referee's phone shows about the card of the box; nothing on a box without one. */
export function cardPart(card, tell) {
  if (!card) return null;
  const send = (path, body) => once(async () => {
    const { ok, error } = await post(path, body);
    if (!ok) tell(error);
  });
  const task = (name, text) => make("button", { type: "button", "data-key": `card ${name}`, onclick: send("api/card", { task: name }) }, text);
  const rests = card.stage !== "busy";
  return make("details", { class: "card-work", "data-key": "card", open: card.stage !== "idle" }, make("summary", {}, say("Update and copies")),
    card.text && make("p", { role: "status", class: card.stage === "failed" ? "objection" : "" }, make("strong", {}, card.title), " ", card.text),
    card.percent != null && make("progress", { max: 100, value: card.percent, "aria-label": card.title }),
    card.stage === "asks" && make("button", { type: "button", class: "send", "data-key": "card agree", onclick: send("api/card-agree", {}) }, card.agree.charAt(0).toUpperCase() + card.agree.slice(1)),
    rests && [
      task("update from stick", say("Update from a USB stick")),
      task("update from network", say("Update from the network")),
      task("back up", say("Back up to a USB stick")),
      task("restore", say("Restore from a USB stick")),
    ]);
}
