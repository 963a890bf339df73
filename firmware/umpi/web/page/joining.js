// Joining: while the box lets phones ask for seats, each chooses a name and a seat; the referee's phone may let them in.

import { make } from "./make.js";
import { BUTTONS, MARKS, NAMES, mark } from "./seats.js";
import { alone, once, post } from "./send.js";
import { pieces, say } from "./words.js";

/** Return the form of a phone that asks for a seat under its `own` name; `asked()` is called once the box knows. */
export function joinForm(players, tell, asked, own = "") {
  const seats = players?.map(({ button, name }) => ({ button, name })) ?? NAMES.map((name, button) => ({ button, name }));

  async function ask({ currentTarget: key }, button) {
    const name = key.form.elements.name;
    if (!name.reportValidity()) return;
    const { ok, error } = await post("api/join", { button: BUTTONS[button], name: name.value });
    if (!ok) return tell(error);
    await asked();
  }

  return make("form", { class: "join", onsubmit: (event) => event.preventDefault() },
    make("label", {}, make("span", {}, say("Your name")), make("input", {
      name: "name", value: own, maxlength: 24, required: true, autocomplete: "nickname", "data-key": "name",
    })),
    make("p", {}, say("Choose your seat:")),
    make("div", { class: "seats", vars: { word: Math.max(...seats.flatMap(({ name }) => name.split(/[\s-]/)).map(({ length }) => length)) } }, seats.map(({ button, name }) =>
      make("button", { type: "button", class: `seat ${BUTTONS[button]}`, "data-key": `seat ${button}`, onclick: (event) => ask(event, button) },
        mark(button), make("span", { class: "name" }, name)))));
}

/** Return what a phone shows that waits for its seat; `another()` lets it choose another one. */
export function waitingNote({ button, name }, another) {
  return make("div", { class: `waiting ${BUTTONS[button]}` },
    make("span", { class: "token", role: "img", "aria-label": NAMES[button] }, MARKS[button]),
    make("p", { role: "status" }, say("{name}, press this button on the box, or ask the referee.", { name })),
    make("button", { type: "button", "data-key": "another", onclick: another }, say("Choose another seat")));
}

/** Return what the referee's phone shows about joining: a button that opens it, or the code, who asks, and its end. */
export function hosting(joining, tell) {
  const set = (open) => once(async () => {
    const { ok, error } = await post("api/joining", { open });
    if (!ok) tell(error);
  });
  if (!joining) {
    return make("p", { class: "hosting" }, make("button", { type: "button", "data-key": "open joining", onclick: set(true) }, say("Let players join")));
  }
  return make("div", { class: "hosting" }, claimList(joining, tell),
    make("p", {}, say("Each player scans this code, types a name and touches a seat.")),
    !alone && make("img", { class: "code", src: "join.svg", alt: say("QR code of this page") }),
    make("button", { type: "button", "data-key": "close joining", onclick: set(false) }, say("End joining")));
}

/** Return the phones that ask for seats, for the referee's phone. */
function claimList(claims, tell) {
  const decide = (claim, admit) => once(async () => {
    const { ok, error } = await post("api/admit", { claim, admit });
    if (!ok) tell(error);
  });
  return claims.length > 0 && make("ul", { class: "claims" }, claims.map(({ claim, button, name }) => make("li", {},
    make("span", {}, pieces("{name} asks for {seat}.", { name, seat: [mark(button), NAMES[button]] })),
    make("button", { type: "button", class: "send", "data-key": `admit ${claim}`, onclick: decide(claim, true) }, say("Let in")),
    make("button", { type: "button", "data-key": `refuse ${claim}`, onclick: decide(claim, false) }, say("Turn away")))));
}
