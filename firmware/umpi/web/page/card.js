// The card of the box on the referee's phone: an update, and copies of the box on a stick.

import { make } from "./make.js";
import { once, post } from "./send.js";
import { say } from "./words.js";

let putOff = ""; // the question to which somebody has said “Not now”: it returns with the next tap on a task

/** Return what the referee's phone shows about the card of the box; nothing on a box without one. */
export function cardPart(card, tell) {
  if (!card) return null;
  const send = (path, body) => once(async () => {
    const { ok, error } = await post(path, body);
    if (!ok) tell(error);
  });
  const news = newsOf(card, send("api/card-agree", {}));
  const task = (name, text) => {
    const begin = send("api/card", { task: name });
    const onclick = (event) => {
      putOff = "";
      if (news) news.hidden = false;
      return begin(event);
    };
    return make("button", { type: "button", "data-key": `card ${name}`, onclick }, text);
  };
  return make("div", { class: "card-work" }, news,
    card.stage !== "busy" && make("details", { "data-key": "card" }, make("summary", {}, say("Update and copies")),
      task("update from stick", say("Update from a USB stick")),
      task("update from network", say("Update from the network")),
      task("back up", say("Back up to a USB stick")),
      task("restore", say("Restore from a USB stick"))));
}

/** Return how far the last task is, what it asks or what has become of it; nothing before the first one. */
function newsOf(card, agree) {
  if (card.stage === "idle") return null;
  const asks = card.stage === "asks";
  const later = () => {
    putOff = card.text;
    news.hidden = true;
  };
  const news = make("div", { hidden: asks && card.text === putOff },
    make("p", { role: "status", class: card.stage === "failed" ? "objection" : "" }, make("strong", {}, card.title), " ", card.text),
    card.percent != null && make("progress", { max: 100, value: card.percent, "aria-label": card.title }),
    asks && make("button", { type: "button", class: "send", "data-key": "card agree", onclick: agree }, card.agree.charAt(0).toUpperCase() + card.agree.slice(1)),
    asks && make("button", { type: "button", class: "plain", "data-key": "card later", onclick: later }, say("Not now")));
  return news;
}
