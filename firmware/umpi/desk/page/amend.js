// Another answer in the place of an old one: what would no longer hold is told before anything is changed.

import { fill, make } from "./make.js";
import { post } from "./send.js";
import { say } from "./words.js";

const APART = new Set(["do", "at", "by"]); // of a line: no answers

/** Make what amends `act` of the match in play. */
export function amendment(document, act, tell) {
  const names = Object.keys(act.line).filter((name) => !APART.has(name));
  if (!names.length) return null;
  const place = make("form", { class: "amend", onsubmit: look });
  const inputs = names.map((name) => make("input", {
    value: write(act.line[name]), "aria-label": name, "data-key": `amend ${act.index} ${name}`, autocomplete: "off", spellcheck: "false",
  }));
  const start = () => fill(place, names.map((name, at) => make("label", {}, make("span", {}, name), inputs[at])),
    make("button", { "data-key": `look ${act.index}` }, say("Amend")));

  async function ask(trying) {
    const given = names.map((name, at) => [name, read(inputs[at].value)]);
    const told = { do: act.line.do, ...Object.fromEntries(given) };
    const { ok, body, error } = await post("api/amend", { question: document.question?.id ?? null, index: act.index, act: told, try: trying });
    if (!ok) tell(error);
    return ok ? body : null;
  }

  async function look(event) {
    event.preventDefault();
    const answer = await ask(true);
    if (!answer) return;
    const lost = answer.lost.map((one) => make("li", {}, one.text ?? String(one)));
    fill(
      place,
      make("p", { role: "status" }, lost.length ? say("These would no longer hold and would be lost:") : say("All that came after still holds.")),
      make("ul", { class: "lost" }, lost),
      make("button", { type: "button", "data-key": `do ${act.index}`, onclick: () => ask(false) }, lost.length ? say("Amend and lose these") : say("Amend")),
      make("button", { type: "button", class: "plain", onclick: start }, say("Leave it")),
    );
  }

  start();
  return place;
}

/** Write a value as a record does, a word without its quotes. */
const write = (value) => (typeof value === "string" && read(value) === value ? value : JSON.stringify(value));

/** A value as a record writes it; what is no JSON is a word. */
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim();
  }
}
