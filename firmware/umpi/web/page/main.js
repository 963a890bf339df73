// The page: it passes each document of the table to the parts that show it, and shows the view in the address.

import { showAnnouncement } from "./announcement.js";
import { appView } from "./app.js";
import { aroundView } from "./around.js";
import { keepAwake } from "./awake.js";
import { boardView } from "./boards/all.js";
import { virtualBox } from "./box.js";
import { answers, lastAnswer } from "./calls.js";
import { questionForm } from "./form.js";
import { headphoneView } from "./headphone.js";
import { heldView } from "./held.js";
import { hintView } from "./hint.js";
import { historyView } from "./history.js";
import { claimText } from "./joining.js";
import { showJoining } from "./joining_code.js";
import { lessonView } from "./lessons.js";
import { fill, make } from "./make.js";
import { keepOutline, outline } from "./outline.js";
import { pairingView, seated, unnamed, whom } from "./pairing.js";
import { showPast } from "./past.js";
import { renew } from "./renewal.js";
import { showRules } from "./rules.js";
import { showScores } from "./scores.js";
import { BUTTONS } from "./seats.js";
import { newest } from "./send.js";
import { runIn, slowMotion } from "./slow_motion.js";
import { speaker } from "./speech.js";
import { startView } from "./start.js";
import { follow } from "./stream.js";
import { showState } from "./state.js";
import { showStats } from "./stats.js";
import { turnAlerts } from "./turns.js";
import { learn, say, sayAll, spoken } from "./words.js";

const at = (id) => document.getElementById(id);
const VIEWS = ["box", "around", "table", "history", "past", "rules", "pair", "tv", "overlay", "learn", "app"];

let table = null; // the last document
let phone; // the role of this phone as the box knows it: null if it is not paired, undefined until the box has answered
let claim = ""; // with which this phone waits for a seat
let claims; // the phones that ask for seats, as text, to notice a change
let me = null; // the same, with its seat and its name in the match
let whose; // the same as text, to notice a change
let box = null; // the virtual box, if there is one
let around = null; // the same around a phone that lies in the middle
let view = "";
let quiet = 0;
let learning = false; // whether the texts of another language are on their way
const virtual = "box" in document.documentElement.dataset; // the server marks the page if it has a virtual box

const form = questionForm(at("question"), at("race"), tell, () => learnWho(true));
const hint = hintView(at("hint"), tell);
const headphone = headphoneView(at("headphone"), tell);
const held = heldView(at("held"), tell);
const start = startView(at("start"), tell);
const history = historyView(at("history"), tell);
const turns = turnAlerts();
const showLesson = lessonView(at("learn"), tell);
const showApp = appView(at("app"), turns, tell);
const pairing = pairingView(at("pair"), tell, learnWho);
const fresh = answers();
const askWho = newest();
const showLast = lastAnswer(at("last"));
const showBoard = boardView(at("board"));
const slow = slowMotion(() => show());
const speak = speaker(at("aloud"), at("where"), tell);

/** Show a message to the player; it disappears after a while. */
function tell(text) {
  clearTimeout(quiet);
  const away = make("button", { type: "button", class: "plain", "aria-label": say("close"), onclick: () => fill(at("notice")) }, "✕");
  fill(at("notice"), make("p", {}, text), away);
  quiet = setTimeout(() => fill(at("notice")), 8000);
}

function show() {
  if (!table) return;
  delete document.documentElement.dataset.waiting;
  document.documentElement.dataset.acts = table.match?.acts ?? "";
  const { fresh: asked, shown } = slow(table);
  const large = view === "tv" ? shown : table;
  document.documentElement.dataset.stage = large === table ? stageOf(table) : "race";
  showMe();
  showState(table);
  showAnnouncement(at("announcement"), large, me, tell);
  if (asked && view === "tv") runIn(at("announcement"));
  showScores(at("scores"), table);
  showJoining(at("join"), table);
  form(table, me);
  hint(table, me);
  held(table, me);
  headphone(table, me);
  history(table, me, view === "history");
  start(table, me);
  box?.hear(table);
  around?.hear(table);
}

/** Return what a television shows large: how to join, the scores, who was first, or the end. */
function stageOf({ match, seen, doubt }) {
  if (!match) return "idle";
  if (match.over) return "over";
  return seen || doubt ? "race" : "play";
}

/** Ask the box for whom this phone answers. `told`: the player has just been told that it answers for nobody. */
async function learnWho(told = false) {
  const answer = await askWho("api/me");
  if (!answer?.ok) return;
  const { body } = answer;
  const before = JSON.stringify(phone);
  if (phone?.role === "seat" && !body.who && view !== "pair" && !told) tell(say("This phone is no longer in the match. Another phone may have taken its place."));
  [phone, claim] = [body.who, body.claim];
  showMe();
  show();
  if (!me || view !== "pair" || before === JSON.stringify(phone) || unnamed(me)) return; // unnamed: the player can say who they are
  tell(say("This phone plays for {who}.", { who: me.name ?? say("the referee") }));
  location.hash = "#table";
}

/** Show for whom this phone answers. */
function showMe() {
  const now = JSON.stringify(phone === undefined ? undefined : seated(phone, table));
  pairing.show(phone === undefined ? null : JSON.parse(now), claim, table);
  if (now === whose) return;
  [whose, me] = [now, JSON.parse(now)];
  fill(at("who"), !me ? say("Pair") : me.role === "referee" ? say("Referee") : whom(me));
  at("who").setAttribute("aria-label", me ? say("{who}: this phone", { who: me.name ?? say("Referee") }) : say("Pair this phone"));
}

/** Show the view in the address: #table, #history, #past/3, #pair=123456 … */
function go() {
  const [, name, more] = location.hash.match(/^#(\w+)[/=]?(.*)$/) || [];
  view = VIEWS.includes(name) && (!["box", "around"].includes(name) || virtual) ? name : virtual && !name ? "box" : "table";
  document.documentElement.toggleAttribute("data-overlay", view === "overlay");
  if (view === "overlay") document.documentElement.dataset.overlay = more; // #overlay/board shows the board too
  if (view === "overlay") view = "tv"; // the same without a background, to be laid over a video
  document.documentElement.dataset.view = view;
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.hash === `#${view}`;
    here ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  }
  if (view === "past") showPast(at("past"), more);
  if (view === "past") showStats(at("stats"), !more);
  if (view === "rules") showRules(at("rules"), more);
  if (view === "app") showApp();
  if (view === "learn") showLesson(more);
  if (view === "pair" && more) {
    globalThis.history.replaceState(null, "", "#pair"); // the code must not remain in the address
    pairing.pair(more);
  }
  show();
}

/** Show the page in the language that the box speaks now. What has been entered, the focus and the connection stay. */
async function translate() {
  if (learning) return;
  learning = true;
  const learned = await learn();
  learning = false;
  if (!learned) return; // the next document asks again
  whose = undefined;
  sayAll(document.body);
  box?.speak();
  around?.speak();
  go();
  showBoard(table);
  showLast(table, null);
}

/** If the server has a virtual box, the page shows it. */
function lookForBox() {
  const face = new EventSource("face");
  const wide = matchMedia("(min-width: 70rem)"); // there it is beside the table
  let data = "";
  face.addEventListener("state", (event) => { data = event.data; });
  face.addEventListener("state", () => {
    const place = document.querySelector(".virtual");
    box = virtualBox(place, face, data, () => view === "box" || (view === "table" && wide.matches && place.contains(document.activeElement)));
    around = aroundView(document.querySelector(".around"));
    face.addEventListener("state", () => around.face(JSON.parse(data)));
    around.face(JSON.parse(data));
    go();
  }, { once: true });
}

addEventListener("hashchange", () => {
  go();
  document.querySelector(`main > [data-view="${view}"] h2`)?.focus({ preventScroll: true });
  scrollTo(0, 0);
});
addEventListener("keydown", ({ key }) => {
  if (key === "Escape" && view === "tv") location.hash = "#table";
});
addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && event.target.closest?.("button")) event.preventDefault(); // it is pressed once
}, true);
sayAll(document.body);
keepOutline();
go();
learnWho();
if (virtual) lookForBox();
follow(
  (latest) => {
    const again = table?.boot !== latest.boot;
    if (table && again) renew();
    table = latest;
    const asking = JSON.stringify(table.joining);
    const newcomer = table.joining?.at(-1);
    const forMine = newcomer && phone?.role === "seat" && BUTTONS[newcomer.button] === phone.button;
    if (!again && asking !== claims && (claim || phone?.role !== "referee" || view === "pair")) learnWho(); // somebody may have let this or another phone in
    if (asking !== claims && newcomer && (forMine || phone?.role === "referee") && view !== "pair") {
      tell(claimText(newcomer, table.joined.find(({ button }) => button === newcomer.button)?.name));
    }
    claims = asking;
    if (again) learnWho(); // the box has started again, and may have forgotten this phone
    if (table.language !== spoken()) translate(); // a player has chosen another language at the box
    const news = fresh(table);
    show();
    outline(); // where the board is depends on it
    showBoard(table, news?.made);
    showLast(table, news);
    speak(table, news);
    turns.hear(table, me);
    keepAwake(Boolean(table.match && !table.match.over));
  },
  (there, why) => {
    document.documentElement.toggleAttribute("data-lost", !there);
    fill(at("line"), there ? "" : why || say("not connected"));
  },
);
