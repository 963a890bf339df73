// Who was first: the finish order with its margins, a strip like a photo finish, and the choices if it is in doubt.

import { draw, fill, make } from "./make.js";
import { BUTTONS, MARKS, called } from "./seats.js";
import { once, post } from "./send.js";
import { figure, say } from "./words.js";

const WAYS = [["toss again", say("Toss again")], ["order by hand", say("Manual")], ["accept", say("Accept")]];
const LANE = 34; // height of a lane in the strip's units; the strip is 420 wide
const START = 20;
const END = 400;

/** Show the current finish order in `place`; `me` may resolve a doubt, `refuse(text)` shows why not. */
export function showAnnouncement(place, { match, seen, doubt, question, referee }, me, refuse) {
  if (!match || (!seen && !doubt)) return fill(place);
  const order = seen?.order || [];
  const close = order.filter((one) => one.close);
  const doubtful = new Set([...(doubt?.seats || []), ...close.map(({ seat }) => seat)]);
  fill(
    place,
    make("h2", {}, doubt || close.length ? say("Not sure who was first") : say("Who was first")),
    seen?.text && make("p", { class: "count" }, seen.text),
    order.length > 0 && list(match, order, doubtful),
    order.length > 1 && strip(order, doubtful),
    doubt && make("p", { class: "doubt" }, doubt.text),
    close.length > 0 && make("p", { class: "doubt" }, say("Too close to call: {names}.", { names: close.map(({ name }) => name).join(", ") })),
    doubt && me?.role !== "referee" && make("p", {}, referee ? say("The referee’s phone settles that.") : say("Settle that at the box.")),
    doubt && me?.role === "referee" && make("div", { class: "ways" }, WAYS.map(([how, text]) => way(how, text, question, refuse))),
  );
}

function list(match, order, doubtful) {
  const behind_us = behind(order);
  return make("ol", { class: "order" }, order.map((one, place) => make(
    "li",
    { class: doubtful.has(one.seat) ? "doubtful" : "" },
    one.seat == null ? make("span", { class: "name" }, one.name) : called(match.players, one.seat),
    place > 0 && behind_us[place] != null && make("span", { class: "margin" }, one.close ? "?" : `+${milliseconds(behind_us[place])} ms`),
  )));
}

/** Return the time of each place after the first in µs, null if unknown; `margin_us` is to the next place. */
function behind(order) {
  let since_us = 0;
  return order.map(({ margin_us }) => {
    const at_us = since_us;
    since_us = since_us == null || margin_us == null ? null : since_us + margin_us;
    return at_us;
  });
}

function way(how, text, question, refuse) {
  const settle = async () => {
    const { ok, error } = await post("api/settle", { question: question?.id ?? null, how });
    if (!ok) refuse(error);
  };
  return make("button", { type: "button", "data-key": how, onclick: once(settle) }, text);
}

/** Draw each cube at its time, one lane per cube. A band marks those that are too close to call. */
function strip(order, doubtful) {
  let last_us = 0;
  const at_us = behind(order).map((us) => (last_us = us ?? last_us)); // draw an unknown time at the previous one
  const span_us = Math.max(at_us.at(-1), 1);
  const x = (us) => START + (us / span_us) * (END - START);
  const height = order.length * LANE + 34;
  const heat = at_us.filter((_, index) => doubtful.has(order[index].seat));
  const band = heat.length > 1 && draw("rect", {
    class: "heat", x: x(heat[0]) - 12, width: x(heat.at(-1)) - x(heat[0]) + 24, y: 4, height: height - 34, rx: 6,
  });
  const words = order.map((one, index) => say("{name} at {ms} ms", { name: one.name, ms: milliseconds(at_us[index]) }));
  return draw(
    "svg",
    { class: "finish", viewBox: `0 0 420 ${height}`, role: "img", "aria-label": say("Times: {order}", { order: words.join(", ") }) },
    band,
    order.map((one, index) => mark(one, x(at_us[index]), 20 + index * LANE)),
    draw("line", { class: "axis", x1: START, x2: END, y1: height - 26, y2: height - 26 }),
    draw("text", { x: START, y: height - 6 }, "0"),
    draw("text", { x: END, y: height - 6, "text-anchor": "end" }, `${milliseconds(span_us)} ms`),
  );
}

function mark({ button }, x, y) {
  const known = button != null;
  return draw(
    "g",
    { class: known ? BUTTONS[button] : "unknown" },
    draw("line", { class: "flight", x1: START, x2: END, y1: y, y2: y }),
    draw("rect", { class: "cube", x: x - 12, y: y - 12, width: 24, height: 24, rx: 4 }),
    draw("text", { class: "on", x, y: y + 6, "text-anchor": "middle" }, known ? MARKS[button] : "?"),
  );
}

const milliseconds = (us) => figure(us / 1000, us < 100_000 ? 1 : 0);
