// The sensor head of a box in a browser: how it is wired, and the choice of its port.

import { make } from "./make.js";
import { once } from "./send.js";
import { say } from "./words.js";

const LANES = [1, 2, 3, 4, 5, 6];

/** Make the choice of a sensor head. The window around the page has the port. */
export function usbHead() {
  const ports = parent.sensorHead;
  const summary = make("summary", {}, say("Sensor head at a USB port"));
  if (!ports) return make("details", { class: "usb-head" }, summary, make("p", {}, say("This browser lets no page use a USB port. Chrome and Edge on a computer do.")));
  const wired = ports.wiring();
  const lanes = choose(LANES, wired?.lanes ?? 6);
  const beams = choose([1, 2], wired?.beams ?? 1);
  const wall = make("input", { type: "checkbox", checked: wired?.wall ?? false });
  const said = make("p", { role: "status" });
  const connect = once(async () => {
    const chosen = await ports.choose({ lanes: Number(lanes.value), beams: Number(beams.value), wall: wall.checked });
    if (!chosen) said.textContent = say("No port was chosen.");
  });
  return make("details", { class: "usb-head" }, summary,
    make("p", {}, say("The box sees the cubes of a funnel if its sensor head is plugged in here. The box then restarts, and the match continues.")),
    make("div", { class: "hand" },
      make("label", {}, say("Lanes of the funnel"), lanes),
      make("label", {}, say("Beams in each lane"), beams),
      make("label", {}, wall, say("The wall of Battledodes has a sensor")),
      make("button", { type: "button", "data-key": "choose head", onclick: connect }, say("Choose the port")),
      wired && make("button", { type: "button", "data-key": "leave head", onclick: once(() => ports.leave()) }, say("Play without it"))),
    said);
}

const choose = (numbers, now) => make("select", {}, numbers.map((number) => make("option", { value: number, selected: number === now }, String(number))));
