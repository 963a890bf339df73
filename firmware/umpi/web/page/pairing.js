// Pairing this phone: the code on the box lets it answer, as the referee or for one seat.

import { cardPart } from "./card.js";
import { confirmed } from "./confirm.js";
import { hosting, joinForm, waitingNote } from "./joining.js";
import { fill, make } from "./make.js";
import { BUTTONS, nameOf, mark } from "./seats.js";
import { alone, get, inTab, post, whyAlone } from "./send.js";
import { shelfView } from "./shelf.js";
import { pieces, say, spoken } from "./words.js";

/** Show in `place` for whom this phone answers, or the form that pairs it; `changed()` is called after a change. */
export function pairingView(place, tell, changed) {
  let who = null;
  let claim = ""; // with which this phone waits to be let in
  let another = false; // whether its player chooses another seat
  let table = null; // the last document
  let shown = "";
  let busy = false;
  let whose = ""; // of which phone is what has been entered
  let wish = { name: null, button: null, sent: false }; // with which this phone asks for a seat
  let entered = {}; // in the other fields, by their names: a document that comes meanwhile must not take it away
  const shelf = shelfView(tell);

  const enter = ({ target }) => { entered[target.name] = target.value; };

  async function pair(code) {
    if (busy) return;
    busy = true;
    const button = place.querySelector("form .send");
    if (button) button.ariaBusy = "true";
    const { ok, error } = await post("api/pair", { code });
    busy = false;
    if (button) button.ariaBusy = null;
    if (!ok) {
      tell(error);
      place.querySelector("input")?.select();
      return;
    }
    entered = {};
    await changed();
  }

  async function unpair() {
    const { ok, error } = await post("api/unpair", {});
    if (!ok) tell(error);
    await changed();
  }

  async function withdraw() {
    const { ok, error } = await post("api/withdraw", {});
    if (!ok) tell(error);
    await changed();
    location.hash = "#table";
  }

  function submit(event) {
    event.preventDefault();
    const code = new FormData(event.target).get("code").replace(/\D/g, "");
    if (code.length === 6) pair(code);
    else tell(say("The code has six digits."));
  }

  async function name(event) {
    event.preventDefault();
    const { ok, error } = await post("api/name", { name: new FormData(event.target).get("name") });
    if (!ok) return tell(error);
    entered = {};
    await changed();
    location.hash = "#table";
  }

  /** Show for whom this phone acts, or how it can; `asks` is the claim with which it waits for a seat. */
  function show(me, asks, document) {
    if (asks !== claim) {
      another = false;
      // the box has taken the claim, also if its reply to this phone comes later; the claim has a name
      Object.assign(wish, { button: null, sent: false }, asks && { name: null });
    }
    const own = `${me?.role} ${me?.button}`;
    if (own !== whose) [whose, entered, wish] = [own, {}, { name: null, button: null, sent: false }];
    shelf.show(me?.role === "referee" ? document?.shelf ?? null : null);
    const key = JSON.stringify([spoken(), me, asks, another, document?.joining, !me && document?.joined, document?.referee, document?.match?.players, me?.role === "referee" && document?.card]);
    if (key === shown) return;
    [shown, who, claim, table] = [key, me, asks, document];
    const app = !inTab && make("p", {}, make("a", { class: "more", href: "#app" }, say("Use as an app")));
    fill(place, make("h2", { tabindex: -1 }, say("This phone")), who ? paired() : table?.joining ? joining() : form(), app);
    if (who?.role === "seat") offer();
  }

  function joining() {
    const own = table.joining.find((one) => one.claim === claim);
    const choose = () => {
      another = true;
      show(who, claim, table);
    };
    if (own && !another) return waitingNote(own, choose, withdraw);
    const byCode = make("details", { "data-key": "by code" }, make("summary", {}, say("Pair with a code")), form());
    wish.name ??= own?.name ?? "";
    return [joinForm(table.match?.players, table.joined, tell, changed, wish), byCode];
  }

  /** Offer the names that the box knows. */
  async function offer() {
    const { ok, body } = await get("api/names");
    const list = place.querySelector("datalist");
    if (ok && list) fill(list, body.names.map((known) => make("option", { value: known })));
  }

  function paired() {
    return [
      who.role === "referee" && table && hosting(table.joining, table.joined, tell),
      make("p", { class: "paired" }, pieces("This phone plays for {who}.", { who: whom(who) })),
      who.role === "seat" && make("form", { class: "name", onsubmit: name },
        make("label", {}, make("span", {}, say("Your name")), make("input", {
          name: "name", value: entered.name ?? (unnamed(who) ? "" : who.name), list: "names", maxlength: 24, required: true, autocomplete: "nickname", "data-key": "name", oninput: enter,
        })),
        make("datalist", { id: "names" }),
        make("button", { class: "send", "data-key": "rename" }, say("Save the name"))),
      make("p", {}, make("a", { href: "#table", class: "go" }, say("To the table"))),
      who.role === "referee" && cardPart(table?.card, tell),
      who.role === "referee" && table?.shelf && shelf.place,
      who.role === "seat"
        ? confirmed("unpair", say("Stop playing"), say("This phone will no longer play. Another phone can take its place."), unpair)
        : confirmed("unpair", say("Forget this phone"), say("This phone will no longer be the referee’s."), unpair),
    ];
  }

  function form() {
    return make("form", { class: "pair", onsubmit: submit },
      table?.referee && make("p", {}, make("strong", {}, say("Ask the referee to tap “Let players join”.")), ` ${say("Then this page asks for your name.")}`),
      alone && make("p", { class: "objection" }, whyAlone()),
      make("p", {}, say("At the box, choose “Pair a phone”. Before a match, it is below the games. During a match, it is in the menu: hold Back. The box then shows a code for one minute.")),
      make("label", {}, make("span", {}, say("The six digits")), make("input", {
        name: "code", value: entered.code, oninput: enter, inputmode: "numeric", autocomplete: "one-time-code", maxlength: 9, pattern: "[0-9 ]*", required: true, "data-key": "code",
      })),
      make("button", { class: "send", "data-key": "pair" }, say("Pair this phone")));
  }

  return { show, pair };
}

/** Return the role of a phone with its seat and its name in a document: in the match, else for the next one. */
export function seated(phone, table) {
  if (phone?.role !== "seat") return phone;
  const mine = ({ button }) => BUTTONS[button] === phone.button;
  const player = table?.match?.players.find(mine);
  return { ...phone, seat: player?.seat ?? null, name: player?.name ?? table?.joined.find(mine)?.name ?? phone.name };
}

/** Return whether the player of a phone is only known by the colour of the button. */
export const unnamed = (me) => me.role === "seat" && me.name.toLowerCase() === nameOf(BUTTONS.indexOf(me.button)).toLowerCase();

/** Return for whom a phone answers. */
export function whom(me) {
  return me.role === "referee" ? say("the referee") : [mark(BUTTONS.indexOf(me.button)), make("span", { class: "name" }, me.name)];
}
