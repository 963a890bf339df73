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
const down = new Map(); // which button each key of the keyboard holds
addEventListener("keydown", (event) => {
  const focused = document.activeElement?.dataset?.button;
  const button = event.key === " " ? focused : KEYS[event.key];
  if (event.shiftKey && event.code.startsWith("Digit") && SEATS[event.code.slice(5) - 1]) {
    event.preventDefault();
    if (!event.repeat) cube(SEATS[event.code.slice(5) - 1][0]);
    return;
  }
  if (!button || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  down.set(event.code, button);
  hold(button, true);
});
addEventListener("keyup", (event) => {
  if (down.has(event.code)) hold(down.get(event.code), false);
  down.delete(event.code);
});
addEventListener("blur", () => held.forEach((button) => hold(button, false)));

// Cubes: one press tosses one; with "together" they are chosen first, in their order, and tossed at once.
const together = document.getElementById("together");
const how = document.getElementById("how");
let chosen = [];

function post(where, told) {
  const body = JSON.stringify(told);
  sending = sending.then(() =>
    fetch(where, { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => {}));
}

function choose(colours) {
  chosen = colours;
  for (const cube of document.querySelectorAll("[data-cube]")) cube.classList.toggle("chosen", chosen.includes(cube.dataset.cube));
}

function cube(colour) {
  if (!together.checked) post("toss", { cubes: [colour], how: how.value });
  else choose(chosen.includes(colour) ? chosen.filter((other) => other !== colour) : [...chosen, colour]);
}

for (const [colour, shade] of SEATS) {
  const button = document.createElement("button");
  button.dataset.cube = colour;
  button.style.setProperty("--colour", shade);
  button.setAttribute("aria-label", `toss the ${colour} cube`);
  button.addEventListener("click", () => cube(colour));
  document.getElementById("cubes").append(button);
}
together.addEventListener("change", () => {
  choose([]);
  document.getElementById("toss").hidden = !together.checked;
});
document.getElementById("toss").addEventListener("click", () => {
  if (chosen.length) post("toss", { cubes: chosen, how: how.value });
  choose([]);
});
document.getElementById("jiggle").addEventListener("click", () => post("toss", { jiggle: true }));

function draw(dots, light) {
  const bytes = Uint8Array.from(atob(dots), (letter) => letter.charCodeAt(0));
  glass.fillStyle = "#000";
  glass.fillRect(0, 0, canvas.width, canvas.height);
  glass.fillStyle = light === "dim" ? "#56656c" : "#cfefff";
  for (let y = 0; y < 64; y++) {
    for (let x = 0; x < 128; x++) {
      if (bytes[y * 16 + (x >> 3)] & (128 >> (x & 7))) glass.fillRect(x * DOT, y * DOT, DOT - 1, DOT - 1);
    }
  }
}

const face = new EventSource("face");
face.onmessage = (event) => {
  const { dots, light, lit, blinking, sounding, lanes } = JSON.parse(event.data);
  off.hidden = true;
  document.getElementById("funnel").hidden = !lanes;
  window.seen = (window.seen || 0) + 1; // faces shown so far, for whoever drives the page
  draw(dots, light);
  buzzer.classList.toggle("sounding", sounding);
  for (const lamp of document.querySelectorAll("[data-lamp]")) {
    lamp.classList.toggle("lit", lit.includes(lamp.dataset.lamp));
    lamp.classList.toggle("blinking", blinking.includes(lamp.dataset.lamp));
  }
};
face.onerror = () => { off.hidden = false; };
