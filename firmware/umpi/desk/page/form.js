// The question on the table as a form, made from the offer alone: one tap where one is enough, else what is chosen so far.

import { Entry } from "./entry.js";
import { control } from "./fields/control.js";
import { fitsGrid, pairGrid } from "./fields/pair.js";
import { fill, make } from "./make.js";
import { called } from "./seats.js";
import { pieces, say } from "./words.js";

const LARGE = 8; // options; more are folded away once one is chosen

/** Show the question of each document in `place`; `tell(text)` says what a player must know, `passed()` that nobody is paired. */
export function questionForm(place, tell, passed) {
  let now = null; // {document, me}
  let entry = null; // the answer in hand, of one ask
  let sent = ""; // the question an answer has been sent to

  function show(document, me) {
    const same = now && told({ document, me }) === told(now);
    if (document.question?.id !== now?.document.question?.id) [entry, sent] = [null, ""];
    now = { document, me };
    if (!same) render();
  }

  function render() {
    const { document, me } = now;
    const { question, match } = document;
    if (!match || !question?.asks.length) return fill(place);
    const offered = question.asks.filter((ask) => !entry || ask.verb === entry.ask.verb);
    const [plain, rare] = [offered.filter((ask) => entry || !aside(ask)), offered.filter((ask) => !entry && aside(ask))];
    place.toggleAttribute("aria-busy", sent === question.id);
    fill(
      place,
      make("h2", { tabindex: -1 }, (plain.length ? plain : rare).map((ask) => ask.text).join(" / ")),
      !me && unpaired(),
      me && plain.some((ask) => !ask.fields.length) && make("div", { class: "verbs" }, plain.filter((ask) => !ask.fields.length).map(verb)),
      me && plain.filter((ask) => ask.fields.length).map((ask) => panel(ask, entry ? entry.named : plain.length > 1)),
      me && rare.length > 0 && make("details", { class: "rare", "data-key": "rare" }, make("summary", {}, "Seldom needed"),
        make("div", { class: "verbs" }, rare.map(verb))),
      rule(offered),
    );
  }

  /** A question of one button: it is the answer, or opens what is to be told. */
  function verb(ask) {
    const seat = others(ask);
    const name = ask.seat === now.document.match.turn ? null : ask.seat;
    const why = seat != null ? say("{who} must answer that.", { who: now.document.match.players[seat].name }) : barred(ask);
    return make("button", {
      type: "button", class: "verb", "data-verb": ask.verb, "data-key": ask.verb, "aria-disabled": why && "true",
      onclick: () => (why ? tell(why) : ask.fields.length ? open(ask) : send(begin(ask))),
    }, ask.text, name != null && make("span", { class: "of" }, called(now.document.match.players, name)));
  }

  /** A question with fields: what stands open of it, and what has been chosen so far. */
  function panel(ask, named) {
    const seat = others(ask);
    const players = now.document.match.players;
    const head = named && make("h3", {}, ask.text, ask.seat !== now.document.match.turn && make("span", { class: "of" }, called(players, ask.seat)));
    if (seat != null) return make("section", { class: "ask" }, head, make("p", { class: "asks" }, "Not this phone's to answer."));
    const own = entry || begin(ask);
    own.named = named; // or all would move at the first tap
    return make("section", { class: "ask", "data-verb": ask.verb }, head, parts(own), entry && foot(own));
  }

  function parts(own) {
    const made = [];
    const hand = { players: now.document.match.players, refuse: tell, seat: now.me.role === "seat" ? now.me.seat : null, usual: own.ask.usual };
    const shown = own.fields.filter((field) => !field.optional || own.opened.has(field.name));
    for (let at = 0; at < shown.length; at++) {
      const [field, next] = [shown[at], shown[at + 1]];
      const open = [field, next].every((one) => one && own.missing.includes(one));
      if (open && fitsGrid(field, next)) {
        made.push(pairGrid(field, next, (values) => answer(own, values), hand));
        at++;
      } else {
        made.push(part(own, field, hand));
      }
      if (own.missing.includes(shown[at])) break; // one question at a time
    }
    const more = own.fields.filter((field) => field.optional && !own.opened.has(field.name));
    const opens = (field) => () => { own.opened.add(field.name); take(own); };
    if (more.length) made.push(make("div", { class: "more" }, more.map((field) =>
      make("button", { type: "button", class: "plain", "data-key": `more ${field.name}`, onclick: opens(field) }, `Add: ${field.label}`))));
    return made;
  }

  function part(own, field, hand) {
    const value = own.told[field.name];
    if (field.kind === "some" && field.most === 0) return null;
    const many = field.kind === "pick" && field.options.length > LARGE && value !== undefined;
    const again = () => answer(own, { [field.name]: undefined });
    const label = own.fields.length > 1 && make("p", { class: "asks" }, field.label);
    if (many) {
      const chosen = field.options.find((option) => option.value === value);
      return make("p", { class: "chosen" }, `${field.label}: `, make("strong", {}, chosen?.words.join(" ") ?? String(value)),
        make("button", { type: "button", class: "plain", onclick: again }, say("Change")));
    }
    return make("div", { class: "field", "data-field": field.name }, label,
      control(field, value, (one) => answer(own, { [field.name]: one }), hand));
  }

  function foot(own) {
    return make("div", { class: "foot" },
      own.objection && make("p", { class: "objection", role: "status" }, own.objection),
      make("button", { type: "button", class: "plain", "data-key": "back", onclick: () => back(own) }, say("Take back")),
      make("button", { type: "button", class: "send", "data-key": "send", "aria-disabled": !own.ready && "true",
        onclick: () => (own.ready ? send(own) : tell(own.objection || missing(own))) }, say("Send")));
  }

  const missing = (own) => say("Still to be told: {fields}.", { fields: own.missing.map((field) => field.label).join(", ") });
  const begin = (ask) => new Entry(now.document.question.id, ask, () => entry && render());
  const others = ({ seat }) => (now.me.role === "seat" && seat != null && seat !== now.me.seat ? seat : null);

  function take(own) {
    entry = own;
    render();
  }

  function open(ask) {
    const own = begin(ask);
    own.named = true;
    take(own);
  }

  /** Take an answer; where it was the one tap that is needed, send it. */
  async function answer(own, values) {
    entry = own;
    const first = own.taps.length === 0 && own.opened.size === 0;
    const field = own.fields.find(({ name }) => name in values);
    const list = field.kind === "some" && !(field.least === 1 && field.most === 1);
    const atOnce = first && !list && !["text", "each", "forms"].includes(field.kind) && !(field.kind === "number" && field.high - field.low > 12);
    await own.answer(values);
    if (atOnce && own.ready && entry === own) await send(own);
  }

  async function back(own) {
    if (own.taps.length) return own.back();
    entry = null;
    render();
  }

  async function send(own) {
    const { question } = own;
    await own.learned;
    if (sent === question || !own.ready) return;
    sent = question;
    const { ok, status, error } = await own.send();
    if (ok) return;
    if (sent === question) sent = "";
    tell(error);
    if (status === 401) passed();
    render();
  }

  return show;
}

/** All that a form depends on: what else changes, such as a clock, leaves it alone. */
const told = ({ document: { question, match }, me }) => JSON.stringify([question, match?.players, match?.over, me]);

/** Whether an ask stands aside: seldom needed, answered by the funnel itself, or not to be answered now. */
const aside = (ask) => ask.rare || ask.fields[0]?.source === "cube" || barred(ask) !== "";

/** Why nothing can be answered in an ask, "" where something can. */
function barred({ fields: [first] }) {
  if (first?.kind !== "pick" || first.options.some((option) => !option.off)) return "";
  return first.options[0]?.off ?? say("There is nothing to choose.");
}

function unpaired() {
  return make("p", { class: "unpaired" }, pieces("To answer from this phone, {pair}.", { pair: make("a", { href: "#pair" }, say("pair it with the box")) }));
}

function rule(asks) {
  const rules = [...new Map(asks.filter((ask) => ask.help).map((ask) => [ask.help, ask])).values()];
  if (!rules.length) return null;
  return make("details", { class: "rule", "data-key": "rule" }, make("summary", {}, say("The rule")), rules.map((ask) => [make("h3", {}, ask.text), make("p", {}, ask.help)]));
}
