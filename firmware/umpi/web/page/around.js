// The box on a phone that lies in the middle: its screen, and around it an area to touch for each player.

import { glow, hands } from "./box.js";
import { fill, make } from "./make.js";
import { BUTTONS, mark, nameOf } from "./seats.js";
import { say } from "./words.js";

const NAVIGATION = ["up", "ok", "down", "back", "where"];
const FACES = { up: "▲", ok: "OK", down: "▼", where: "?" };

/** Return functions that show the box in `place`: its `face`, and the `table` with its players. */
export function aroundView(place) {
  const { hold, release } = hands(place);
  const canvas = make("canvas", { width: 128 * 5, height: 64 * 5, role: "img", "aria-label": () => say("The screen of the box") });
  const [far, near] = [make("div", { class: "side far" }), make("div", { class: "side near" })];
  const middle = make("div", { class: "middle" });
  const keys = make("div", { class: "soft-keys" }); // on the words at the foot of the screen, as the buttons under it are
  let seated = "";
  let lamps = { lit: [], blinking: [] };
  place.replaceChildren(far, middle, near);
  addEventListener("blur", release);
  addEventListener("hashchange", release);

  const key = (name, inside, label, more) => {
    const press = (event) => hold(name, true, event);
    const free = (event) => hold(name, false, event);
    const presses = (event) => [" ", "Enter"].includes(event.key);
    return make("button", {
      type: "button", "data-button": name, "aria-label": label, ...more,
      onpointerdown: (event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(15); // browsers refuse it before the first touch has ended
        press(event);
      },
      onpointerup: free, onpointercancel: free, onlostpointercapture: free,
      onkeydown: (event) => { if (presses(event)) { event.preventDefault(); event.stopPropagation(); press(event); } },
      onkeyup: (event) => { if (presses(event)) { event.stopPropagation(); free(event); } },
      oncontextmenu: (event) => event.preventDefault(),
    }, inside);
  };

  /** Make the areas of the players, clockwise from the upper left as seen from above; half of them look down. */
  function seats(table) {
    const players = table.match?.players ?? BUTTONS.map((_, button) => ({ button, name: nameOf(button) }));
    const areas = players.map(({ button, name }) => key(BUTTONS[button], [mark(button), make("span", { class: "name" }, name)], name, { class: `area ${BUTTONS[button]}`, "data-key": `area ${button}` }));
    const upper = Math.floor(areas.length / 2);
    fill(far, areas.slice(0, upper).reverse()); // its row is turned as a whole
    fill(near, areas.slice(upper).reverse());
    light();
  }

  function light() {
    for (const area of place.querySelectorAll(".area")) {
      area.classList.toggle("lit", lamps.lit.includes(area.dataset.button));
      area.classList.toggle("blinking", lamps.blinking.includes(area.dataset.button));
    }
  }

  /** Draw the names of the keys again, as after a change of language. */
  function speak() {
    const labels = { up: say("up"), down: say("down"), back: say("back"), where: say("Where are we?") };
    fill(keys, BUTTONS.map((name, at) => key(name, "", nameOf(at), { class: "soft-key" })));
    fill(middle, make("div", { class: "screen" }, canvas, keys), make("div", { class: "keys" }, NAVIGATION.map((name) => key(name, FACES[name] ?? labels[name], labels[name] ?? "OK", { class: "key" })),
      make("a", { class: "leave", href: "#box", "aria-label": say("close") }, "✕")));
    seated = "";
  }

  speak();
  return {
    speak,
    face({ dots, light: how, lit, blinking }) {
      glow(canvas, dots, how === "dim");
      lamps = { lit, blinking };
      light();
    },
    hear(table) {
      const now = JSON.stringify(table.match?.players ?? null);
      if (now !== seated) seats(table);
      seated = now;
      const { players = [], turn } = table.match ?? {};
      const at = players.findIndex(({ seat }) => seat === turn);
      if (at >= 0) place.classList.toggle("looks-away", at < Math.floor(players.length / 2));
    },
  };
}
