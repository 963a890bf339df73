// The photo finish: the names of a race over its picture as the box draws it, and its slow motion.

import { make } from "./make.js";
import { say } from "./words.js";

/** Make the order of a race from its `lines`, with the picture if there is something to compare. */
export function photo(race, lines) {
  const { arrivals, svg } = race ?? { arrivals: [] };
  const vars = { many: lines.length, name: Math.max(...lines.map((line) => line.querySelector(".name").textContent.length)) };
  const list = make("ol", { class: "order", vars }, lines);
  if (arrivals.length < 2 || arrivals.length !== lines.length) return list;
  const picture = document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
  picture.setAttribute("aria-hidden", "true"); // the list says the same
  const finish = make("div", { class: "finish", vars }, picture, list);
  return [
    make("div", { class: "photo" }, finish),
    make("button", { type: "button", class: "slow", "data-key": "slow motion", onclick: () => run(finish) }, say("Slow motion")),
  ];
}

/** Make the time of an arrival: how long after the first, and by how much that may be wrong. */
export function times({ behind, bound } = {}) {
  return [behind && make("span", { class: "margin" }, behind), bound && make("span", { class: "bounds" }, bound)];
}

/** Let the arrivals appear along the time axis, again from the start. */
export function run(finish) {
  finish.classList.remove("runs");
  finish.getBoundingClientRect(); // so that the animation starts again
  finish.classList.add("runs");
}
