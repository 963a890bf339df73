// Past matches: how each ended, its moves on the board, its scores after each act, and its record.

import { boardView } from "./boards/all.js";
import { chart } from "./chart.js";
import { fill, make } from "./make.js";
import { photo, times } from "./photo.js";
import { puzzle } from "./puzzle.js";
import { reviewOf } from "./review.js";
import { called, mark } from "./seats.js";
import { get, inTab, newest, once } from "./send.js";
import { say } from "./words.js";

const ask = newest();
let replayed = {}; // the match whose moves are shown, and the step: it stays when the language changes

/** Show the past matches in `place`, or the match `id`. */
export async function showPast(place, id) {
  if (id !== replayed.id) replayed = {};
  const answer = await ask(id ? `api/matches/${encodeURIComponent(id)}` : "api/matches");
  if (!answer) return;
  const { ok, body, error } = answer;
  if (!ok) return fill(place, title(say("Past matches")), make("p", { role: "alert" }, error));
  fill(place, id ? one(body) : list(body));
  if (!id) return;
  await addReplay(place.querySelector(".replay"), id);
}

/** Show the moves of a match in `place`, with the board after each, and offer its review below. */
async function addReplay(place, id) {
  const { ok, body, error } = await get(`api/matches/${encodeURIComponent(id)}/moves`);
  if (!place?.isConnected) return;
  if (!ok) return fill(place, make("div", { class: "beside-board" }, make("p", { role: "alert" }, say("The moves cannot be shown."), " ", error), make("button", { type: "button", "data-key": "moves again", onclick: once(() => addReplay(place, id)) }, say("Try again"))));
  if (body.moves.length < 2) return;
  const positions = wholeMoves(body.moves);
  const [board, said] = [make("div", { class: "felt" }), make("div", { class: "position", "aria-live": "polite" })];
  const draw = boardView(board);
  const button = (key, text, to) => make("button", { type: "button", "data-key": key, onclick: () => go(to(now)) }, text);
  const buttons = [button("first", say("Start of the match"), () => 0), button("back", say("Previous step"), (at) => at - 1), button("next", say("Next step"), (at) => at + 1), button("last", say("End of the match"), () => positions.length - 1)];
  const [first, back, next, last] = buttons;
  const lines = positions.map(({ text }, index) => make("li", { value: index }, make("button", { type: "button", class: "plain", onclick: () => go(index) }, text || say("Start of the match"))));
  let now;

  function go(to) {
    const before = now;
    now = Math.max(0, Math.min(to, positions.length - 1));
    replayed = { id, step: now };
    const { text, calls, ...position } = positions[now];
    draw({ match: { ...position, id, game: body.game, players: body.players } }, now === before + 1 ? calls : []);
    fill(said,
      make("p", { class: "when" }, say("Step {number} of {count}", { number: now, count: positions.length - 1 })),
      text && make("p", { class: "did" }, text),
      calls.map((call) => make("p", { class: "call" }, call.text)),
      make("ul", { class: "standings" }, body.players.map(({ seat }) => make("li", { "aria-current": position.turn === seat && "true" }, called(body.players, seat), make("span", { class: "points" }, String(position.scores[seat] ?? "?"))))));
    for (const one of [first, back]) one.ariaDisabled = String(now === 0);
    for (const one of [next, last]) one.ariaDisabled = String(now === positions.length - 1);
    lines.forEach((line, index) => line.toggleAttribute("data-now", index === now));
    const [list, line] = [lines[now].parentElement, lines[now]];
    if (list) list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  fill(place, board, make("div", { class: "beside-board" }, said, make("div", { class: "verbs" }, buttons)), make("details", {}, make("summary", {}, say("All moves")), make("ol", { class: "moves" }, lines)));
  go(replayed.step ?? positions.length - 1);
  place.after(reviewOf(id, body.players, (step) => { go(step); place.scrollIntoView(); }));
}

/** Return the positions with all their facts and the board; a move has only what it changed of them. */
function wholeMoves(moves) {
  let [facts, board] = [{}, null];
  return moves.map((move) => ({ ...move, facts: (facts = move.whole ? move.facts : { ...facts, ...move.facts }), board: (board = "board" in move ? move.board : board) }));
}

const title = (text) => make("h2", { tabindex: -1 }, text);

function list(matches) {
  if (!matches.length) return [title(say("Past matches")), make("p", {}, say("No matches yet.")), make("p", {}, say("Start one on the box. Its scores, moves and record will appear here.")), inTab && copies()];
  return [title(say("Past matches")), !inTab && puzzle(), make("ul", { class: "past" }, matches.map((match) => make(
    "li",
    {},
    make("a", { href: `#past/${match.id}`, "data-key": `match ${match.id}` },
      match.title),
    make("span", { class: "when" }, day(match.began)),
    standings(match),
  ))), inTab && copies()];
}

/** Make what takes the matches of a browser to a file, and those of a file or of a box to this browser. */
function copies() {
  const said = make("p", { role: "status" });
  const add = async ({ target: { files: [file] } }) => {
    if (!file) return;
    const answer = await fetch("matches", { method: "POST", headers: { "Content-Type": "application/x-ndjson" }, body: file }).catch(() => null);
    const body = await answer?.json().catch(() => null);
    fill(said, answer?.ok ? say("{count} new, {longer} longer, {there} already here.", { count: body.new, longer: body.longer, there: body.there }) : body?.error ?? say("No reply from the box."));
    if (answer?.ok) showPast(said.closest("section"), "");
  };
  return make("section", { class: "copies", "aria-label": say("Copies") },
    make("p", {}, say("The matches are kept in this browser. Save a copy, or take them to a box: umpi history --import FILE.")),
    make("p", {}, make("a", { href: "matches", download: "umpi-matches.jsonl", "data-key": "save all" }, say("Save all matches"))),
    make("p", {}, make("label", {}, say("Add the matches of a file"), " ", make("input", { type: "file", accept: ".jsonl", "data-key": "add", onchange: add }))),
    said);
}

function one(match) {
  const { progress = [], races = [], players, error } = match;
  return [
    make("p", {}, make("a", { href: "#past" }, say("← All matches"))),
    title(match.title),
    make("p", { class: "when" }, day(match.began)),
    standings(match),
    match.over?.why && make("p", {}, match.over.why),
    error && make("p", { role: "alert" }, error),
    make("section", { class: "replay", "aria-label": say("Moves") }),
    progress.length > 1 && make("figure", {}, chart(progress, players), make("figcaption", {}, say("Scores by move"))),
    races.length > 0 && make("details", { class: "races", "data-key": "races" },
      make("summary", {}, say("Who was first")), make("ol", {}, races.map(race))),
    make("p", {}, make("a", { href: `api/matches/${match.id}/record`, download: true }, say("Download the record"))),
  ];
}

/** Make a race of a past match: its order, the picture and the verdict. */
function race(run) {
  const lines = run.arrivals.map((one) => make("li", {},
    make("span", { class: "runner" }, mark(one.button), make("span", { class: "name" }, one.name)), times(one)));
  return make("li", {}, make("h3", {}, say("move {number}", { number: run.before + 1 })), photo(run, lines), run.verdict && make("p", {}, run.verdict));
}

function standings(match) {
  const { players } = match;
  const winners = new Set(match.winners || []);
  const places = winners.size ? match.over.places : []; // nobody has a rank if all have lost
  const order = players.toSorted((one, other) => (places[one.seat] ?? 0) - (places[other.seat] ?? 0));
  return make("ul", { class: "standings" }, order.map(({ seat }) => make(
    "li",
    { class: winners.has(seat) ? "won" : "" },
    called(players, seat),
    make("span", { class: "points" }, String(match.scores?.[seat] ?? "")),
    winners.has(seat) ? make("span", { class: "note" }, say("winner")) : places[seat] && make("span", { class: "when" }, say("rank {number}", { number: places[seat] })),
  )), !match.over && !match.error && make("li", { class: "note" }, say("ongoing")));
}

function day(began) {
  const date = new Date(began);
  return Number.isNaN(date.valueOf()) ? String(began ?? "") : date.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
}
