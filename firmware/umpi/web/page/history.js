// The acts of the match in play, latest first: players can undo, amend and download them.

import { amendment } from "./amend.js";
import { fill, make } from "./make.js";
import { inAct } from "./pieces.js";
import { BUTTONS, called, mark } from "./seats.js";
import { newest, once, post, TWICE_MS } from "./send.js";
import { say, sayN, spoken } from "./words.js";

const SHOWN = 30; // acts shown at first
const PARTS = {
  panel: () => say("Buttons"), funnel: () => say("Funnel"), rail: () => say("Queue rail"), scanner: () => say("Card scanner"), table: () => say("Table"), box: () => say("Automatic"),
};

/**
 * Show the acts of each document's match in `place`; `tell(text)` shows a message.
 *
 * They are those on the disk. While the match is NOT SAVED, later ones are missing, so nothing can be undone by this list.
 */
export function historyView(place, tell) {
  let shown = SHOWN;
  let known = ""; // everything that the list depends on
  let now = null; // {document, me} of the list that is shown: an undo counts only for the question of that list
  let acts = [];
  let language = ""; // that of the list
  let undone_ms = -Infinity; // when the answer to the last undo came
  const forms = new Map(); // the forms that amend acts, by their index
  const ask = newest();

  async function show(document, me, looking) {
    if (!looking) return;
    const { boot, match, question, unsaved } = document;
    const state = JSON.stringify([boot, spoken(), match?.id, match?.acts, match?.players, question?.id, unsaved, me]);
    if (state === known) return;
    known = state;
    const answer = await ask(document.match && "api/history");
    if (!answer) return;
    const { ok, body, error } = answer;
    if (!ok) return [known = "", tell(error)];
    const before = now && new Map([...forms.keys()].map((index) => [index, until(index)]));
    const translated = language !== spoken();
    [now, acts, language] = [{ document, me }, (body ?? []).toReversed(), spoken()];
    for (const [index, form] of forms) {
      if (form.begun() && until(index) === before.get(index)) form.renew(translated);
      else forms.delete(index) && form.begun() && !form.doing() && tell(say("The move that you were editing has changed: your edit was discarded."));
    }
    render();
  }

  /** Return the match with the acts up to one of them, to compare: on these depends its question. */
  const until = (index) => JSON.stringify([now.document.match?.id, acts.filter((act) => act.index <= index).map(({ line }) => line)]);

  /** Return the place of the form that amends an act, null if it has no answers. */
  function amends(act) {
    const form = forms.get(act.index) ?? amendment(() => now.document, act, tell);
    if (form) forms.set(act.index, form);
    return form?.place;
  }

  function render() {
    const { document, me } = now;
    const last = !document.unsaved && acts.find(({ entered }) => entered);
    fill(
      place,
      make("h2", { tabindex: -1 }, say("Moves so far")),
      document.unsaved && make("p", { class: "objection", role: "status" }, make("strong", {}, `${say("NOT SAVED")} `), document.unsaved),
      !document.match && make("p", {}, say("No active match.")),
      !document.match && make("p", {}, make("a", { href: "#past" }, say("Past matches"))),
      document.match && !acts.length && make("p", {}, say("The first move appears here.")),
      document.match && make("p", {}, make("a", { href: "api/record", download: true }, say("Download the record"))),
      acts.length > 0 && document.match.id > 0 && make("p", {}, make("a", { href: `#past/${document.match.id}` }, say("See the moves on the board"))),
      own(last) && make("button", { type: "button", "data-key": "undo", onclick: once(() => undo()) }, say("Undo: {act}", { act: last.text })),
      make("ol", { class: "history", reversed: true, start: acts.length }, acts.slice(0, shown).map(line)),
      acts.length > shown && make("button", { type: "button", "data-key": "rest", onclick: () => { shown = acts.length; render(); } }, say("Show all")),
    );
  }

  function line(act, place) {
    const { document, me } = now;
    const pieces = inAct(document.match.pieces, act.line);
    const parts = [
      make("span", { class: "when" }, time(act.at_ms)),
      make("span", { class: "did" }, act.seat != null && called(document.match.players, act.seat).slice(0, 1), act.text,
        pieces.length > 0 && make("span", { class: "pieces" }, pieces)),
      make("span", { class: "by" }, by(act.who, document.match.players)),
      act.calls.map((call) => make("span", { class: "said" }, call)),
    ];
    if (me?.role !== "referee" || document.unsaved) return make("li", { class: "act", "data-index": act.index }, parts);
    return make("li", { "data-index": act.index }, make("details", { "data-key": `change ${act.index}` },
      make("summary", { class: "act", "data-key": `more ${act.index}` }, parts),
      make("div", { class: "verbs" },
        make("button", { type: "button", "data-key": `to ${act.index}`, onclick: once(() => undo(place + 1)) },
          place ? sayN("Undo this and {number} later move", "Undo this and {number} later moves", place) : say("Undo this move")),
        amends(act))));
  }

  /** Return whether this phone may undo an act: the referee's phone any, a seat's its own and what hands entered for the box. */
  function own(act) {
    const { document, me } = now;
    if (!act || !me || me.role === "referee") return Boolean(act && me);
    return act.who.toLowerCase() === `phone:${me.button}` || (act.who === "box" && document.match.players[act.seat]?.level !== undefined);
  }

  /** Undo so many acts; without `count`, the last answer. */
  async function undo(count) {
    if (performance.now() - undone_ms < TWICE_MS) return;
    const { ok, error } = await post("api/undo", { question: now.document.question?.id ?? null, count });
    if (!ok) return tell(error);
    undone_ms = performance.mark("answered").startTime;
  }

  return show;
}

/** Return the source of an act: a part of the box, or a phone with its seat's mark. */
function by(who, players) {
  const [part, whose] = who.split(":");
  if (!whose) return PARTS[part]?.() ?? part;
  if (whose === "referee") return ["☎ ", say("Referee")];
  const button = BUTTONS.indexOf(whose.toLowerCase());
  const name = players.find((player) => player.button === button)?.name ?? whose;
  return ["☎ ", make("span", { role: "img", "aria-label": name }, mark(button))];
}

function time(at_ms) {
  if (at_ms == null) return "";
  const seconds = Math.floor(at_ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
