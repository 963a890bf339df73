"use strict";

const SEATS = [
  ["red", "#e0393e"], ["blue", "#2f7be0"], ["yellow", "#f2c230"], ["green", "#35a853"], ["white", "#efeee9"], ["black", "#56555f"],
];
const KEYS = {
  1: "red", 2: "blue", 3: "yellow", 4: "green", 5: "white", 6: "black",
  ArrowUp: "up", ArrowDown: "down", Enter: "ok", Backspace: "back", Escape: "back",
};
const DOT = 5;

const canvas = document.getElementById("oled");
const glass = canvas.getContext("2d");
const off = document.getElementById("off");
const buzzer = document.getElementById("buzzer");

for (const [colour, shade] of SEATS) {
  const place = document.createElement("div");
  place.style.setProperty("--colour", shade);
  place.innerHTML = `<button data-button="${colour}" aria-label="${colour}"></button><i data-lamp="${colour}"></i>`;
  document.getElementById("seats").append(place);
}

// Presses go one after the other, so that a button is never let go before it was pressed.
let sending = Promise.resolve();
const held = new Set();

function hold(button, down) {
  if (held.has(button) === down) return;
  down ? held.add(button) : held.delete(button);
  document.querySelector(`[data-button=${button}]`).classList.toggle("down", down);
  const body = JSON.stringify({ button, down });
  sending = sending.then(() =>
    fetch("hold", { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => {}));
}

for (const button of document.querySelectorAll("[data-button]")) {
  const name = button.dataset.button;
  button.addEventListener("pointerdown", (event) => { button.setPointerCapture(event.pointerId); hold(name, true); });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    button.addEventListener(end, () => hold(name, false));
  }
}
addEventListener("keydown", (event) => {
  const focused = document.activeElement?.dataset?.button;
  const button = event.key === " " ? focused : KEYS[event.key];
  if (!button || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  hold(button, true);
});
addEventListener("keyup", (event) => {
  const button = event.key === " " ? document.activeElement?.dataset?.button : KEYS[event.key];
  if (button) hold(button, false);
});
addEventListener("blur", () => held.forEach((button) => hold(button, false)));

function draw(dots) {
  const bytes = Uint8Array.from(atob(dots), (letter) => letter.charCodeAt(0));
  glass.fillStyle = "#000";
  glass.fillRect(0, 0, canvas.width, canvas.height);
  glass.fillStyle = "#cfefff";
  for (let y = 0; y < 64; y++) {
    for (let x = 0; x < 128; x++) {
      if (bytes[y * 16 + (x >> 3)] & (128 >> (x & 7))) glass.fillRect(x * DOT, y * DOT, DOT - 1, DOT - 1);
    }
  }
}

const face = new EventSource("face");
face.onmessage = (event) => {
  const { dots, lit, sounding } = JSON.parse(event.data);
  off.hidden = true;
  window.seen = (window.seen || 0) + 1; // faces shown so far, for whoever drives the page
  draw(dots);
  buzzer.classList.toggle("sounding", sounding);
  for (const lamp of document.querySelectorAll("[data-lamp]")) lamp.classList.toggle("lit", lit.includes(lamp.dataset.lamp));
};
face.onerror = () => { off.hidden = false; };
