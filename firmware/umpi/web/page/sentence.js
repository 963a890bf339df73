// What a phone says at the top of a question: what to do now, as one sentence with the player's name.

import { isOpen, raceOf } from "./buzzer.js";
import { called } from "./seats.js";
import { pieces, say } from "./words.js";

/**
 * Return the sentence of a question, null if this phone has nothing to do.
 *
 * `mine` contains the asks that this phone may answer, `race` is whether it may buzz.
 */
export function sentence({ question, match, referee }, me, mine, race) {
  if (me?.role !== "seat" || me.seat == null) return title(question, match, mine);
  const { players } = match;
  const { name } = players[me.seat];
  const judged = question.asks.find((ask) => ask.referee && ask.seat != null);
  const { moderator } = match;
  if (judged && moderator) {
    if (judged.seat === me.seat) return say("{name}, say your answer: {moderator} judges it.", { name, moderator });
    return pieces("{who} answers, and {moderator} judges.", { who: called(players, judged.seat), moderator });
  }
  if (judged?.seat === me.seat) {
    return referee ? say("{name}, say your answer: the referee’s phone judges it.", { name }) : say("{name}, say your answer, then judge it together at the box.", { name });
  }
  if (judged) return pieces(referee ? "{who} answers, and the referee’s phone judges." : "{who} answers. Judge it together at the box.", { who: called(players, judged.seat) });
  if (question.answered.includes(me.seat)) return say("{name}, you have answered. Until all have answered you can change it.", { name });
  if (mine.length) {
    const what = headline(mine);
    if (what.includes(name) || mine.every(({ secret }) => secret)) return what; // each answers on their own phone
    return mine.some(({ seat }) => seat === me.seat) ? say("{name}, your turn: {what}", { name, what }) : say("{name}, you or others: {what}", { name, what });
  }
  if (race) return say("{name}, press as soon as you know it.", { name });
  const others = question.asks.filter((ask) => ask.referee && !ask.rare);
  if (!others.length || question.asks.some((ask) => !ask.referee && !ask.rare && ask.seat != null)) return null;
  return referee ? say("The referee’s phone is next: {what}", { what: headline(others) }) : say("The box is next: {what}", { what: headline(others) });
}

/** Return the question as the referee's phone and onlookers read it. */
function title(question, match, mine) {
  const what = mine.length ? headline(mine) : titleOf(question);
  const seat = (mine.length ? mine : question.asks).find((ask) => !ask.rare && ask.seat != null)?.seat;
  if (seat == null || what.includes(match.players[seat].name)) return what;
  return [called(match.players, seat), `: ${what}`];
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
