// Past matches: how each ended, its scores after each act, and its record.

import { chart } from "./chart.js";
import { fill, make } from "./make.js";
import { called } from "./seats.js";
import { get } from "./send.js";
import { say } from "./words.js";

/** Show the past matches in `place`, or the match `id`. */
export async function showPast(place, id) {
  const { ok, body, error } = await get(id ? `api/matches/${encodeURIComponent(id)}` : "api/matches");
  if (!ok) return fill(place, title(say("Past matches")), make("p", { role: "alert" }, error));
  fill(place, id ? one(body) : list(body));
}

const title = (text) => make("h2", { tabindex: -1 }, text);

function list(matches) {
  if (!matches.length) return [title(say("Past matches")), make("p", {}, say("No matches yet.")), make("p", {}, say("Start one on the box. Its scores, its course and its record will be here."))];
  return [title(say("Past matches")), make("ul", { class: "past" }, matches.map((match) => make(
    "li",
    {},
    make("a", { href: `#past/${match.id}`, "data-key": `match ${match.id}` },
      match.title),
    make("span", { class: "when" }, day(match.began)),
    standings(match),
  )))];
}

function one(match) {
  const { progress = [] } = match;
  const players = seated(match);
  const trouble = match.trouble ?? match.error;
  return [
    make("p", {}, make("a", { href: "#past" }, say("← All matches"))),
    title(match.title),
    make("p", { class: "when" }, day(match.began)),
    standings(match),
    match.over?.why && make("p", {}, match.over.why),
    trouble && make("p", { role: "alert" }, trouble),
    progress.length > 1 && make("figure", {}, chart(progress, players), make("figcaption", {}, say("Scores by move"))),
    make("p", {}, make("a", { href: `api/matches/${match.id}/record`, download: true }, say("Download the record"))),
  ];
}

function standings(match) {
  const players = seated(match);
  const winners = new Set(match.winners || []);
  const places = winners.size ? match.over.places : []; // nobody has a rank if all have lost
  const order = players.toSorted((one, other) => (places[one.seat] ?? 0) - (places[other.seat] ?? 0));
  return make("ul", { class: "standings" }, order.map(({ seat }) => make(
    "li",
    { class: winners.has(seat) ? "won" : "" },
    called(players, seat),
    make("span", { class: "points" }, String(match.scores?.[seat] ?? "")),
    winners.has(seat) ? make("span", { class: "note" }, say("winner")) : places[seat] && make("span", { class: "when" }, say("rank {number}", { number: places[seat] })),
  )), !match.over && make("li", { class: "note" }, say("ongoing")));
}

/** Return the players of a past match, given as names or as seats with buttons. */
const seated = ({ players }) => players.map((player, seat) => (typeof player === "string" ? { seat, name: player, button: seat } : player));

function day(began) {
  const date = new Date(began);
  return Number.isNaN(date.valueOf()) ? String(began ?? "") : date.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
}
