// The scores: the place, the name and the values of each player. CSS arranges them: tiles, ranks on a television, a podium.

import { change, draw, make } from "./make.js";
import { drawn, kindOf, signed } from "./pieces.js";
import { mark } from "./seats.js";
import { say, spoken } from "./words.js";

const CROWN = "M2 17 1 4l6 5 5-8 5 8 6-5-1 13z";

const DODE = /^\d+[x×]\d+$/; // its face and its hexagon

let shownBefore = ""; // the match and what it asks, as text

/** Show the scores of a document in `place`, with the game's own rows below them. */
export function showScores(place, { match, question }) {
  const now = JSON.stringify([spoken(), match, question?.asks]);
  if (now === shownBefore) return; // so that nothing moves again
  shownBefore = now;
  if (!match) return change(place);
  const shown = match.players.map((player) => texts(match, player));
  const sizes = { letters: Math.max(...shown.map(([large]) => large.length)), name: Math.max(...match.players.map(({ name }) => widest(name))) };
  const ranked = match.ranks?.some((rank) => rank !== 1) || Boolean(match.over?.winners.length);
  const ranks = match.over?.places ?? match.ranks ?? match.players.map(() => 1);
  const order = match.players.map(({ seat }) => seat).sort((one, other) => ranks[one] - ranks[other] || one - other);
  const lines = match.players.map(({ seat }) => line(match, seat, shown[seat], order.indexOf(seat), ranked));
  change(place, make("ol", { class: `scores ${match.live ? "live" : ""} ${match.over?.winners.length ? "podium" : ""} ${match.hidden ? "secret" : ""}`, "data-seats": match.players.length, vars: sizes }, lines), rows(match, known(match, question)));
}

/** Return what is large and what is small of a seat: its score, and the value beside it. */
function texts(match, { seat }) {
  const beside = match.beside[seat] || "";
  const score = String(match.scores[seat] ?? (match.hidden ? "?" : "")); // null while the game hides it
  return match.live && beside && !match.over ? [beside, score] : [score, beside];
}

/** Return the letters of the longer line of a name that is broken into two. */
function widest(name) {
  if (name.length <= 10) return name.length;
  return Math.max(...name.split(/[\s-]/).map(({ length }) => length), Math.ceil(name.length * 0.6));
}

/** Return where one of `count` is on the podium: the first in the middle (0), the others left and right of it. */
const spotOf = (nth, count) => (count < 3 ? nth : nth % 2 ? -(nth + 1) / 2 : nth / 2);

/** Make the line of a seat; `nth` counts the seats in the order of their ranks, from 0. */
function line(match, seat, [large, small], nth, ranked) {
  const place = match.over?.winners.length ? match.over.places[seat] : undefined; // nobody has a rank if all have lost
  const acts = match.turn === seat;
  const rank = match.ranks?.[seat] ?? 0;
  const leads = !match.over && ranked && rank === 1;
  const { button, name } = match.players[seat];
  return make(
    "li",
    { class: `score ${acts ? "acts" : ""} ${place === 1 ? "won" : ""} ${leads ? "leads" : ""}`, "data-seat": seat, "data-button": button, "data-nth": nth, "aria-current": acts && "true", vars: { rank: place ?? rank, spot: spotOf(nth, match.players.length) } },
    ranked && rank > 0 && make("span", { class: "place" }, `${rank}.`),
    make("span", { class: "who" }, mark(button), make("span", { class: "name" }, name)),
    place && make("span", { class: "note" }, place === 1 ? say("winner") : say("rank {number}", { number: place })),
    (leads || place === 1) && draw("svg", { class: "crown", viewBox: "0 0 24 18", ...(leads ? { role: "img", "aria-label": say("leads") } : { "aria-hidden": "true" }) }, draw("path", { d: CROWN })),
    small && !/^\+?0$/.test(small) && make("span", { class: "small" }, signed(small)),
    make("span", { class: "large", title: match.hidden && large === "?" && say("hidden until the end") }, large),
  );
}

/** Return the pieces of the question by their texts, because a row says them with the same ones. */
function known({ pieces }, question) {
  const fields = (question?.asks ?? []).flatMap((ask) => ask.fields).filter(({ name, options }) => options && kindOf(pieces, name));
  return new Map(fields.flatMap(({ name, options }) => options.map(({ label, value }) => [label, { kind: kindOf(pieces, name), value }])));
}

function rows(match, pieces) {
  if (!match.head && !match.rows.length) return null;
  const dodes = Object.values(match.pieces).includes("dode");
  const pieceOf = (cell) => (/^\d+$/.test(cell) ? null : dodes && DODE.test(cell) ? { kind: "dode", value: cell } : pieces.get(cell)); // a bare number may be points
  const terms = match.rows.map(([label, ...cells]) =>
    make("div", { class: "row" }, make("dt", {}, label), cells.map((cell) => {
      const piece = pieceOf(cell);
      return make("dd", { class: piece && "drawn" }, piece ? drawn(piece.kind, piece.value, cell) : signed(cell));
    })));
  return make(
    "div",
    { class: "beside" },
    match.head && make("p", { class: "head" }, match.head),
    terms.length > 0 && make("dl", { class: "rows" }, terms),
  );
}
