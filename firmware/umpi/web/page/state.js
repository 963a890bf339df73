// The state of the table: the game, whose turn it is, the clock, how the match ended, and device errors.

import { fill, make } from "./make.js";
import { called } from "./seats.js";
import { titleOf } from "./sentence.js";
import { pieces, say } from "./words.js";

const at = (id) => document.getElementById(id);

/** Show the state of a document in the head of the page and above the scores. */
export function showState(table) {
  const { match } = table;
  document.title = match ? `${match.title}, Umpi` : "Umpi";
  same(at("game"), match ? `${match.title} ${match.kind}`.trim() : "Umpi");
  same(at("clock"), table.clock);
  const turn = said(table);
  if (at("turn").dataset.shown !== turn.key) {
    at("turn").dataset.shown = turn.key;
    fill(at("turn"), turn.inside);
    at("turn").toggleAttribute("data-paused", table.paused);
  }
  fill(at("warnings"), warnings(table));
}

/** Return whose turn it is, with the seat's mark; screen readers read it only when it changes. */
function said({ match, question, paused, showing }) {
  if (!match) return { key: JSON.stringify(showing), inside: atBox(showing) };
  if (match.over) return { key: `over ${match.id}`, inside: ended(match) };
  const all = question && titleOf(question);
  const names = match.turn == null ? all : pieces("{who}’s turn", { who: called(match.players, match.turn) });
  const key = `${match.id} ${match.turn} ${paused} ${match.players[match.turn]?.name ?? all} ${match.judge}`;
  return { key, inside: [names, paused && ` · ${say("paused")}`, match.judge && make("span", { class: "why" }, match.judge)] };
}

/** Return what the box shows while no match is in play: a menu, a lesson, or the matches that can be resumed. */
function atBox({ texts: [first, ...others], keys }) {
  return [
    first ? say("At the box: {what}", { what: first }) : say("No game running. Start one at the box, or on the referee’s phone."),
    others.map((text) => make("span", { class: "why" }, text)),
    keys.length > 0 && make("span", { class: "why keys" }, keys.map((text) => make("span", {}, text))),
    make("a", { class: "why", href: "#learn" }, say("Learn a game")),
  ];
}

function ended({ over, players }) {
  return [make("strong", {}, verdict(over, players)), make("span", { class: "why" }, over.why)];
}

function verdict({ winners, together }, players) {
  if (!winners.length) return say("All lose");
  const names = winners.flatMap((seat, place) => [place ? " & " : "", called(players, seat)]);
  if (winners.length === players.length && players.length > 1 && !together) return pieces("{names} share the victory", { names });
  return pieces(winners.length > 1 ? "{names} win" : "{names} wins", { names });
}

function warnings({ unsaved, troubles }) {
  return [
    unsaved && make("p", {}, make("strong", {}, `${say("NOT SAVED")} `), unsaved),
    troubles.map(({ device, text }) => make("p", {}, make("strong", {}, `${say("{device} is out", { device })} `), text)),
  ];
}

/** Replace a text only if it differs, so that screen readers read only changes. */
function same(place, text) {
  if (place.textContent !== (text || "")) place.textContent = text || "";
}
