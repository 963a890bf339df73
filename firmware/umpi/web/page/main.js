// The page: each document of the table to the parts that show it, and the view that the address asks for.

import { showAnnouncement } from "./announcement.js";
import { questionForm } from "./form.js";
import { historyView } from "./history.js";
import { fill, make } from "./make.js";
import { pairingView, whom } from "./pairing.js";
import { showPast } from "./past.js";
import { showScores } from "./scores.js";
import { called } from "./seats.js";
import { get } from "./send.js";
import { follow } from "./stream.js";
import { showState } from "./state.js";
import { showStats } from "./stats.js";
import { say, sayAll } from "./words.js";

const at = (id) => document.getElementById(id);
const VIEWS = ["box", "table", "history", "past", "pair", "tv"];

let table = null; // the last document
let me = null; // whom this phone answers for
let box = null; // the virtual one, where there is one
let view = "";
let quiet = 0;
const virtual = "box" in document.documentElement.dataset; // the server writes it into the page where it has one

const form = questionForm(at("question"), tell, learnWho);
const history = historyView(at("history"), tell);
const pairing = pairingView(at("pair"), tell, learnWho);

/** Say what a player must know; it goes away by itself. */
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
  showState(table, me);
  showAnnouncement(at("announcement"), table, me, tell);
  showScores(at("scores"), table);
  form(table, me);
  history(table, me, view === "history");
  box?.hear(table);
}

async function learnWho() {
  const { ok, body } = await get("api/me");
  if (!ok) return;
  const before = JSON.stringify(me);
  me = body.who;
  fill(at("who"), !me ? say("Pair") : me.role === "referee" ? say("Referee") : whom(me));
  at("who").setAttribute("aria-label", me ? say("{who}: this phone", { who: me.name ?? say("Referee") }) : say("Pair this phone"));
  pairing.show(me);
  show();
  if (me && view === "pair" && before !== JSON.stringify(me)) {
    tell(say("This phone answers for {who}.", { who: me.name ?? say("the referee") }));
    location.hash = "#table";
  }
}

/** Go where the address says: #table, #history, #past/3, #pair=123456 … */
function go() {
  const [, name, more] = location.hash.match(/^#(\w+)[/=]?(.*)$/) || [];
  view = VIEWS.includes(name) && (name !== "box" || virtual) ? name : virtual && !name ? "box" : "table";
  document.documentElement.dataset.view = view;
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.hash === `#${view}`;
    here ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  }
  if (view === "past") showPast(at("past"), more);
  if (view === "past") more ? fill(at("stats")) : showStats(at("stats"));
  if (view === "pair" && more) {
    globalThis.history.replaceState(null, "", "#pair"); // a code is not to be kept with the address
    pairing.pair(more);
  }
  show();
}

/** Where the server has a virtual box, its face is a part of the page. */
function lookForBox() {
  const face = new EventSource("face");
  const wide = matchMedia("(min-width: 70rem)"); // it stands beside the table there
  let data = "";
  face.onmessage = (event) => { data = event.data; };
  face.addEventListener("message", async () => {
    const { virtualBox } = await import("./box.js");
    box = virtualBox(document.querySelector(".virtual"), face, data, () => view === "box" || (view === "table" && wide.matches));
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
sayAll(document.body);
go();
learnWho();
if (virtual) lookForBox();
follow(
  (told) => {
    if (table && table.language !== told.language) location.reload(); // another was chosen at the box
    const fresh = table?.boot !== told.boot;
    table = told;
    if (fresh) learnWho(); // after a break as well: it may have been revoked meanwhile
    show();
  },
  (there) => {
    document.documentElement.toggleAttribute("data-lost", !there);
    fill(at("line"), there ? "" : say("not connected"));
  },
);
