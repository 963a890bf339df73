// Joining: while the box lets phones ask for seats, each chooses a name and a seat; the referee's phone may let them in.

import { fill, make } from "./make.js";
import { BUTTONS, MARKS, nameOf, mark } from "./seats.js";
import { alone, once, post, whyAlone } from "./send.js";
import { say } from "./words.js";

/**
 * Return the form of a phone that asks for a seat; `asked()` is called once the box knows.
 *
 * `wish` is what its player has entered: {name, button}, the button of somebody else's seat or null, and whether it is
 * being `sent`. It outlasts the form. `joined` contains the players who have a phone. At their seats the form asks
 * whether this is another phone of theirs.
 */
export function joinForm(players, joined, tell, asked, wish) {
  const seats = players?.map(({ button, name }) => ({ button, name })) ?? BUTTONS.map((_, button) => ({ button, name: nameOf(button) }));
  const ownerOf = (button) => joined.find((one) => one.button === button)?.name;

  function touch(button) {
    const { name } = form.elements;
    wish.name = name.value; // a browser may have filled it in without an event
    if (!ownerOf(button)) return name.reportValidity() && ask({ button, name: name.value });
    wish.button = button;
    fill(form, inside());
    form.querySelector("h3").focus();
  }

  /** Ask whether this phone is another one of the `owner` of a seat, or of somebody who plays instead. */
  function choice(button, owner, name) {
    const again = () => {
      wish.button = null;
      fill(form, inside());
    };
    const key = (text, more, of) => make("button", { type: "button", class: `seat ${BUTTONS[button]}`, "data-key": more, onclick: once(of) }, mark(button), make("span", {}, text));
    return [
      make("h3", { tabindex: -1 }, say("{name} already has this colour.", { name: owner })),
      key(say("Second phone for {name}", { name: owner }), "second", () => ask({ button, name: owner })),
      name.trim() && key(say("{name} instead of {other}", { name, other: owner }), "instead", () => ask({ button, name, instead: true })),
      make("button", { type: "button", "data-key": "another", onclick: again }, say("Choose another colour")),
    ];
  }

  async function ask({ button, ...claim }) {
    if (wish.sent) return; // a second tap would be a second phone to the box
    wish.sent = true;
    const { ok, error } = await post("api/join", { button: BUTTONS[button], ...claim });
    wish.sent = false;
    if (!ok) return tell(error);
    wish.button = null;
    await asked();
  }

  const form = make("form", { class: "join", onsubmit: (event) => event.preventDefault() }, inside());
  return form;

  function inside() {
    const { button: taken, name } = wish;
    const owner = ownerOf(taken);
    return owner ? choice(taken, owner, name) : seatsFor(name);
  }

  function seatsFor(name) {
    const word = Math.max(...seats.flatMap(({ name }) => name.split(/[\s-]/)).map(({ length }) => length));
    return [
      make("label", {}, make("span", {}, say("Your name")), make("input", {
        name: "name", value: name, maxlength: 24, required: true, autocomplete: "nickname", "data-key": "name", oninput: ({ target }) => { wish.name = target.value; },
      })),
      make("p", {}, say("Choose your colour:")),
      make("div", { class: "seats", vars: { word } }, seats.map(({ button, name }) =>
        make("button", { type: "button", class: `seat ${BUTTONS[button]}`, "data-key": `seat ${button}`, onclick: once(async () => touch(button)) },
          mark(button), make("span", { class: "name" }, ownerOf(button) ?? name, ownerOf(button) && make("small", {}, say("has joined")))))),
    ];
  }
}

/** Return what a phone shows that waits for its seat; `another()` lets it choose another one, `cancel()` ends it. */
export function waitingNote({ button, name, claim }, another, cancel) {
  return make("div", { class: `waiting ${BUTTONS[button]}` },
    make("span", { class: "token", role: "img", "aria-label": nameOf(button) }, MARKS[button]),
    make("div", { role: "status" }, make("h1", {}, say("{name}, press this button on the box, or ask the referee.", { name })),
      make("p", { class: "claim" }, say("On the box, this phone is number {number}.", { number: claim }))),
    make("div", { class: "ways" },
      make("button", { type: "button", "data-key": "another", onclick: another }, say("Choose another colour")),
      make("button", { type: "button", "data-key": "cancel", onclick: cancel }, say("Do not join"))));
}

/** Say who asks for which seat, `other` being the player who has it. */
export function claimText({ button, name, instead }, other) {
  const seat = nameOf(button);
  if (!other) return say("{name} wants to play as {seat}.", { name, seat });
  return instead ? say("{name} wants to play instead of {other}.", { name, other }) : say("Another phone asks to play for {name}.", { name });
}

/** Return what the referee's phone shows about joining: a button that opens it, or the code, who asks, and its end. */
export function hosting(joining, joined, tell) {
  const set = (open) => once(async () => {
    const { ok, error } = await post("api/joining", { open });
    if (!ok) tell(error);
  });
  if (!joining) {
    return make("p", { class: "hosting" }, make("button", { type: "button", "data-key": "open joining", onclick: set(true) }, say("Let players join")));
  }
  return make("div", { class: "hosting" }, claimList(joining, joined, tell),
    alone ? make("p", {}, whyAlone()) : [
      make("p", {}, say("Each player scans this code, types a name and taps a colour.")),
      make("img", { class: "code", src: "join.svg", alt: say("QR code of this page") }),
    ],
    make("button", { type: "button", "data-key": "close joining", onclick: set(false) }, say("End joining")));
}

/** Return the phones that ask for seats, for the referee's phone. */
function claimList(claims, joined, tell) {
  const decide = (claim, admit) => once(async () => {
    const { ok, error } = await post("api/admit", { claim, admit });
    if (!ok) tell(error);
  });
  return claims.length > 0 && make("ul", { class: "claims" }, claims.map(({ claim, ...asked }) => make("li", {},
    make("span", {}, mark(asked.button), make("b", {}, claim), " ", claimText(asked, joined.find(({ button }) => button === asked.button)?.name)),
    make("button", { type: "button", class: "send", "data-key": `admit ${claim}`, onclick: decide(claim, true) }, say("Let in")),
    make("button", { type: "button", "data-key": `refuse ${claim}`, onclick: decide(claim, false) }, say("Turn away")))));
}
