// The page of a box that no phone reaches: each view that says so, or shows less.

import { answer, ANSWERS, did, root, tick } from "./browser.mjs";
import { Element } from "./dom.mjs";
import { load, MATCH, REFEREE, stage, TABLE } from "./stage.mjs";

/** Approve the views of a page that has these marks of its server. */
export async function unreached(name, ...marks) {
  for (const mark of marks) root.dataset[mark] = "";
  location.protocol = "https:";
  Object.defineProperty(globalThis, "navigator", { value: { serviceWorker: { register: (path) => did.push(`registers ${path}`) } } });
  globalThis.parent = {};
  answer(ANSWERS);
  answer({ "api/names": [200, { names: [] }] });
  const { place, look, tell, done } = stage(name);
  const shows = async (title, show, parts = "") => {
    place.replaceChildren();
    await show(place);
    await tick();
    const shown = parts ? [...place.querySelectorAll(parts)] : [];
    if (parts) place.replaceChildren();
    look(title, ...shown);
  };
  const IDLE = { ...TABLE, match: null, question: null, joining: [], joined: [] };
  const { pairingView } = await load("pairing");
  await shows("pairing", () => pairingView(place, tell, () => {}).show(null, "", { ...IDLE, joining: null }));
  await shows("pairing, the referee", () => pairingView(place, tell, () => {}).show(REFEREE, "", IDLE));
  const { showJoining } = await load("joining_code");
  await shows("how to join", () => showJoining(place, IDLE));
  const { questionForm } = await load("form");
  await shows("no match", () => questionForm(place, new Element("div"), tell, () => {})(IDLE, null));
  const { startView } = await load("start");
  await shows("after a match", () => startView(place, tell)({ ...TABLE, match: { ...MATCH, turn: null, over: { winners: [1], places: [2, 1, 2], why: "Enough.", together: false } } }, REFEREE));
  const { showPast } = await load("past");
  await shows("past matches", () => showPast(place, ""));
  answer({ "api/matches": [200, []] });
  await shows("no past matches", () => showPast(place, ""));
  const { inTab } = await load("send");
  const { appView } = await load("app");
  await shows("as an app", inTab ? () => {} : appView(place, { able: false, on: () => false }, tell)); // in a tab, nothing leads there
  const { virtualBox } = await load("box");
  const face = JSON.stringify({ dots: "", light: "bright", lit: [], blinking: [], sounding: false, lanes: 1 });
  await shows("the virtual box", () => virtualBox(place, { addEventListener() {} }, face, () => false), "#off, .hint");
  done();
}
