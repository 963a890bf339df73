// The funnel in section: cubes fall through its lanes, break the beams and queue in the rail.

import { draw, make } from "./make.js";
import { BUTTONS, MARKS, nameOf } from "./seats.js";
import { post } from "./send.js";
import { say } from "./words.js";

const HOWS = [["apart", () => say("one by one")], ["touching", () => say("touching")], ["turned", () => say("askew")], ["stuck", () => say("stuck")]];
const SIZE = 26; // of a cube, in the drawing's units
const [MOUTH, BEAM, STOP] = [56, 92, 770]; // heights of the mouths of the lanes and of the beams; the end of the rail
const FALL_MS = 520;
const APART_MS = 160;

/** Make the funnel: its `section`, `lanes(n)`, `drop(colour)`, and `hear(document)` for each change of the table. */
export function funnel() {
  const scene = draw("svg", { class: "scene", viewBox: "0 0 800 178", role: "img", "aria-label": () => say("The funnel and its queue rail") });
  const together = make("input", { type: "checkbox", id: "together" });
  const how = make("select", { id: "how", "aria-label": () => say("How the cubes fall") }, HOWS.map(([value, text]) => make("option", { value, text })));
  const all = make("button", { type: "button", id: "toss", hidden: true, onclick: () => toss(chosen), text: () => say("toss") });
  const cubes = BUTTONS.map((colour, at) => make("button", {
    type: "button", class: colour, "data-cube": colour, "aria-label": () => say("toss the cube: {colour}", { colour: nameOf(at) }), onclick: () => drop(colour),
  }, make("span", { "aria-hidden": "true" }, MARKS[at])));
  const section = make("details", { class: "funnel", id: "funnel", hidden: true },
    make("summary", { text: () => say("Funnel") }),
    scene,
    make("div", { class: "hand" },
      make("div", { class: "cubes", id: "cubes", role: "group", "aria-label": () => say("Cubes to toss") }, cubes),
      make("label", {}, together, make("span", { text: () => say("together") })), how, all,
      make("button", { type: "button", id: "jiggle", "aria-label": () => say("jiggle the funnel"), onclick: jiggle, text: () => say("jiggle") })));
  let number = 0; // of lanes
  let chosen = [];
  let rail = []; // the cubes in the rail, in order
  let stuck = [];
  let announced;
  let used; // whether cubes can answer the question
  let match; // the match in which the cubes were tossed

  function lanes(count) {
    if (count === number) return;
    number = count;
    section.hidden = !count;
    scene.replaceChildren(...walls(count));
    [rail, stuck] = [[], []];
  }

  function drop(colour) {
    if (!together.checked) return toss([colour]);
    choose(chosen.includes(colour) ? chosen.filter((other) => other !== colour) : [...chosen, colour]);
  }

  function choose(colours) {
    chosen = colours;
    for (const cube of cubes) cube.classList.toggle("chosen", chosen.includes(cube.dataset.cube));
  }

  async function toss(colours) {
    if (!colours.length) return;
    section.open = true;
    choose([]);
    const { ok } = await post("toss", { cubes: colours, how: how.value });
    if (ok) colours.forEach((colour, at) => fall(colour, at, how.value));
  }

  function fall(colour, at, way) {
    take((cube) => cube.dataset.lies === colour); // each colour exists once, so this cube was picked up again
    const x = lane(number, BUTTONS.indexOf(colour));
    const cube = piece(colour, way === "turned");
    scene.append(cube);
    const delay = at * (way === "touching" ? APART_MS / 3 : APART_MS);
    const path = [[x, -SIZE], [x, MOUTH], [x, BEAM]];
    if (way === "stuck") stuck.push(cube);
    else rail.push(cube);
    move(cube, way === "stuck" ? path : [...path, ...along(x, rail.length - 1)], delay);
  }

  /** Remove cubes; the others in the rail roll down to its stop. */
  function take(which) {
    const taken = [...rail, ...stuck].filter(which);
    for (const cube of taken) cube.remove();
    const before = rail;
    [rail, stuck] = [rail, stuck].map((cubes) => cubes.filter((cube) => !taken.includes(cube)));
    rail.forEach((cube, place) => before[place] !== cube && move(cube, [cube.at, along(0, place)[1]], 0));
  }

  async function jiggle() {
    await post("toss", { jiggle: true });
    for (const cube of stuck.splice(0)) move(cube, [cube.at, ...along(cube.at[0], rail.push(cube) - 1)], 0);
  }

  /**
   * Follow the table: remove the cubes from the rail after their announcement, and all cubes between matches. Open the
   * funnel if cubes can answer the question, and fold it for another match.
   */
  function hear(table) {
    const now = Boolean(table.seen || table.doubt);
    const other = table.match?.id !== match;
    if (announced && !now) take((cube) => !stuck.includes(cube));
    if (other) take(() => true);
    if (other) section.open = false;
    const use = now || Boolean(table.question?.asks.some((ask) => ask.fields[0]?.source === "cube"));
    if (use && (other || !used)) section.open = true;
    [announced, used, match] = [now, use, table.match?.id];
  }

  together.addEventListener("change", () => {
    choose([]);
    all.hidden = !together.checked;
  });
  return { section, lanes, drop, hear };
}

const lane = (lanes, button) => (lanes === 1 ? 190 : 82 + button * 44);
const floor = (x) => 128 + x * 0.032; // the centre of a cube on the rail, which slopes to its stop

/** Return the path of a cube from the foot of its lane at `x` down the rail to its place. */
function along(x, place) {
  const end = STOP - SIZE / 2 - Math.min(place, 14) * (SIZE + 2);
  return [[x, floor(x)], [end, floor(end)]];
}

/** Draw the fixed parts: the hopper, a chute with its beam per lane, and the rail with its stop. */
function walls(lanes) {
  const ways = Array.from({ length: lanes }, (_, button) => lane(lanes, button));
  const half = SIZE / 2 + 4;
  const foot = floor(ways[0]) - SIZE / 2 - 5;
  const under = (x) => floor(x) + SIZE / 2 + 4;
  return [
    draw("path", { class: "wall", d: `M30 6 L${ways[0] - half} ${MOUTH} V${foot} M${lanes === 1 ? 350 : 384} 6 L${ways.at(-1) + half} ${MOUTH} V${foot}` }),
    ways.slice(1).map((x) => draw("path", { class: "wall thin", d: `M${x - half} ${MOUTH} V${foot}` })),
    ways.map((x, button) => draw("g", {},
      draw("line", { class: "beam", x1: x - half, x2: x + half, y1: BEAM, y2: BEAM }),
      lanes > 1 && draw("text", { class: "lane", x, y: MOUTH - 8, "text-anchor": "middle" }, MARKS[button]))),
    draw("path", { class: "wall", d: `M${ways[0] - half} ${under(ways[0])} L${STOP + 5} ${under(STOP)} V${under(STOP) - SIZE * 1.7}` }),
    draw("text", { class: "lane", x: STOP, y: floor(STOP) - SIZE - 6, "text-anchor": "end", text: () => say("first") }),
  ].flat();
}

function piece(colour, turned) {
  const half = SIZE / 2;
  const cube = draw("g", { class: `piece ${colour}`, "data-lies": colour },
    draw("rect", { x: -half, y: -half, width: SIZE, height: SIZE, rx: 4, transform: turned ? "rotate(8)" : "" }),
    draw("text", { x: 0, y: 6, "text-anchor": "middle" }, MARKS[BUTTONS.indexOf(colour)]));
  return cube;
}

/** Move a cube along points, or at once if the user prefers reduced motion. */
function move(cube, points, delay) {
  cube.at = points.at(-1);
  const frames = points.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  cube.style.transform = frames.at(-1).transform;
  if (!still) cube.animate(frames, { duration: FALL_MS + (points.at(-1)[0] - points[0][0]), delay, fill: "backwards", easing: "ease-in" });
}
