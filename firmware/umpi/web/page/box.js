// The virtual box: its panel, its buttons with their lamps, its navigation buttons, its buzzer and its funnel.

import { funnel } from "./funnel.js";
import { again, make } from "./make.js";
import { BUTTONS, MARKS, nameOf } from "./seats.js";
import { alone, inTab, post, whyAlone } from "./send.js";
import { usbHead } from "./usb_head.js";
import { pieces, say } from "./words.js";

const KEYS = {
  1: "red", 2: "blue", 3: "yellow", 4: "green", 5: "white", 6: "black",
  ArrowUp: "up", ArrowDown: "down", Enter: "ok", Backspace: "back", Escape: "back", "?": "where",
};
const DOT = 5; // canvas pixels per dot, one of them dark as a gap

/** Show the virtual box in `place`; `face` is its event stream, `data` the last event; `listening()`: whether it gets keys. */
export function virtualBox(place, face, data, listening) {
  const canvas = make("canvas", { id: "oled", width: 128 * DOT, height: 64 * DOT, role: "img", "aria-label": () => say("The screen of the box") });
  const off = make("p", { id: "off", hidden: true, text: () => say(inTab ? "No reply from the box. Reload the page." : "No reply from the box. Start it again: {command}", { command: "./scripts/play" }) });
  const buzzer = make("i", { class: "buzzer", id: "buzzer", "aria-hidden": "true" });
  const { hold, release } = hands(place);
  const chute = funnel();
  place.tabIndex = -1; // a tap on the box gives it the keys
  place.replaceChildren(
    make("div", { class: "box" },
      make("div", { class: "front" },
        make("div", { class: "bezel" }, make("div", { class: "glass" }, canvas, off)),
        make("div", { class: "seat-keys", id: "seats", role: "group", "aria-label": () => say("The players’ buttons") }, BUTTONS.map((colour, at) =>
          make("div", { class: colour }, make("i", { "data-lamp": colour }),
            button(colour, hold, () => MARKS[at], () => nameOf(at)))))),
      make("div", { class: "navigation", role: "group", "aria-label": () => say("Navigation") },
        button("up", hold, () => "▲", () => say("up")), button("ok", hold, () => "OK"), button("down", hold, () => "▼", () => say("down")), button("back", hold, () => say("back")), button("where", hold, () => "?", () => say("Where are we?")), buzzer),
      make("p", { class: "plate", "aria-hidden": "true" }, "umpi")),
    chute.section,
    hint(),
  );
  keyboard(place, listening, hold, release, chute.drop);

  function show(message) {
    const { dots, light, lit, blinking, sounding, lanes } = JSON.parse(message);
    off.hidden = true;
    chute.lanes(lanes);
    glow(canvas, dots, light === "dim");
    buzzer.classList.toggle("sounding", sounding);
    for (const lamp of place.querySelectorAll("[data-lamp]")) {
      lamp.classList.toggle("lit", lit.includes(lamp.dataset.lamp));
      lamp.classList.toggle("blinking", blinking.includes(lamp.dataset.lamp));
    }
    window.seen = (window.seen || 0) + 1; // faces shown so far, for tests that drive the page
  }

  face.addEventListener("state", (event) => show(event.data));
  let gone = 0;
  face.onopen = () => {
    clearTimeout(gone);
    off.hidden = true;
  };
  face.onerror = () => {
    clearTimeout(gone);
    gone = setTimeout(() => { off.hidden = false; }, 1500); // a stream that ends is followed by the next one
  };
  show(data);
  const speak = () => {
    again(place);
    place.querySelector(".hint").replaceWith(hint());
  };
  return { hear: chute.hear, speak };
}

/** Send presses one after the other, so that a release never arrives before its press; each by when it happened. */
export function hands(place) {
  const held = new Set();
  let sending = Promise.resolve();

  function hold(name, down, event) {
    if (held.has(name) === down) return;
    down ? held.add(name) : held.delete(name);
    place.querySelector(`[data-button=${name}]`)?.classList.toggle("down", down);
    const at_us = Math.round(1000 * (performance.timeOrigin + (event?.timeStamp ?? performance.now())));
    sending = sending.then(() => post("hold", { button: name, down, at_us }));
  }
  return { hold, release: () => [...held].forEach((name) => hold(name, false)) };
}

function button(name, hold, inside, label) {
  const press = (event) => {
    event.target.closest("button").setPointerCapture(event.pointerId);
    hold(name, true, event);
  };
  const free = (event) => hold(name, false, event);
  const click = (event) => {
    if (event.detail) return; // a finger has pressed and released it
    hold(name, true, event); // a screen reader only clicks
    free(event);
  };
  return make("button", {
    type: "button", "data-button": name, "aria-label": label ?? inside, onclick: click, onpointerdown: press, onpointerup: free, onpointercancel: free, onlostpointercapture: free,
  }, make("span", { class: "cap", "aria-hidden": "true", text: inside }));
}

/** Press buttons by the keyboard, unless the focus is on an element that takes keys. */
function keyboard(place, listening, hold, release, drop) {
  const down = new Map(); // the button that each key of the keyboard presses
  const free = () => document.activeElement === document.body || place.contains(document.activeElement);
  addEventListener("keydown", (event) => {
    if (!listening() || !free() || event.ctrlKey || event.altKey || event.metaKey) return;
    const focused = document.activeElement?.dataset;
    const presses = ["Enter", " "].includes(event.key);
    if (presses && !focused?.button && ![document.body, place].includes(document.activeElement)) return; // its own
    const cube = event.shiftKey && event.code.startsWith("Digit") && BUTTONS[event.code.slice(5) - 1];
    const name = presses && focused?.button ? focused.button : KEYS[event.key];
    if (cube && !event.repeat) drop(cube);
    if (cube || name) event.preventDefault();
    if (cube || !name) return;
    down.set(event.code, name);
    hold(name, true, event);
  });
  addEventListener("keyup", (event) => {
    if (!down.has(event.code)) return;
    event.preventDefault(); // the click of a space
    hold(down.get(event.code), false, event);
    down.delete(event.code);
  });
  addEventListener("blur", release);
}

/** Draw the dots of the panel: 1 bit per dot, 16 bytes per row. A darker shade separates adjacent lit dots. */
export function glow(canvas, dots, dim) {
  const bytes = Uint8Array.from(atob(dots), (letter) => letter.charCodeAt(0));
  const [glass, wide] = [canvas.getContext("2d"), canvas.width];
  const drawn = canvas.drawn ??= glass.createImageData(wide, canvas.height); // to fill a rectangle per dot takes ten times as long
  const pixels = new Uint32Array(drawn.data.buffer);
  const [shade, light] = dim ? [0xff4d463a, 0xff6c6556] : [0xffb4a386, 0xfffff1d2]; // alpha, blue, green, red
  for (let y = 0, first = 0; y < 64; y++, first += DOT * wide) {
    const last = first + (DOT - 1) * wide; // the line below the dots
    for (let x = 0; x < 128; x++) {
      const lit = bytes[y * 16 + (x >> 3)] & (128 >> (x & 7));
      const inside = lit ? light : 0xff14100a;
      const beside = lit ? shade : 0xff0a0704;
      for (let at = DOT * x; at < DOT * (x + 1); at++) {
        pixels[first + at] = inside;
        pixels[last + at] = beside;
      }
      pixels[first + DOT * x + DOT - 1] = beside;
    }
    for (let line = first + wide; line < last; line += wide) pixels.copyWithin(line, first, first + wide);
  }
  glass.putImageData(drawn, 0, 0);
}

function hint() {
  const key = (text) => make("kbd", {}, text);
  return make("div", { class: "hint" },
    make("p", {}, pieces("{keys} are the buttons under the screen, {arrows} turn the page, {enter} is OK, {backspace} is Back. Hold OK for the rule. During a match, hold Back for the menu. {question} says where you are.", {
      keys: [key("1"), "–", key("6")], arrows: [key("↑"), " ", key("↓")], enter: key("Enter"), backspace: key("Backspace"), question: key("?"),
    })),
    !inTab && make("p", {}, pieces("{toss} tosses a cube.", { toss: [key("Shift"), " + ", key("1"), "–", key("6")] })),
    make("p", {}, make("a", { class: "more", href: "#around" }, say("Lay this phone in the middle of the table"))),
    inTab && usbHead(),
    alone && make("p", {}, whyAlone()));
}
