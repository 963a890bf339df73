// By headphone: the phone of a seat speaks that seat's hand and question on request. It shows them on no screen.

import { fill, make } from "./make.js";
import { once, post } from "./send.js";
import { cannotSpeak, synthesis, utter, voice } from "./voice.js";
import { say, spoken } from "./words.js";

/** Show in `place` the button that speaks, on the phone of a seat that has something to itself. `tell(text)` shows a message. */
export function headphoneView(place, tell) {
  let shown = "";

  async function speak() {
    if (synthesis.speaking) return synthesis.cancel(); // a second press ends it
    const chosen = await voice();
    if (!chosen) return tell(cannotSpeak());
    const { ok, body, error } = await post("api/hand", {});
    ok ? utter(body.texts, chosen, () => tell(say("Tap this page once, so that it may speak."))) : tell(error);
  }

  return ({ match }, me) => {
    const offered = Boolean(synthesis && me?.role === "seat" && match && match.private.includes(me.seat));
    const now = `${spoken()} ${offered}`;
    if (now === shown) return;
    shown = now;
    fill(place, offered && [
      make("button", { type: "button", class: "plain", "data-key": "headphone", "aria-describedby": "plug", onclick: once(speak) }, say("Read to me alone")),
      make("p", { id: "plug" }, say("Plug in headphones first. Press again to stop.")),
    ]);
  };
}
