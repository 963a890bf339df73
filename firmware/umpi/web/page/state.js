// The state of the table: the game, whose turn it is, the clock, how the match ended, and device errors.

import { fill, make } from "./make.js";
import { signed } from "./pieces.js";
import { BUTTONS, called, mark } from "./seats.js";
import { titleOf } from "./sentence.js";
import { listed, pieces, say, spoken } from "./words.js";

const at = (id) => document.getElementById(id);

/** Show the state of a document in the head of the page and above the scores. */
export function showState(table) {
  const { match } = table;
  const title = match ? `${match.title}, Umpi` : "Umpi";
  if (document.title !== title) document.title = title;
  same(at("game"), match ? `${match.title} ${match.kind}`.trim() : "Umpi");
  same(at("clock"), table.clock);
  const turn = said(table);
  const key = `${spoken()} ${turn.key}`;
  if (at("turn").dataset.shown !== key) {
    at("turn").dataset.shown = key;
    fill(at("turn"), turn.inside());
    at("turn").toggleAttribute("data-paused", table.paused);
    at("turn").className = winnerOf(match);
  }
  const troubles = `${spoken()} ${JSON.stringify([table.unsaved, table.troubles])}`;
  if (at("warnings").dataset.shown === troubles) return;
  at("warnings").dataset.shown = troubles;
  fill(at("warnings"), warnings(table));
}

/** Return what the next person must do, with their mark; screen readers read it only when it changes. */
function said({ match, question, now, paused, showing }) {
  if (!match) return { key: JSON.stringify(showing), inside: () => showing && atBox(showing) }; // nothing is shown of a match whose rules have failed
  if (match.over) return { key: `over ${match.id}`, inside: () => ended(match) };
  const text = now ? now.text : question && titleOf(question);
  const key = `${match.id} ${now?.seat} ${paused} ${text} ${match.judge}`;
  return { key, inside: () => [now?.seat != null && mark(match.players[now.seat].button), text && signed(text), paused && ` · ${say("paused")}`, match.judge && make("span", { class: "why" }, match.judge)] };
}

/** Return what the box shows while no match is in play: a menu, a lesson, or the matches that can be resumed. */
function atBox({ texts: [first, ...others], keys, help }) {
  return [
    first ? say("At the box: {what}", { what: first }) : say("No active match. Start one at the box, or on the referee’s phone."),
    others.map((text) => make("span", { class: "why" }, text)),
    keys.length > 0 && make("span", { class: "why keys" }, keys.map((text) => make("span", {}, text))),
    help.map((text) => make("span", { class: "why" }, text)),
  ];
}

/** Return the colour of the button of the winner, "" if there is none, or several. */
function winnerOf(match) {
  const [seat, ...others] = match?.over?.winners ?? [];
  return seat == null || others.length ? "" : `won ${BUTTONS[match.players[seat].button]}`;
}

function ended({ over, players }) {
  return [make("strong", {}, verdict(over, players)), make("span", { class: "why" }, over.why)];
}

function verdict({ winners, together }, players) {
  if (!winners.length) return say("All lose");
  const names = listed(winners.map((seat) => called(players, seat)));
  if (winners.length === players.length && players.length > 1 && !together) return pieces("{names} share the victory", { names });
  return pieces(winners.length > 1 ? "{names} win" : "{names} wins", { names });
}

function warnings({ unsaved, troubles }) {
  return [
    unsaved && make("p", {}, make("strong", {}, `${say("NOT SAVED")} `), unsaved),
    troubles.map(({ device, text }) => make("p", {}, make("strong", {}, `${say("{device}: error", { device })} `), text)),
  ];
}

/** Replace a text only if it differs, so that screen readers read only changes. */
function same(place, text) {
  if (place.textContent !== (text || "")) place.textContent = text || "";
}
