// The rules of a game: a table of contents, the sections, and examples that can be stepped through.

import { boardView } from "./boards/all.js";
import { fill, make } from "./make.js";
import { newest } from "./send.js";
import { say } from "./words.js";

const ask = newest();

/** Show the rules of `game` in `place`, or the list of games that have rules. */
export async function showRules(place, game) {
  const answer = await ask(game ? `api/rules/${encodeURIComponent(game)}` : "api/rules");
  if (!answer) return;
  const { ok, body, error } = answer;
  if (!ok) return fill(place, all(), title(say("Rules")), make("p", { role: "alert" }, error));
  game ? fill(place, ...book(body, game)) : fill(place, title(say("Rules")), list(body));
}

const title = (text) => make("h2", { tabindex: -1 }, text);
const all = () => make("p", {}, make("a", { href: "#rules" }, say("← All games")));

function list(games) {
  if (!games.length) return make("p", {}, say("This box has no game rules."));
  return make("ul", { class: "past" }, games.map(({ game, title }) => make("li", {}, make("a", { href: `#rules/${game}` }, title))));
}

function book({ title: name, language, missing, sections }, game) {
  const parts = sections.map(({ title, blocks }) => make("section", { class: "rules", lang: language },
    make("h3", { tabindex: -1 }, title), blocks.map((part) => block(part, game))));
  const jump = (part) => () => {
    part.scrollIntoView();
    part.querySelector("h3").focus({ preventScroll: true });
  };
  const contents = make("ul", { class: "contents", lang: language }, sections.map(({ title }, index) => make("li", {},
    make("button", { type: "button", class: "plain", onclick: jump(parts[index]) }, title))));
  return [all(), title(name), missing && make("p", { role: "note" }, missing), make("nav", { "aria-label": say("Contents") }, contents), parts];
}

function block(part, game) {
  if (part.kind === "paragraph") return make("p", {}, part.text);
  if (part.kind === "list") return make(part.numbered ? "ol" : "ul", { class: "items" }, part.items.map((item) => make("li", {}, item)));
  if (part.kind === "table") return table(part);
  return example(part, game);
}

function table({ head, rows }) {
  return make("div", { class: "wide" }, make("table", {},
    make("thead", {}, make("tr", {}, head.map((cell) => make("th", { scope: "col" }, cell)))),
    make("tbody", {}, rows.map((row) => make("tr", {}, row.map((cell) => make("td", {}, cell)))))));
}

/** Make an example: one position at a time on the board of its game, with the act that led to it. */
function example({ name, title, players, steps, error }, game) {
  const place = make("div", { class: "position", "aria-live": "polite" });
  const board = make("div", { class: "felt" });
  const draw = boardView(board);
  const seats = players.map((player, seat) => ({ seat, name: player, button: seat }));
  let now = 0;
  const go = (to) => {
    now = Math.max(0, Math.min(to, steps.length - 1));
    fill(place, position(steps[now], now, steps.length, players));
    draw({ match: { ...steps[now], id: name, game, players: seats } });
    back.ariaDisabled = String(now === 0);
    next.ariaDisabled = String(now === steps.length - 1);
  };
  const back = make("button", { type: "button", onclick: () => go(now - 1) }, say("Previous step"));
  const next = make("button", { type: "button", onclick: () => go(now + 1) }, say("Next step"));
  const head = make("figcaption", {}, say("Example: {title}", { title }));
  if (error) return make("figure", { class: "example" }, head, make("p", { role: "alert" }, error));
  go(0);
  return make("figure", { class: "example" }, head, board, place, make("div", { class: "verbs" }, back, next));
}

function position({ act, calls, notes, turn, scores, beside, head, rows }, number, count, players) {
  return [
    make("p", { class: "when" }, say("Step {number} of {count}", { number, count: count - 1 })),
    act && make("p", { class: "did" }, act),
    calls.map((call) => make("p", { class: "call" }, call)),
    notes.map((note) => make("p", {}, note)),
    make("ul", { class: "standings" }, players.map((name, seat) => make("li", { "aria-current": turn === seat && "true" },
      make("span", {}, name), make("span", { class: "points" }, [beside[seat], String(scores[seat])].filter(Boolean).join(" · "))))),
    head && make("p", { class: "when" }, head),
    rows.map(([label, ...cells]) => make("p", { class: "row" }, make("strong", {}, label), ` ${cells.join(" · ")}`)),
  ];
}
