// The puzzle of the day: a position of an own match in which one choice was clearly best.

import { fill, make } from "./make.js";
import { get, once, post } from "./send.js";
import { say } from "./words.js";

const FOUND_MS = 60_000; // a small box takes some seconds; while it searches, it says so after three
const JUDGED_MS = 60_000;

/** Make the section of the puzzle that is due. */
export function puzzle() {
  const place = make("section", { class: "review puzzle", "aria-label": say("Puzzle") });
  const head = (text) => make("h3", { tabindex: -1 }, text);
  const another = (text) => make("button", { type: "button", "data-key": "puzzle", onclick: once(ask) }, text);

  function show(...inside) {
    fill(place, ...inside);
    place.querySelector("h3").focus({ preventScroll: true });
  }

  async function ask() {
    const status = make("p", { role: "status" }, say("The box looks for a puzzle."));
    fill(place, head(say("Puzzle")), status);
    let answer;
    do {
      answer = await get("api/puzzle", FOUND_MS);
      if (answer.body?.searching) status.textContent = answer.body.why;
    } while (answer.body?.searching && place.isConnected);
    const { ok, body, error } = answer;
    if (!ok) return show(head(say("Puzzle")), make("p", { role: "alert" }, error), another(say("Try again")));
    if (!body.puzzle) return show(head(say("Puzzle")), make("p", {}, body.why));
    pose(body.puzzle);
  }

  function pose({ match, move, title, situation, options }) {
    const said = make("p", { role: "alert", hidden: true });
    const answer = async (choice) => {
      const { ok, body, error } = await post("api/puzzle", { match, move, choice }, JUDGED_MS);
      if (ok) return judge(body, title, options);
      said.hidden = false;
      said.textContent = error;
    };
    show(
      head(title),
      situation.split("\n").map((line) => make("p", {}, line)),
      make("p", {}, say("What is best?")),
      make("ul", { class: "options" }, options.map((text, choice) => make("li", {},
        make("button", { type: "button", "data-key": `option ${choice}`, onclick: once(() => answer(choice)) }, text)))),
      said);
  }

  function judge({ right, best, lines }, title, options) {
    const [first, ...others] = lines;
    show(
      head(title),
      make("p", { class: right ? "right" : "", role: "status" }, make("strong", {}, first)),
      others.map((line) => make("p", {}, line)),
      best != null && make("ul", { class: "options" }, options.map((text, choice) => make("li", { "aria-current": choice === best && "true" }, text))),
      another(say("Next puzzle")));
  }

  fill(place, head(say("Puzzle")), make("p", {}, say("A move of one of your own matches that cost much. What would have been best?")), another(say("Ask me")));
  return place;
}
