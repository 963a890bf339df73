// Lessons: a first game with comments, in which the learner chooses the next move. Nothing of it reaches the box.

import { fill, make } from "./make.js";
import { called } from "./seats.js";
import { get } from "./send.js";
import { say } from "./words.js";

/** Show the games that have a lesson in `place`, or the lesson of `game`. */
export async function showLessons(place, game) {
  const { ok, body, error } = await get(game ? `api/lessons/${encodeURIComponent(game)}` : "api/lessons");
  if (!ok) return fill(place, title(say("Learn")), make("p", { role: "alert" }, error));
  if (game) return showStep(place, body, 0);
  fill(place, title(say("Learn")), make("p", {}, say("A first game with comments. Nothing of it is saved.")),
    make("ul", { class: "past" }, body.map(({ game, title }) => make("li", {}, make("a", { href: `#learn/${game}` }, title)))));
}

const title = (text) => make("h2", { tabindex: -1 }, text);

function showStep(place, lesson, index, hint = "") {
  const { players, steps } = lesson;
  const step = steps[index];
  const next = () => showStep(place, lesson, index + 1);
  const calls = index && !hint ? steps[index - 1].calls : [];
  const scores = step?.scores ?? [];
  fill(
    place,
    make("p", {}, make("a", { href: "#learn" }, say("← All lessons"))),
    title(lesson.title),
    make("p", { class: "when" }, step ? say("Step {number} of {count}", { number: index + 1, count: steps.length }) : say("The lesson is finished.")),
    calls.map(({ text }) => make("p", {}, make("strong", {}, text))),
    step && make("p", { "aria-live": "polite" }, step.text),
    make("ul", { class: "standings" }, scores.map((score, seat) => make("li", {}, called(players, seat), make("span", { class: "points" }, String(score))))),
    hint && make("p", { role: "alert" }, hint),
    step && (step.answers.length ? answers(step, next, (text) => showStep(place, lesson, index, text)) : make("button", { type: "button", onclick: next }, say("Continue"))),
  );
}

function answers({ question, expected, answers }, next, tell) {
  const chosen = (answer) => (answer === expected ? next() : tell(say("In this lesson: {act}", { act: expected })));
  return make("div", { class: "verbs", role: "group", "aria-label": question },
    make("p", {}, make("strong", {}, question)),
    answers.map((answer) => make("button", { type: "button", "data-key": answer, onclick: () => chosen(answer) }, answer)));
}
