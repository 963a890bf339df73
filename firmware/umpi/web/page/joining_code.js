// The code by which phones join, for a television: as long as joining is open, and while no match is in play.

import { fill, make } from "./make.js";
import { mark } from "./seats.js";
import { alone, whyAlone } from "./send.js";
import { say, spoken } from "./words.js";

const LOOPBACK = /^(localhost|127\.|\[::1\])/; // no phone reaches the television under such a name

let shown = "";

/** Show how to join in `place`, and the players who ask for a seat; between matches also how to start one. */
export function showJoining(place, { match, joining }) {
  const now = JSON.stringify([spoken(), match == null, joining]);
  if (now === shown) return; // so that the code is not loaded again
  shown = now;
  fill(place, (!match || joining) && [steps(match, joining), !alone && code(), joining?.length > 0 && asking(joining)]);
}

function steps(match, joining) {
  if (alone) return make("p", {}, whyAlone());
  const join = say("Scan the code, type your name and tap a colour.");
  if (match) return [make("h2", {}, say("Join")), make("p", {}, join)];
  return make("ol", { class: "steps-to-play" }, [
    !joining && say("At the box, choose “Pair a phone”, then “All: one QR code”."),
    join,
    say("Choose a game on the box. Each player presses their button."),
  ].filter(Boolean).map((step) => make("li", {}, step)));
}

function code() {
  const image = make("img", { src: "join.svg", alt: say("QR code of this page"), onerror: () => image.remove() });
  const address = !LOOPBACK.test(location.host) && make("p", {}, say("On a phone: {address}", { address: location.host }));
  return make("div", { class: "code" }, image, address);
}

function asking(claims) {
  return make("ul", { class: "asking" }, claims.map(({ button, name, claim }) => make("li", {}, mark(button), make("span", { class: "name" }, name), make("b", {}, claim))));
}
