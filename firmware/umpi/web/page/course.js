// The course of a review: a chart of a player's expectation, luck and choices over the match, with each mistake, and a table.

import { draw, make } from "./make.js";
import { called } from "./seats.js";
import { figure, say } from "./words.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [420, 230, 52, 14, 14, 26];
const LINES = [["expected", () => say("Expected")], ["luck", () => say("Luck")], ["given_away", () => say("Given away")]];
const SIZE = 5; // half the width of the mark of a mistake

/** Make the chart of a share with a legend, the figures as a table, and all mistakes; a tap on one shows its position. */
export function course(share, players, go) {
  const { seat, course: steps, mistakes, expected, luck, given_away } = share;
  if (steps.length < 2) return null;
  const { name } = players.find((one) => one.seat === seat);
  const [first] = steps;
  const lines = LINES.filter(([key]) => first[key] !== null);
  const words = say("{name}: expected {expected}, luck {luck}, given away {given_away}. Mistakes: {count}.", { name, expected, luck, given_away, count: mistakes.length });
  return make("figure", { class: "course" },
    curves(steps, lines, mistakes, words),
    make("figcaption", {},
      lines.map(([key, text]) => make("span", {}, sample(key), text())),
      mistakes.length > 0 && make("span", {}, draw("svg", { class: "chart sample", viewBox: "0 0 14 12", "aria-hidden": "true" }, cross(7, 6)), say("Mistake"))),
    lines.length < LINES.length && make("p", {}, say("In this game, luck is known only for the whole match.")),
    mistakes.length > 3 && make("details", { "data-key": `mistakes ${seat}` }, make("summary", {}, say("All mistakes")), make("ol", { class: "mistakes" }, mistakes.map((one) => mistake(one, go)))),
    make("details", { "data-key": `figures ${seat}` }, make("summary", {}, say("The chart as a table")), table(steps, lines, called(players, seat))));
}

function curves(steps, lines, mistakes, words) {
  const all = steps.flatMap((step) => lines.map(([key]) => step[key] / 10));
  const [least, most] = [Math.floor(Math.min(0, ...all)), Math.ceil(Math.max(1, ...all))];
  const last = steps.at(-1).move;
  const x = (move) => LEFT + (move / last) * (WIDTH - LEFT - RIGHT);
  const y = (tenths) => TOP + ((most - tenths / 10) / (most - least)) * (HEIGHT - TOP - BOTTOM);
  const cost = new Map(steps.map(({ move, given_away }) => [move, given_away]));
  return draw("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words },
    [...new Set([least, 0, most])].map((points) => draw("g", {},
      draw("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(10 * points), y2: y(10 * points) }),
      draw("text", { x: LEFT - 6, y: y(10 * points) + 5, "text-anchor": "end" }, figure(points, 0)))),
    draw("text", { x: LEFT, y: HEIGHT - 6 }, say("start")),
    draw("text", { x: WIDTH - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }, say("move {number}", { number: last })),
    lines.map(([key]) => draw("polyline", { class: `line ${key}`, points: [[x(0), y(0)], ...steps.map((step) => [x(step.move), y(step[key])])].join(" ") })),
    mistakes.filter(({ move }) => cost.has(move)).map(({ move }) => cross(x(move), y(cost.get(move)))));
}

const cross = (x, y) => draw("path", { class: "mistake", d: `M${x - SIZE} ${y - SIZE}L${x + SIZE} ${y + SIZE}M${x - SIZE} ${y + SIZE}L${x + SIZE} ${y - SIZE}` });

const sample = (key) => draw("svg", { class: "chart sample", viewBox: "0 0 34 12", "aria-hidden": "true" }, draw("polyline", { class: `line ${key}`, points: "0,6 34,6" }));

function mistake({ move, situation, chosen, best, loss }, go) {
  return make("li", {},
    make("button", { type: "button", class: "plain", onclick: () => go(move - 1) }, say("move {number}", { number: move })),
    situation && make("span", {}, situation),
    make("span", {}, say("Chosen: {chosen}", { chosen })),
    make("span", {}, say("Better: {best}", { best })),
    make("span", { class: "cost" }, say("Cost: {loss}", { loss })));
}

function table(steps, lines, player) {
  const cell = (tag, text, scope) => make(tag, scope ? { scope } : {}, text);
  return make("table", { class: "stats" },
    make("caption", {}, player),
    make("thead", {}, make("tr", {}, cell("th", say("Move"), "col"), lines.map(([, text]) => cell("th", text(), "col")))),
    make("tbody", {}, steps.map((step) => make("tr", {}, cell("th", String(step.move), "row"), lines.map(([key]) => cell("td", figure(step[key] / 10, 1)))))));
}
