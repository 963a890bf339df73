// Amending an act: enter another answer. The page shows which later acts would be lost before anything changes.

import { Entry } from "./entry.js";
import { fill, make } from "./make.js";
import { parts } from "./parts.js";
import { get, once, post } from "./send.js";
import { say } from "./words.js";

const APART = new Set(["do", "at", "by"]); // keys of a line that are not answers

/**
 * Make the form that amends `act` of the match in play: its question again, with the answers it had; null if it has none.
 *
 * `now()` returns the document of the list. Return {place, begun(), doing(), renew(translated)}: `renew` continues an edit
 * that has begun beside later acts, or in another language.
 */
export function amendment(now, act, tell) {
  const answers = Object.entries(act.line).filter(([name]) => !APART.has(name));
  if (!answers.length) return null;
  const place = make("div", { class: "amend" });
  const path = `api/history/${act.index}`;
  let own = null;
  let looks = false; // whether the form shows what would be lost
  let does = false; // whether the box is writing the edit

  const button = (key, text, onclick, more) => make("button", { type: "button", class: more, "data-key": `${key} ${act.index}`, onclick }, text);
  const start = () => {
    [own, looks] = [null, false];
    fill(place, button("amend", say("Edit"), once(open)));
  };

  async function open() {
    const before = own;
    const { ok, body, error } = await get(path);
    if (!ok) return tell(error);
    if (own !== before) return; // given up meanwhile
    own = new Entry(body.ask, render, (given) => get(`${path}?given=${encodeURIComponent(JSON.stringify(given))}`), Object.fromEntries(answers));
    own.fields = body.fields;
    for (const [name] of answers) own.opened.add(name);
    if (!before) return render();
    Object.assign(own, { entered: before.entered, taps: before.taps, opened: before.opened });
    await own.look();
  }

  function render() {
    if (!own) return;
    looks = false;
    const { players, pieces } = now().match;
    const hand = { players, pieces, refuse: tell, seat: null };
    fill(place, parts(own, hand, (values) => own.answer(values), render),
      own.objection && make("p", { class: "objection", role: "status" }, own.objection),
      button("look", say("Edit"), once(look), "go"), button("leave", say("Cancel"), start, "plain"));
  }

  async function ask(entered, trying) {
    const { ok, body, error } = await post("api/amend", { question: now().question?.id ?? null, index: act.index, act: entered, try: trying });
    if (!ok) tell(error);
    return ok ? body : null;
  }

  async function look() {
    const of = own;
    await of.learned;
    if (own !== of) return; // given up meanwhile
    const { missing, act: entered } = of;
    if (missing.length) return tell(say("Not answered yet: {fields}", { fields: missing.map((field) => field.label).join(" · ") }));
    const answer = await ask(entered, true);
    if (!answer || own !== of || JSON.stringify(of.act) !== JSON.stringify(entered)) return; // another answer has been entered meanwhile
    looks = true;
    const lost = answer.lost.map(({ text }) => make("li", {}, text));
    fill(
      place,
      make("p", { role: "status" }, lost.length ? say("These moves would become invalid and be lost:") : say("All later moves stay valid.")),
      make("ul", { class: "lost" }, lost),
      button("do", lost.length ? say("Edit, and discard these moves") : say("Edit"), once(() => write(entered)), "go"),
      button("leave", say("Cancel"), start, "plain"),
    );
  }

  async function write(entered) {
    does = true;
    if (await ask(entered, false)) start();
    does = false;
  }

  const renew = (translated) => (translated ? open() : looks && look()); // later acts may be lost, too
  start();
  return { place, begun: () => own !== null, doing: () => does, renew };
}
