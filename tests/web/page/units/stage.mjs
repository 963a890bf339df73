// What the tests of the views share: a place on the page, a table with a match, and what the box answers.

import { diary } from "./approve.mjs";
import { answer, asked, at, did, tap } from "./browser.mjs";
import { Element } from "./dom.mjs";

export const page = new URL("../../../../firmware/umpi/web/page/", import.meta.url).href;
export const load = (name) => import(`${page}${name}.js`);
globalThis.speechSynthesis = { speaking: false, getVoices: () => [{ lang: "en-GB", name: "a" }], cancel() { did.push("silence"); }, speak: ({ text }) => did.push(`speaks ${text}`), addEventListener() {} };
globalThis.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } addEventListener(kind, listener) { this.refuse = listener; } };
export const copy = (value) => JSON.parse(JSON.stringify(value));
export const PLAYERS = [{ seat: 0, button: 0, name: "Ann" }, { seat: 1, button: 1, name: "Ben" }, { seat: 2, button: 3, name: "Cy" }];
export const MATCH = {
  id: 7, game: "toy", title: "Toy", kind: "", acts: 3, players: PLAYERS, scores: [5, 9, 5], beside: ["", "", ""], pieces: { card: "card" }, rows: [], head: "",
  ranks: [2, 1, 2], turn: 1, over: null, hidden: false, live: false, moderator: "", private: [1], empty_seat: "", judge: "", dealt: [], facts: {}, board: null,
};
export const TABLE = {
  boot: "b", version: 1, language: "en", match: MATCH, question: { id: "q1", asks: [], title: "", answered: [], together: [], again: [] }, now: null, seen: null, race: null, doubt: null, raced: false, slow_motion: null,
  joined: [], joining: null, referee: false, card: null, paused: false, clock: "", unsaved: "", troubles: [], showing: null, hint: null, calls: [], last: null,
};
export const SEAT = { role: "seat", seat: 1, button: "blue", name: "Ben" };
export const REFEREE = { role: "referee" };

/** A place on the page, what is told to the player, and a diary that approves both with the requests. */
export function stage(name, tag = "section") {
  const [place, told, book] = [new Element(tag), [], diary(name)];
  at("main").append(place);
  asked();
  did.length = 0;
  const look = (title, ...more) => {
    book.look(title, place, ...more, [...asked(), ...told.splice(0).map((text) => `told: ${text}`), ...did.splice(0)]);
  };
  return { place, look, tell: (text) => told.push(text), done() { place.remove(); book.approve(); } };
}
export const within = (place) => async (name, how) => tap([...place.all()].find((one) => one.dataset.key === name) ?? place.querySelectorAll("button").find((one) => one.textContent === name), how);
export const refuses = (path, error, status = 409) => answer({ [path]: [status, { error }] });
