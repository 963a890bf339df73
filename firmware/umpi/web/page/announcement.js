// Who was first: the finish order with its margins, drawn to scale like a photo finish, and the choices if it is in doubt.

import { fill, make } from "./make.js";
import { BUTTONS, MARKS, called } from "./seats.js";
import { once, post } from "./send.js";
import { figure, say } from "./words.js";

const WAYS = [["toss again", say("Toss again")], ["order by hand", say("Manual")], ["accept", say("Accept")]];

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
    doubt && make("p", { class: "doubt" }, doubt.text),
    close.length > 0 && make("p", { class: "doubt" }, say("Too close to call: {names}.", { names: close.map(({ name }) => name).join(", ") })),
    doubt && me?.role !== "referee" && make("p", {}, referee ? say("The referee’s phone settles that.") : say("Settle that at the box.")),
    doubt && me?.role === "referee" && make("div", { class: "ways" }, WAYS.map(([how, text]) => way(how, text, question, refuse))),
  );
}

/**
 * Make the finish order: a lane per place, in which its cube is at its time. A band marks those too close to call.
 *
 * Who must act is large on a television, and the first only if nobody must.
 */
function list(match, order, doubtful) {
  const behind_us = behind(order);
  let last_us = 0;
  const at_us = behind_us.map((us) => (last_us = us ?? last_us)); // draw an unknown time at the previous one
  const share = (us) => us / Math.max(at_us.at(-1), 1);
  const heat = at_us.filter((_, place) => doubtful.has(order[place].seat)).map(share);
  const many = order.length;
  const name = Math.max(...order.map((one) => one.name.length));
  const vars = { many, name, from: heat[0] ?? 0, to: heat.at(-1) ?? 0 };
  const lines = order.map((one, place) => make(
    "li",
    { class: [doubtful.has(one.seat) && "doubtful", (match.turn == null ? place === 0 : one.seat === match.turn) && "speaks"].filter(Boolean).join(" ") },
    make("span", { class: "runner" }, one.seat == null ? make("span", { class: "name" }, one.name) : called(match.players, one.seat)),
    place > 0 && behind_us[place] != null && make("span", { class: "margin" }, one.close ? "?" : `+${milliseconds(behind_us[place])} ms`),
    order.length > 1 && make("span", { class: "lane", "aria-hidden": "true", vars: { at: share(at_us[place]) } },
      make("span", { class: `cube ${BUTTONS[one.button] ?? "unknown"}` }, MARKS[one.button] ?? "?")),
  ));
  return make("ol", { class: `order ${order.length > 1 ? "finish" : ""}`, vars }, lines);
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

const milliseconds = (us) => figure(us / 1000, us < 100_000 ? 1 : 0);
