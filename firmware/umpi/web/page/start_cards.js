// The games to choose from, as cards: a picture, what it is about, for how many players, and how long it takes here.

import { draw, make } from "./make.js";
import { drawn } from "./pieces.js";
import { BUTTONS, nameOf, mark } from "./seats.js";
import { say } from "./words.js";

const DICE = ["3", "8", "12"].map((face) => ["die", face]);
const PICTURES = {
  battledodes: [["dode", "5x2"], ["dode", "12x1"], ["dode", "9x3"]],
  dodeka: DICE,
  dodekka: [["card", "fire-2"], ["card", "water-3"], ["card", "ether-1"]],
  "dudab-buba": [["card", "red-hand-3"], ["card", "blue-mammoth-2"], ["card", "green-club-4"]],
};
const BARS = [[0, 26], [1, 40], [2, 18]]; // the button and the height of each
const KNOWN = 3; // matches that tell how long a game takes

/** Return who is here: the seats with the names of the players who have joined. */
export function whoIsHere(joined) {
  const name = (button) => joined.find((one) => one.button === button)?.name;
  return [
    make("h2", {}, say("Who is here?")),
    make("p", {}, say("Each player joins with a phone, or presses their button after the game is chosen.")),
    make("ul", { class: "here" }, BUTTONS.map((_, button) => make("li", { class: name(button) ? "in" : "" }, mark(button),
      make("span", { class: "name" }, name(button) ?? make("small", {}, make("span", { class: "unseen" }, nameOf(button)), ` ${say("free")}`))))),
  ];
}

/** Return the games in the order of their cards: first those for the number of players who have joined. */
export const fitting = (games, joined) => games.toSorted((one, other) => fits(other, joined) - fits(one, joined));

const fits = ({ seats }, { length }) => Number(length < 2 || seats.includes(length));

/** Return what is inside the card of a game; `matches` are the past matches of this box. */
export function cardOf(game, joined, matches) {
  const minutes = minutesOf(game, matches);
  const players = say("Players: {numbers}", { numbers: numbers(game) });
  return [
    picture(game),
    make("span", { class: "text" }, make("strong", {}, game.title), game.about && make("span", { class: "about" }, game.about),
      make("small", {}, minutes ? say("{players} · about {minutes} min", { players, minutes }) : players),
      !fits(game, joined) && make("small", { class: "needs" }, say("Needs {numbers} players", { numbers: numbers(game) }))),
  ];
}

/** Return the cards for those who look on: the games, with a lesson where there is one. */
export function gameCards(games, joined, matches) {
  return make("ul", { class: "games cards" }, fitting(games, joined).map((game) => make("li", { class: `choice ${fits(game, joined) ? "" : "no"}` }, cardOf(game, joined, matches),
    game.lesson && make("a", { href: `#learn/${game.game}` }, say("Learn it"), make("span", { class: "unseen" }, `: ${game.title}`)))));
}

/** Return the way to the lessons, for those who play for the first time. */
export const firstTime = () => make("p", { class: "first-time" }, make("strong", {}, say("First time?")), " ", make("a", { href: "#learn" }, say("Learn a game together")));

function picture({ game }) {
  const inside = PICTURES[game]?.map(([kind, value]) => drawn(kind, value, value)[0]) ?? (game === "scorepad" ? bars() : [0, 1, 2].map(mark));
  return make("span", { class: "picture", "aria-hidden": "true" }, inside);
}

/** Draw the columns of a score pad. */
function bars() {
  return draw("svg", { class: "bars", viewBox: "0 0 60 44" }, BARS.map(([button, height], nth) =>
    draw("rect", { class: BUTTONS[button], x: 4 + 19 * nth, y: 44 - height, width: 14, height, rx: 3 })));
}

/** Return how many minutes a game takes on this box: the median of its matches, 0 if they are too few. */
function minutesOf({ game }, matches) {
  const took = matches.filter((match) => match.game === game && match.over && match.ended).map(({ began, ended }) => (new Date(ended) - new Date(began)) / 60_000);
  const median = took.toSorted((one, other) => one - other)[took.length >> 1];
  return took.length < KNOWN ? 0 : Math.max(1, Math.round(median));
}

/** Return the possible numbers of players: "2–6". */
function numbers({ seats }) {
  return seats.length > 1 ? `${seats[0]}–${seats.at(-1)}` : String(seats[0]);
}
