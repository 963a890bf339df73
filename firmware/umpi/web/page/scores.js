// The scores in large type: one line per player with the seat's mark, the values beside it, and whose turn it is.

import { fill, make } from "./make.js";
import { drawn, kindOf } from "./pieces.js";
import { called } from "./seats.js";
import { say } from "./words.js";

/** Show the scores of a document in `place`, with the game's own rows below them. */
export function showScores(place, { match, question }) {
  if (!match) return fill(place);
  const shown = match.players.map((player) => texts(match, player));
  const letters = Math.max(...shown.map(([large]) => large.length));
  const name = Math.max(...match.players.map((player) => player.name.length));
  const lines = match.players.map((player, place) => line(match, player, ...shown[place]));
  fill(place, make("ol", { class: `scores ${match.live ? "live" : ""}`, "data-seats": match.players.length, vars: { letters, name } }, lines), rows(match, known(match, question)));
}

/** Return what is large and what is small of a seat: its score, and the value beside it. */
function texts(match, { seat }) {
  const beside = match.beside[seat] || "";
  const score = String(match.scores[seat] ?? ""); // null while the game hides it
  return match.live && beside && !match.over ? [beside, score] : [score, beside];
}

function line(match, { seat }, large, small) {
  const place = match.over?.places[seat];
  const acts = match.turn === seat;
  const rank = match.ranks?.[seat] ?? 0;
  const leads = !match.over && rank === 1 && match.ranks.some((other) => other !== 1);
  return make(
    "li",
    { class: `score ${acts ? "acts" : ""} ${place === 1 ? "won" : ""} ${leads ? "leads" : ""}`, "data-seat": seat, "aria-current": acts && "true", vars: { rank } },
    make("span", { class: "who" }, called(match.players, seat)),
    place && make("span", { class: "note" }, place === 1 ? say("winner") : say("rank {number}", { number: place })),
    leads && make("span", { class: "note lead" }, say("leads")),
    small && make("span", { class: "small" }, small),
    make("span", { class: "large" }, large),
  );
}

/** Return the pieces of the question by their texts, because a row says them with the same ones. */
function known({ pieces }, question) {
  const fields = (question?.asks ?? []).flatMap((ask) => ask.fields).filter(({ name, options }) => options && kindOf(pieces, name));
  return new Map(fields.flatMap(({ name, options }) => options.map(({ label, value }) => [label, { kind: kindOf(pieces, name), value }])));
}

function rows(match, pieces) {
  if (!match.head && !match.rows.length) return null;
  const terms = match.rows.map(([label, ...cells]) =>
    make("div", { class: "row" }, make("dt", {}, label), cells.map((cell) => {
      const piece = /^\d+$/.test(cell) ? null : pieces.get(cell); // a bare number may be points
      return make("dd", { class: piece && "drawn" }, piece ? drawn(piece.kind, piece.value, cell) : cell);
    })));
  return make(
    "div",
    { class: "beside" },
    match.head && make("p", { class: "head" }, match.head),
    terms.length > 0 && make("dl", { class: "rows" }, terms),
  );
}
