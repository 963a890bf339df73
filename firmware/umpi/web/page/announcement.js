// Who was first: the finish order with its margins, its photo finish, and the choices if it is in doubt.

import { fill, make } from "./make.js";
import { photo, times } from "./photo.js";
import { called } from "./seats.js";
import { once, post } from "./send.js";
import { say, spoken } from "./words.js";

const WAYS = [["toss again", () => say("Toss again")], ["order by hand", () => say("Enter the order")], ["accept", () => say("Keep this order")]];

/** Show the current finish order in `place`; `me` may resolve a doubt, `refuse(text)` shows why not. */
export function showAnnouncement(place, { match, seen, race, doubt, question, referee }, me, refuse) {
  const state = JSON.stringify([spoken(), match?.players, match?.turn, seen, race, doubt, question?.id, referee, me]);
  if (place.dataset.state === state) return; // a slow motion goes on
  place.dataset.state = state;
  if (!match || (!seen && !doubt)) return fill(place);
  const order = seen?.order || [];
  const close = order.filter((one) => one.close);
  const doubtful = new Set([...(doubt?.seats || []), ...close.map(({ seat }) => seat)]);
  fill(
    place,
    make("h2", {}, doubt || close.length ? say("Not sure who was first") : say("Who was first")),
    seen?.text && make("p", { class: "count" }, seen.text),
    order.length > 0 && photo(race, order.map((one, place) => line(match, one, place, race, doubtful))),
    doubt && make("p", { class: "doubt" }, doubt.text),
    !doubt && race?.verdict && make("p", { class: close.length ? "doubt" : "verdict" }, race.verdict),
    doubt && me?.role !== "referee" && make("p", {}, referee ? say("The referee’s phone settles this.") : say("Settle this at the box.")),
    doubt && me?.role === "referee" && make("div", { class: "ways" }, WAYS.map(([how, text]) => way(how, text(), { question: question?.id ?? null, how, doubt: doubt.text }, refuse))),
  );
}

/** Make the line of a place. Who must act stands out on a television, and the first only if nobody must. */
function line(match, one, place, race, doubtful) {
  const speaks = match.turn == null ? place === 0 : one.seat === match.turn;
  return make(
    "li",
    { class: [doubtful.has(one.seat) && "doubtful", speaks && "speaks"].filter(Boolean).join(" ") },
    make("span", { class: "runner" }, one.seat == null ? make("span", { class: "name" }, one.name) : called(match.players, one.seat)),
    times(race?.arrivals[place]),
  );
}

function way(how, text, settled, refuse) {
  const settle = async () => {
    const { ok, error } = await post("api/settle", settled);
    if (!ok) refuse(error);
  };
  return make("button", { type: "button", "data-key": how, onclick: once(settle) }, text);
}
