// What a phone says at the top of a question: what the next person must do, and who judges an answer.

import { isOpen, raceOf } from "./buzzer.js";
import { called } from "./seats.js";
import { pieces, say } from "./words.js";

/**
 * Return the sentence of a question, null if this phone has nothing to do: then the table shows it.
 *
 * `mine` contains the asks that this phone may answer, `race` is whether it may buzz.
 */
export function sentence({ question, match, referee, now }, me, mine, race) {
  if (me?.role !== "seat" || me.seat == null) return now?.text ?? titleOf(question);
  const { players } = match;
  const { name } = players[me.seat];
  const judged = question.asks.find((ask) => ask.referee && ask.seat != null);
  const { moderator } = match;
  if (judged && moderator) {
    if (judged.seat === me.seat) return say("{name}, say your answer: {moderator} judges it.", { name, moderator });
    return pieces("{who} answers, and {moderator} judges.", { who: called(players, judged.seat), moderator });
  }
  if (judged?.seat === me.seat) {
    return referee ? say("{name}, say your answer: the referee judges it on their phone.", { name }) : say("{name}, say your answer, then judge it together at the box.", { name });
  }
  if (judged) return pieces(referee ? "{who} answers, and the referee judges on their phone." : "{who} answers. Judge it together at the box.", { who: called(players, judged.seat) });
  const team = question.together.some((seats) => seats.includes(me.seat));
  if (team && question.answered.includes(me.seat)) return say("{name}, your team has answered. You can change its answer until all have answered.", { name });
  if (question.answered.includes(me.seat)) return say("{name}, you have answered. You can change your answer until all have answered.", { name });
  if (question.again.includes(me.seat)) return say("{who}: answer again. The rules do not allow this answer beside the others.", { who: name });
  if (mine.some((ask) => ask.secret)) return say("{who}: {question}", { who: name, question: titleOf({ asks: mine, title: question.title }) });
  return mine.length || race ? now?.text ?? titleOf(question) : null;
}

/** Return what a question asks, as one headline; that of the box during a dispute and after the game. */
export function titleOf({ asks, title: whole }) {
  return headline(asks.filter((ask) => !ask.rare)) || whole;
}

/** Return what asks ask: the first question, to which the others are answers, that players may buzz, or all of them. */
function headline(asks) {
  const possible = asks.filter((ask) => !barred(ask));
  const texts = [...new Set((possible.length ? possible : asks).map(({ text }) => text))];
  const question = texts.find((text) => text.endsWith("?"));
  if (question) return question;
  const race = raceOf(asks);
  if (race?.fields[0].source === "buzz" && isOpen(race)) return say("Buzz now!");
  if (texts.length < 2) return texts.join("");
  return say("{some} or {last}", { some: texts.slice(0, -1).join(", "), last: texts.at(-1) });
}

/** Return why an ask has no possible answer now, "" if it has one. */
export function barred({ fields: [first] }) {
  if (first?.kind !== "pick" || first.options.some((option) => !option.off)) return "";
  return first.options[0]?.off ?? say("There is nothing to choose.");
}
