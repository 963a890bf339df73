// The review of a past match: what each player got by expectation, by luck and by choices, and which choices cost most.

import { course } from "./course.js";
import { fill, make } from "./make.js";
import { called } from "./seats.js";
import { get, once } from "./send.js";
import { say } from "./words.js";

const LONGEST_MS = 320_000; // the box gives up after five minutes

/** Make the section of the review of the match `id`; `go(step)` shows the position after so many moves on the board. */
export function reviewOf(id, players, go) {
  const place = make("section", { class: "review", "aria-label": say("Luck and skill") });
  const head = () => make("h3", { tabindex: -1 }, say("Luck and skill"));
  const offer = () => fill(place,
    head(),
    make("p", {}, say("How much was luck, and which choices cost most?")),
    make("button", { type: "button", "data-key": "review", onclick: once(show) }, say("Review this match")));

  async function show() {
    fill(place, head(), make("p", { role: "status" }, say("The box reviews the match. This may take a minute.")));
    const { ok, body, error } = await get(`api/matches/${encodeURIComponent(id)}/review`, LONGEST_MS);
    if (!ok) {
      offer();
      return place.append(make("p", { role: "alert" }, error));
    }
    const { method, measure, why, shares, presses } = body;
    fill(place,
      head(),
      shares.length > 0 && split(method, measure, shares, players),
      shares.map((share) => make("div", { class: "share" }, mistakes(share, players, go), course(share, players, go))),
      presses.length > 0 && races(presses, players),
      why && make("p", {}, why),
      "print" in window && make("button", { type: "button", "data-key": "print", onclick: () => window.print() }, say("Print")));
    place.querySelector("h3").focus({ preventScroll: true });
  }

  offer();
  return place;
}

function split(method, measure, shares, players) {
  const heads = [say("Player"), say("Points"), say("Expected"), say("Luck"), say("Given away")];
  return make("table", { class: "stats" },
    make("caption", {}, make("strong", {}, measure), make("span", {}, method === "sampled" ? say("about, ± half of a 95 % interval") : say("exact"))),
    headRow(heads),
    make("tbody", {}, shares.map(({ seat, points, expected, luck, given_away }) => row(called(players, seat), [points, expected, luck, given_away]))));
}

function races(presses, players) {
  const heads = [say("Player"), say("Points"), say("Presses"), say("First"), say("Reaction"), say("Lead")];
  const time = (ms) => ms == null ? "" : `${Math.round(ms)} ms`;
  return make("table", { class: "stats" }, headRow(heads),
    make("tbody", {}, presses.map(({ seat, points, presses: number, first, reaction_ms: reaction, lead_ms: lead }) =>
      row(called(players, seat), [points, number, first, time(reaction), time(lead)]))));
}

const headRow = (heads) => make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head))));

const row = (name, cells) => make("tr", {}, make("th", { scope: "row" }, name), cells.map((cell) => make("td", {}, String(cell))));

/** Make the list of the choices that cost a player most; a tap shows the position before one on the board. */
function mistakes({ seat, worst }, players, go) {
  if (!worst.length) return [make("h4", {}, called(players, seat)), make("p", {}, say("No mistake was found."))];
  return [
    make("h4", {}, called(players, seat)),
    make("ul", { class: "mistakes" }, worst.map(({ move, situation, chosen, best, loss }) => make("li", {},
      make("button", { type: "button", class: "plain", "data-key": `mistake ${move}`, onclick: () => go(move - 1) }, say("move {number}", { number: move })),
      situation && make("span", {}, situation),
      make("span", {}, say("Chosen: {chosen}", { chosen })),
      make("span", {}, say("Better: {best}", { best })),
      make("span", { class: "cost" }, say("Cost: {loss}", { loss }))))),
  ];
}
