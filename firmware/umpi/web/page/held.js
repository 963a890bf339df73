// The hand that the box has dealt: only the phone of its player shows it, and only while that player wants to see it.

import { fill, make } from "./make.js";
import { once, post } from "./send.js";
import { say, spoken } from "./words.js";

/** Show in `place` the hand of this phone's seat, behind a button. `tell(text)` shows a message. */
export function heldView(place, tell) {
  let shown = "";
  let open = null; // the lines of the hand, null while it is covered
  let asked = 0; // number of requests for the hand

  async function look() {
    const own = ++asked;
    const { ok, body, error } = await post("api/hand", {});
    if (own !== asked) return;
    open = ok ? body.hand : null;
    render();
    if (!ok) tell(error);
  }

  function cover() {
    [open, asked] = [null, asked + 1];
    render();
  }

  function render() {
    fill(place,
      make("button", { type: "button", class: "plain", "data-key": "held", "aria-expanded": String(open !== null), onclick: open ? cover : once(look) },
        open ? say("Cover my hand") : say("Show my hand")),
      open && make("ul", {}, open.map((text) => make("li", {}, text))),
    );
  }

  return ({ match, question }, me) => {
    const dealt = Boolean(me?.role === "seat" && match?.dealt.includes(me.seat));
    const now = JSON.stringify([spoken(), dealt, match?.id, question?.id]);
    if (now === shown) return;
    shown = now;
    if (!dealt) {
      [open, asked] = [null, asked + 1];
      return fill(place);
    }
    open ? look() : render(); // the hand has changed
  };
}
