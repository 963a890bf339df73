// The scores in large type: one line per player with the seat's mark, the values beside it, and whose turn it is.

import { fill, make } from "./make.js";
import { called } from "./seats.js";
import { say } from "./words.js";

/** Show the scores of a document in `place`, with the game's own rows below them. */
export function showScores(place, { match }) {
  if (!match) return fill(place);
  const lines = match.players.map((player) => line(match, player));
  fill(place, make("ol", { class: `scores ${match.live ? "live" : ""}`, "data-seats": match.players.length }, lines), rows(match));
}

function line(match, { seat }) {
  const place = match.over?.places[seat];
  const beside = match.beside[seat] || "";
  const score = String(match.scores[seat] ?? ""); // null while the game hides it
  const [large, small] = match.live && beside && !match.over ? [beside, score] : [score, beside];
  const acts = match.turn === seat;
  return make(
    "li",
    { class: `score ${acts ? "acts" : ""} ${place === 1 ? "won" : ""}`, "data-seat": seat, "aria-current": acts && "true" },
    make("span", { class: "who" }, called(match.players, seat)),
    place && make("span", { class: "note" }, place === 1 ? say("winner") : say("rank {number}", { number: place })),
    small && make("span", { class: "small" }, small),
    make("span", { class: "large" }, large),
  );
}

function rows(match) {
  if (!match.head && !match.rows.length) return null;
  const told = match.rows.map(([label, ...cells]) =>
    make("div", { class: "row" }, make("dt", {}, label), cells.map((cell) => make("dd", {}, cell))));
  return make(
    "div",
    { class: "beside" },
    match.head && make("p", { class: "head" }, match.head),
    told.length > 0 && make("dl", { class: "rows" }, told),
  );
}
