// Lessons: a first game with comments on the real board, with the question of a match. Nothing of it reaches the box.

import { boardView } from "./boards/all.js";
import { shortDrafts } from "./drafts.js";
import { questionForm } from "./form.js";
import { again, change, fill, make } from "./make.js";
import { BUTTONS, called } from "./seats.js";
import { get, newest } from "./send.js";
import { say, spoken } from "./words.js";

const LEARNER = 0; // the seat of who learns

/** Return a function that shows the games with a lesson in `place`, or one of them; `tell(text)` shows a message. */
export function lessonView(place, tell) {
  let shown = null; // the lesson on the page: its game, what goes to another step, and what continues in another language
  let language = ""; // that of the lesson
  const ask = newest();

  return async function show(which) {
    const [game, step] = which.split("/");
    const same = game && game === shown?.game;
    if (same && language === spoken()) return [ask(), shown.go(Number(step))]; // what is on its way is not wanted any more
    const speaks = spoken();
    const answer = await ask(game ? `api/lessons/${encodeURIComponent(game)}` : "api/lessons");
    if (!answer) return;
    const { ok, body, error } = answer;
    if (ok) language = speaks;
    if (same) return ok ? shown.speak(body) : tell(error);
    shown = null;
    if (!ok) return fill(place, title(say("Learn")), make("p", { role: "alert" }, error));
    if (!game) return fill(place, title(say("Learn")), make("p", {}, say("A first match with comments. Nothing of it is saved.")), list(body));
    shown = course(place, body, tell);
    shown.go(Number(step));
  };
}

/** Return a question whose acts are sent one by one, because the lesson comments on each. */
const oneByOne = (question) => question && { ...question, asks: question.asks.map((ask) => ({ ...ask, then: "" })) };

const title = (text) => make("h2", { tabindex: -1 }, text);
const list = (games) => make("ul", { class: "past" }, games.map(({ game, title: name }) => make("li", {}, make("a", { href: `#learn/${game}` }, name))));

/** Show a lesson in `place`. Return {game, go(step), speak(lesson)}. */
function course(place, lesson, tell) {
  const { game } = lesson;
  let { players, steps, comments, title: name } = lesson;
  const [comment, form, below] = [make("div", { class: "comment" }), make("section", { class: "question", "aria-label": () => say("The question") }), make("div", { class: "race" })];
  const [board, scores, table] = [make("section", { "aria-label": () => say("The board") }), make("ul", { class: "standings" }), make("div", { class: "position" })];
  table.append(board, scores);
  fill(place, make("div", { class: "lesson" }, make("div", { class: "guide" }, comment, form, below), table));
  const draw = boardView(board);
  let now; // the index of the step
  let came; // whether the calls of the step before it are shown

  const answer = (given) => get(`api/lessons/${encodeURIComponent(game)}/${now}?answer=${encodeURIComponent(JSON.stringify(given))}`);
  const showQuestion = questionForm(form, below, tell, () => {}, {
    learn: (_, verb, given) => answer({ do: verb, ...given }),
    act: judge,
    keepTime() {},
    sees: () => true,
    drafts: shortDrafts(),
  });

  /** Compare an answer with that of the lesson, and continue if it is the same. */
  async function judge(_, act) {
    const reply = await answer(act);
    const error = reply.ok ? reply.body.hint : reply.error;
    if (!error) next();
    return { ...reply, ok: !error, error };
  }

  const next = () => go(now + 1, true);

  /** Show the step with this index, with the calls on the way to it if the learner `has` just come that way. */
  function go(index, has = false) {
    now = Math.min(Math.max(index || 0, 0), steps.length);
    came = has;
    history.replaceState(null, "", `#learn/${game}${now ? `/${now}` : ""}`); // a reload, or the way back from the rules, leads here
    render();
    if (!now) return;
    comment.querySelector("h2").focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  /** Continue with the same lesson in the language that the box speaks now. */
  function speak(translated) {
    ({ players, steps, comments, title: name } = lesson = translated);
    again(place);
    render();
  }

  function render() {
    const step = steps[now];
    const match = step?.match ?? lesson.end;
    const calls = came ? steps[now - 1].calls : [];
    change(comment, // the text stays in its element: readers hear a change only where they knew of one
      make("div", { class: "head" },
        make("a", { href: "#learn", "aria-label": say("← All lessons") }, "←"),
        title(name),
        make("p", { class: "when" }, step ? say("Step {number} of {count}", { number: step.number, count: comments }) : say("The lesson is finished."))),
      make("progress", { max: steps.length, value: now, "aria-hidden": "true" }),
      calls.map(({ text }) => make("p", { class: "call" }, text)),
      make("p", { "aria-live": "polite", "data-key": "comment" }, step?.text),
      step && !step.question && make("button", { type: "button", class: "go", "data-key": "continue", onclick: next }, say("Continue")),
      !step && make("p", {}, make("a", { class: "go", href: "#learn" }, say("Another lesson"))));
    draw({ match: { ...match, id: `${game} lesson` } }, calls);
    fill(scores, match.scores.map((score, seat) => make("li", { "aria-current": seat === match.turn && "true" }, called(players, seat), make("span", { class: "points" }, String(score ?? "?")))));
    showQuestion({ match: step?.question ? match : { ...match, over: {} }, question: oneByOne(step?.question), now: step?.now, seen: null, referee: true }, learner(step));
  }

  /** Return for whom the phone of the learner answers: for their seat, else like the referee's phone. */
  function learner(step) {
    const asked = step?.question?.asks.find(({ verb }) => verb === step.verb);
    if (asked && (asked.referee || (asked.seat ?? LEARNER) !== LEARNER)) return { role: "referee" };
    return { role: "seat", seat: LEARNER, button: BUTTONS[players[LEARNER].button], name: players[LEARNER].name };
  }

  return { game, go, speak };
}
