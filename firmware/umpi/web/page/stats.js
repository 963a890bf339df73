// Statistics: a table for all games, then one per game in a folded section.

import { failed } from "./failed.js";
import { fill, make } from "./make.js";
import { newest } from "./send.js";
import { figure, say, sayN } from "./words.js";

const ask = newest();

/** Show the statistics in `place`; without `wanted`, nothing. */
export async function showStats(place, wanted) {
  const answer = await ask(wanted && "api/stats");
  if (!answer) return;
  if (!wanted) return fill(place);
  const { ok, body, error } = answer;
  if (!ok) return fill(place, failed(error, () => showStats(place, wanted)));
  const played = body.tallies.filter((tally) => tally.matches > 0);
  if (!played.length && body.tallies.some(({ open }) => open > 0)) return fill(place, make("p", { class: "nothing" }, say("Statistics appear after the first finished match.")));
  fill(place, played.length > 0 && make("details", { "data-key": "stats" },
    make("summary", { "data-key": "open stats" }, say("Statistics")),
    played.map((tally) => [table(tally), pairs(tally)]),
    body.unread.length > 0 && make("p", {}, say("Unreadable matches: {number}", { number: body.unread.length }))));
}

function table({ game, title, matches, open, players }) {
  const counts = [sayN("{number} match", "{number} matches", matches), open > 0 && say("{number} ongoing", { number: open })];
  const heads = [say("Player"), say("Played"), say("Won"), say("Tied"), ...(game === null ? [] : [say("Best"), say("Avg")])];
  const cells = ({ name, matches, won, shared, best, mean }) => [name, matches, won, shared, ...(game === null ? [] : [best ?? "", figure(mean, 1)])];
  return make("table", { class: "stats" },
    make("caption", {}, make("strong", {}, game === null ? say("All games") : title), make("span", {}, counts.filter(Boolean).join(", "))),
    make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))),
    make("tbody", {}, players.map((player) => make("tr", {}, cells(player).map((cell, column) =>
      (column ? make("td", {}, String(cell)) : make("th", { scope: "row" }, cell)))))));
}

function pairs({ pairs }) {
  return pairs.length > 0 && make("ul", { class: "pairs" }, pairs.map(({ names: [one, other], ahead, level }) => make("li", {},
    `${one} – ${other}`, make("span", { class: "points" }, ahead.join(":")),
    level > 0 && make("span", { class: "when" }, sayN("{number} tie", "{number} ties", level)))));
}
