// The current question as a form, made from its asks: one tap if that is enough, else the answers so far.

import { isOpen, mayPress, OUTCOME, raceOf, showBuzzer } from "./buzzer.js";
import { keepTime, stamp } from "./clock.js";
import { drafts } from "./drafts.js";
import { differs, Entry, granted } from "./entry.js";
import { isSeat } from "./fields/options.js";
import { change, fill, make } from "./make.js";
import { parts } from "./parts.js";
import { called } from "./seats.js";
import { signed } from "./pieces.js";
import { alone, post, TWICE_MS, whyAlone } from "./send.js";
import { barred, sentence } from "./sentence.js";
import { firstTime } from "./start_cards.js";
import { pieces, say, spoken } from "./words.js";

/**
 * What a match does with the answers: it asks the box which fields follow, sends the act, and keeps a draft. Of a hand
 * that the box has dealt, only the phone of its player gets the cards.
 */
const IN_MATCH = {
  learn: (question, verb, given) => post("api/form", { question, verb, given }),
  act: (question, act, stamp) => post("api/act", { question, act, stamp }),
  keepTime, drafts,
};
const isFor = (ask, me) => ask.alone == null || (me.role === "seat" && me.seat === ask.alone);

/**
 * Show the question of each document in `place`, and the buzzer of a seat in `below`.
 *
 * `tell(text)` shows a message, `passed()` reports that the pairing has ended. `to` is where the answers go: see IN_MATCH.
 */
export function questionForm(place, below, tell, passed, to = IN_MATCH) {
  let now = null; // {document, me}
  let entry = null; // the answer being entered, to one ask
  let sent = ""; // the question whose answer is being sent
  let tapped = ""; // the button that sent it
  let next_ms = -Infinity; // when the question after the last answer of this phone came
  let twice = false; // whether the present tap is the second of a double tap on that answer
  let raced = 0; // the match that has a buzzer
  let late; // whether this phone has pressed after the race
  let drafted = false; // whether this phone has looked for an answer that it had begun before
  let language = spoken();
  const begun = {}; // the question at which a finger, and a key, went down
  let then = null; // {verb, version}: the act that follows automatically, once the box shows this version

  const asked = () => now?.document.question?.id;
  place.addEventListener("pointerdown", () => { begun.finger = asked(); });
  place.addEventListener("keydown", () => { begun.key = asked(); });
  place.addEventListener("keyup", () => setTimeout(() => { delete begun.key; })); // the press of a button comes in between
  place.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const from = event.detail ? begun.finger : begun.key ?? asked(); // without a finger or a key, it is a screen reader
    if (sent || from !== asked()) return event.stopPropagation(); // one answer at a time, and none to a question that has just come
    tapped = button.dataset.key;
    twice = event.timeStamp - next_ms < TWICE_MS;
  }, true);

  function show(document, me) {
    const same = now && language === spoken() && inputs({ document, me }) === inputs(now);
    if (language !== spoken()) translate();
    const before = document.question?.id === asked() ? null : entry;
    if (document.question?.id !== asked()) {
      if (sent) next_ms = performance.mark("answered").startTime;
      [entry, sent] = [null, ""];
    }
    if (!document.seen || document.match?.id !== now?.document.match?.id) late = false;
    now = { document, me };
    if (before) carry(before);
    else if (me && !drafted) resume();
    if (!entry) beginSecret();
    if (!same) render();
    if (then && document.version >= then.version) follow(document);
  }

  /** Continue the answer that is being entered in the language that the box speaks now. */
  function translate() {
    language = spoken();
    if (drafted) to.drafts.write(entry);
    [entry, drafted] = [null, false];
  }

  /** Continue an answer that was begun before the phone slept and threw the page away. */
  function resume() {
    drafted = true;
    const draft = to.drafts.read();
    if (draft) carry(draft);
  }

  /** Continue an answer, or a draft, that another player's answer has interrupted, if the box still asks for it; else report that it is gone. */
  function carry(old) {
    const { match, question } = now.document;
    if (!now.me || !match || old.match !== match.id || (old.sent && old.question !== question?.id)) return; // what was sent may have arrived
    const opened = new Set(old.opened);
    if (!differs(old) && !old.named && !opened.size) return;
    const ask = question?.asks.find((one) => one.verb === old.ask.verb && one.seat === old.ask.seat && answerable(one));
    const fits = ask && (old.question === question.id || ask.seat == null || JSON.stringify(ask) === JSON.stringify(old.ask)); // the next step of a turn asks for something else
    if (!fits) return differs(old) && tell(say("The question has changed: your entry was discarded. Check the table."));
    const own = entry = Object.assign(entryOf(ask, question.id), { named: old.named, opened, sent: old.sent });
    own.take(old.entered, () => {
      if (entry === own && !differs(own)) take(null); // nothing is left of it
      tell(say("The question has changed: part of your entry was discarded. Check it before you send it."));
    });
  }

  /** Return whether this phone may answer an ask, and there is something to choose. */
  function answerable(ask) {
    const { document: { question }, me } = now;
    return !barred(ask) && (to.sees ?? isFor)(ask, me) && (me.role === "referee" || (me.seat != null && allowed(ask, raceOf(question.asks))));
  }

  /** Begin the answer to a secret question with the seat of this phone, or the choice from its hand, if it is the only one. */
  function beginSecret() {
    const asks = (now.me && now.document.question?.asks) || [];
    const ask = asks.find((one) => one.secret) ?? fromHand(asks);
    if (!ask || (ask.secret && !Object.keys(mySeat(ask)).length)) return;
    entry = begin(ask);
    entry.look();
  }

  /** Return the ask that this phone answers from its hand, if nothing else is usually asked of it. */
  function fromHand(asks) {
    const usual = asks.filter((ask) => !ask.rare && !ask.referee);
    return usual.length === 1 && usual[0].alone != null && usual[0].alone === now.me.seat ? usual[0] : null;
  }

  function render() {
    const { document, me } = now;
    if (drafted) to.drafts.write(entry);
    const { question, match } = document;
    busy(false);
    const race = raceOf(question?.asks ?? []);
    if (race && match) raced = match.id;
    const own = me?.role === "seat" && me.seat != null;
    const acting = own || me?.role === "referee"; // the phone of a button that nobody plays with only looks on
    to.keepTime(own && !!match && !match.over, (question?.asks ?? []).some(races));
    if (own && match && !match.over && raced === match.id) showBuzzer(below, document, me, race, { busy: sent !== "" && tapped === "buzz", late }, buzz);
    else fill(below);
    place.classList.remove("mine");
    if (!match) return fill(place, idle(me));
    const shut = own && !mayPress(race, me.seat);
    below.classList.toggle("folded", shut && !below.querySelector(OUTCOME));
    if (!question?.asks.length) return change(place);
    const seen = me ? question.asks.filter((ask) => (to.sees ?? isFor)(ask, me)) : question.asks;
    const mine = own ? seen.filter((ask) => allowed(ask, race)) : seen;
    const offered = mine.filter((ask) => !entry || ask.verb === entry.ask.verb);
    const asked = offered.some((ask) => ask.seat != null && !ask.rare); // then a race goes on beside that
    const hidden = (ask) => !entry && (aside(ask) || (asked && ask.seat == null && races(ask)));
    const [plain, rare] = [offered.filter((ask) => !hidden(ask)), offered.filter(hidden)];
    if (shut && plain.length > 0) below.classList.add("folded");
    const heading = acting && sentence(document, me, plain, own && mayPress(race, me.seat)); // else the table says it
    place.classList.toggle("mine", acting && (plain.length > 0 || (own && heading != null)));
    change(
      place,
      heading && make("h2", { tabindex: -1 }, typeof heading === "string" ? signed(heading) : heading),
      !me && unpaired(),
      acting && plain.filter(hasFields).map((ask) => panel(ask, entry ? entry.named : plain.length > 1)),
      acting && !entry && acts(plain.filter((ask) => !hasFields(ask))),
      acting && rare.length > 0 && make("details", { class: "rare", "data-key": "rare" }, make("summary", {}, say("Rarely needed")),
        make("div", { class: "verbs" }, rare.map(verb))),
      rule(own ? question.asks : offered, match.game, heading ? "h3" : "h2"),
    );
    busy(sent === question.id);
  }

  /** Return whether a phone offers an ask: a seat's phone its own, and while players may buzz, nothing beside the buzzer. */
  function allowed(ask, race) {
    if (ask === race || ask.referee || (ask.seat != null && ask.seat !== now.me.seat && !now.document.match.players[ask.seat].level)) return false; // anybody's hands serve the box
    return !isOpen(race) || ask.rare || ask.seat != null;
  }

  /** Make the bar of the acts that one tap does: the first is the usual one. */
  const acts = (plain) => plain.length > 0 && make("div", { class: "thumb verbs" }, plain.map(verb));

  /** Send the seat's buzz at once. */
  function buzz(ask) {
    if (sent) return;
    const own = begin(ask);
    own.entered = { [ask.fields[0].name]: now.me.seat };
    tapped = "buzz";
    send(own);
  }

  /** Show that an answer is being sent, on its button, or on Send if that button is hidden. */
  function busy(is) {
    is ? place.setAttribute("aria-busy", "true") : place.removeAttribute("aria-busy");
    if (!is) return;
    const buttons = [...place.querySelectorAll("button[data-key]")];
    const button = [tapped, "send"].map((key) => buttons.find((one) => one.dataset.key === key)).find(Boolean);
    if (button) [button.ariaBusy, button.ariaDisabled] = ["true", "true"];
  }

  /** Make the button of an ask: it sends the answer, or opens the ask's fields. */
  function verb(ask) {
    const name = ask.seat === now.document.match.turn ? null : ask.seat;
    const why = barred(ask);
    return make("button", {
      type: "button", class: "verb", "data-verb": ask.verb, "data-key": ask.verb, "aria-disabled": why && "true",
      onclick: () => (why ? tell(why) : hasFields(ask) ? open(ask) : twice || send(begin(ask))),
    }, ask.text, name != null && make("span", { class: "of" }, called(now.document.match.players, name)));
  }

  /** Make the section of an ask with fields: the next field, and the answers so far. */
  function panel(ask, named) {
    const { players, turn } = now.document.match;
    const own = entry || begin(ask);
    own.named = named; // keep the heading, else everything would move at the first tap
    return make("section", { class: "ask", "data-verb": ask.verb },
      named && make("h3", {}, ask.text, ask.seat !== turn && make("span", { class: "of" }, called(players, ask.seat))),
      inside(own), entry && foot(own));
  }

  /** Make the controls of an answer. */
  function inside(own) {
    const { match } = now.document;
    const hand = { players: match.players, pieces: match.pieces, refuse: tell, seat: now.me.role === "seat" ? now.me.seat : null, usual: own.ask.usual };
    return parts(own, hand, (values) => answer(own, values), () => take(own));
  }

  /** Make the buttons below an answer. The usual next act, for example the end of a turn, is sent with it or not. */
  function foot(own) {
    const sends = (text, key, more, verb) => make("button", { type: "button", class: more, "data-key": key, "aria-disabled": !own.ready && "true",
      onclick: () => (own.ready || own.silent ? send(own, verb) : tell(own.objection || missing(own))) }, text);
    return make("div", { class: "thumb foot" },
      own.objection && make("p", { class: "objection", role: "status" }, own.objection),
      make("button", { type: "button", class: "plain", "data-key": "back", onclick: () => back(own) }, say("Undo")),
      own.ask.then
        ? [sends(say("Send as final"), "send", "send", own.ask.then), sends(say("Send, not final"), "send open", "open")]
        : sends(say("Send"), "send", "send"));
  }

  const missing = (own) => say("Not answered yet: {fields}", { fields: own.missing.map((field) => field.label).join(" · ") });
  const begin = (ask) => entryOf(ask, now.document.question.id);

  function entryOf(ask, question) {
    const learn = (given) => to.learn(question, ask.verb, given);
    const own = new Entry(ask, () => entry && render(), learn, { ...granted(ask), ...mySeat(ask) });
    return Object.assign(own, { question, match: now.document.match?.id, sent: false }); // sent: whether the box may have it
  }

  /** Return the seat of this phone as the answer, if the ask has more to answer. */
  function mySeat(ask) {
    const { me } = now, [first, ...more] = ask.fields;
    if (me.role !== "seat" || !(more.length || (ask.secret && ask.more)) || first.kind !== "pick" || !isSeat(first)) return {};
    return first.options.some(({ value, off }) => value === me.seat && !off) ? { [first.name]: me.seat } : {};
  }

  function take(own) {
    entry = own;
    render();
  }

  function open(ask) {
    const own = begin(ask);
    own.named = true;
    take(own);
  }

  /** Add answers; if one tap is enough, send the act. */
  async function answer(own, values) {
    const first = own.taps.length === 0 && own.opened.size === 0;
    const field = own.fields.find(({ name }) => name in values);
    const list = field.kind === "some" && !(field.least === 1 && field.most === 1);
    const last = own.missing.every(({ name }) => name in values); // else the next tap must count before the box replies
    const atOnce = first && last && !list && !["text", "each", "forms"].includes(field.kind) && !(field.kind === "number" && field.high - field.low > 12);
    if (atOnce && twice) return;
    entry = own;
    if (atOnce) sent = own.question; // over a slow connection, the tap would otherwise show no reaction
    await own.answer(values);
    if (!atOnce || entry !== own) return;
    sent = "";
    own.ready && !own.ask.then ? await send(own) : render();
  }

  async function back(own) {
    if (own.taps.length) return own.back();
    entry = null;
    beginSecret();
    render();
  }

  /** Send an answer, and then the act `after`, once the box shows the first. */
  async function send(own, after) {
    const { question, lost } = own;
    const pressed = races(own.ask) ? stamp() : undefined;
    sent = question;
    own.sent = true;
    render();
    await own.learned;
    if (own.silent) await own.look();
    own.sent = own.ready && own.lost === lost; // else it is not what the player saw
    if (own.sent) {
      const { ok, status, body, error } = await to.act(question, own.act, pressed);
      if (ok && after) then = { verb: after, version: body.version };
      if (ok && !own.ask.secret) return then && now.document.version >= then.version && follow(now.document);
      if (ok) entry = null; // a secret question stays until the last player has answered
      if (ok) beginSecret();
      if (status === 409 && races(own.ask)) late = true;
      if (!ok) tell(error);
      if (status === 401) passed();
      own.sent = ok || status === 0;
    }
    if (sent === question) sent = "";
    if (!own.sent && question !== asked() && !entry?.taps.length && own.taps.length) carry(own); // another answer came first
    render();
  }

  /** Send the act that follows if the box asks for it. The rules may have continued without it. */
  function follow({ question }) {
    const ask = question?.asks.find((one) => one.verb === then.verb && !hasFields(one));
    then = null;
    if (!ask) return;
    tapped = ask.verb;
    send(entryOf(ask, question.id));
  }

  return show;
}

/** Return everything that a form depends on. Other changes, for example of the clock, must not redraw it. */
const inputs = ({ document: { question, match, seen, referee }, me }) => JSON.stringify([question, match?.players, match?.over, seen, referee, me]);

/** Return whether an ask has something to answer: fields that all phones get, or some from a hand. */
const hasFields = (ask) => ask.fields.length > 0 || ask.alone != null;

/** Return whether the first to answer an ask counts: by a button or by a cube. */
const races = ({ fields: [first] }) => ["buzz", "cube"].includes(first?.source);

/** Return whether an ask is shown separately: rare, answered by the funnel, or not possible now. */
const aside = (ask) => ask.rare || ask.fields[0]?.source === "cube" || barred(ask) !== "";

/** Return how to begin, while there is no match; the referee's phone has a form for that. */
function idle(me) {
  if (me?.role === "referee") return null;
  return make("div", { class: "idle" },
    firstTime(),
    make("p", {}, say("The referee’s phone or the box starts the match.")),
    me ? make("p", {}, say("When a match starts, its questions appear here.")) : alone ? make("p", {}, whyAlone()) : [
      make("p", {}, say("To play from this phone, pair it with the box. Everybody on this network can watch.")),
      make("p", {}, make("a", { href: "#pair", class: "go" }, say("Pair this phone"))),
    ],
    me?.role === "seat" && make("p", {}, make("a", { href: "#pair", class: "go" }, say("Change my name"))),
    make("p", {}, make("a", { href: "#past" }, say("Past matches"))));
}

function unpaired() {
  return make("p", { class: "unpaired" }, pieces("To answer from this phone, {pair}.", { pair: make("a", { href: "#pair" }, say("pair it with the box")) }));
}

/** Return the rules of asks, folded; `title` is the level of their headings. */
function rule(asks, game, title) {
  const rules = [...new Map(asks.filter((ask) => ask.help).map((ask) => [ask.help, ask])).values()];
  if (!rules.length) return null;
  return make("details", { class: "rule", "data-key": "rule" }, make("summary", {}, say("Rules")), rules.map((ask) => [make(title, {}, ask.text), make("p", {}, ask.help)]),
    make("p", {}, make("a", { href: `#rules/${game}` }, say("All rules of this game"))));
}
