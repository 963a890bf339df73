// The board of each game: one drawing of the table, the same on page, phone, television and overlay.

import { fill } from "../make.js";
import { battledodes, ofBattledodes } from "./battledodes.js";
import { dodeka, ofDodeka } from "./dodeka.js";
import { dodekka, ofDodekka } from "./dodekka.js";
import { dohdles, ofDohdles } from "./dohdles.js";
import { dudabBuba, ofDudabBuba } from "./dudab_buba.js";
import { foreign, ofForeign, offeredBy } from "./foreign.js";
import { move } from "./move.js";
import { ofQuiz, quiz } from "./quiz.js";
import { ofScorepad, scorepad } from "./scorepad.js";
import { spoken } from "../words.js";

// For each game, what draws its table, and what a call of the referee is about.
const BOARDS = {
  battledodes: [battledodes, ofBattledodes], dodeka: [dodeka, ofDodeka], dodekka: [dodekka, ofDodekka], dohdles: [dohdles, ofDohdles],
  "dudab-buba": [dudabBuba, ofDudabBuba], quiz: [quiz, ofQuiz], scorepad: [scorepad, ofScorepad],
};
const FOREIGN = [foreign, ofForeign]; // of a game that brings its board as data
const NARROW_PX = 480; // a board that is narrower has larger texts and fewer of them

let faulty = ""; // the fault that has been logged

/** Draw the table of a match; null if its game has no board, if the game hides the table, or if its state is odd. */
export function boardOf(match, small) {
  if (!hasBoard(match)) return null;
  try {
    return kindOf(match)[0](match, small);
  } catch (fault) { // another version of the game may say other things: its rows are shown instead
    const now = `${match.game}: ${fault.message}`;
    if (now !== faulty) console.warn(`The board of ${now}`);
    faulty = now;
    return null;
  }
}

/** Return whether the table of a match can be drawn. */
const hasBoard = ({ game, facts, board }) => Boolean(board || (game in BOARDS && Object.keys(facts ?? {}).length));

/** Return what draws the table of a match, and what a call is about. */
const kindOf = ({ game, board }) => (board ? FOREIGN : BOARDS[game]);

/** Return a function that shows the board of each document in `place`; `news` are the calls that are new. */
export function boardView(place) {
  let shown = "";
  let last = null;
  let small; // whether the place is narrow, undefined before the first look
  let hidden; // whether the styles hide the place
  let drawn; // the match whose board is there
  let late; // whether that board is an old one, because nobody sees it

  const look = () => {
    hidden = place.getClientRects().length === 0;
    if (!hidden || small === undefined) small = !(place.parentElement?.clientWidth >= NARROW_PX);
  };
  const show = ({ match, question }, fresh) => {
    if (small === undefined) look();
    const now = JSON.stringify([spoken(), small, match && [match.id, match.facts, match.board, match.players, match.turn, match.scores]]);
    late = now !== shown && hidden && place.firstChild != null && match?.id === drawn && hasBoard(match);
    if (late) return;
    if (now !== shown) {
      shown = now;
      drawn = match?.id;
      const next = match && boardOf(match, small);
      next ? move(place, next, fresh ? fresh.flatMap(kindOf(match)[1]) : [], !hidden) : fill(place);
    }
    const offered = offeredBy(match?.board && question);
    for (const one of place.querySelectorAll("[data-key]")) one.classList.toggle("b-offered", offered.has(one.dataset.key));
  };
  new ResizeObserver(() => {
    look();
    if (late && !hidden) { // its pieces do not move from where nobody saw them
      place.replaceChildren();
      shown = "";
    }
    if (last) show(last);
  }).observe(place);
  return (table, fresh) => {
    last = table;
    show(table, fresh);
  };
}
