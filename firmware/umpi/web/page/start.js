// Games from the referee's phone: start one by its players and rules, resume one, play again, and exit.

import { confirmed } from "./confirm.js";
import { failed } from "./failed.js";
import { hosting } from "./joining.js";
import { emptySeats } from "./levels.js";
import { fill, make } from "./make.js";
import { get, inTab, once, post } from "./send.js";
import { cardOf, firstTime, fitting, gameCards, whoIsHere } from "./start_cards.js";
import { evening } from "./start_evening.js";
import { playersPart } from "./start_players.js";
import { rulesPart } from "./start_rules.js";
import { say, spoken } from "./words.js";

const RESUMED = 3; // of the matches that are not over, the newest

/** Show in `place` how the referee's phone starts a game, and how it plays again. `tell(text)` shows a message. */
export function startView(place, tell) {
  let shown = "";
  let joined = []; // the names that phones gave
  let players = null; // the part of the form that is open
  let hosted = null; // the part of the form about joining
  let table = null; // the last document
  let greeted = null; // the part for those who look on
  let offered = null; // the games and the past matches that it shows

  function show(document, me) {
    table = document;
    const { match, joined: names } = document;
    const who = JSON.stringify(match?.players);
    const key = `${document.boot} ${stage(match, me)} ${match?.id ?? ""} ${document.raced} ${spoken()} ${stage(match, me) === "play" ? who : ""}`; // a new start may have other games
    joined = names;
    if (key !== shown) {
      shown = key;
      render(stage(match, me));
    }
    players?.join(joined);
    host();
    greet();
  }

  /** Show in the form how players join. */
  function host() {
    const now = JSON.stringify(table.joining);
    if (!hosted || hosted.dataset.shown === now) return;
    hosted.dataset.shown = now;
    fill(hosted, hosting(table.joining, table.joined, tell));
  }

  /** Show those who look on who is here, and the games. */
  function greet() {
    const now = JSON.stringify(joined);
    if (!greeted || greeted.dataset.shown === now) return;
    greeted.dataset.shown = now;
    fill(greeted, whoIsHere(joined), make("h2", {}, say("What shall we play?")), gameCards(offered.games, joined, offered.matches));
  }

  function render(what) {
    const left = place.contains(document.activeElement);
    players = hosted = greeted = null;
    if (what === "form") return open();
    if (what === "look") return look();
    if (what === "play") fill(place, table.raced && onTelevision(), !table.match.empty_seat && emptySeats(table.match, tell), exit());
    else fill(place, what === "again" && again(), what === "wait" && make("p", { class: "asks" }, say("The referee’s phone or the box starts the next match.")),
      ["again", "wait"].includes(what) && !inTab && make("p", {}, make("a", { href: `#past/${table.match.id}`, class: "go" }, say("Luck and skill"))));
    if (what && what !== "play") standings();
    if (left) document.querySelector("#question h2")?.focus();
  }

  /** Ask the box for its games, and show them to those who look on. */
  async function look() {
    const asked = shown;
    fill(place);
    const [offer, past] = await Promise.all([get("api/games"), get("api/matches")]);
    if (shown !== asked) return;
    if (!offer.ok) return fill(place, failed(offer.error, look));
    offered = { games: offer.body.games, matches: past.ok ? past.body : [] };
    greeted = make("div", { class: "greeting" });
    fill(place, greeted);
    greet();
  }

  /** Add the standings of the evening after a match. */
  async function standings() {
    const asked = shown;
    const { ok, body } = await get("api/matches");
    const now = ok && shown === asked && evening(body);
    if (now) place.append(now);
  }

  /** Make the buttons after a game. */
  function again() {
    const rematch = async () => {
      const { ok, error } = await post("api/rematch", {});
      if (!ok) tell(error);
    };
    return make("div", { class: "again" },
      make("button", { type: "button", class: "send", "data-key": "rematch", onclick: once(rematch) }, say("Play again")),
      make("button", { type: "button", "data-key": "another", onclick: once(open) }, say("Another game")),
      table.raced && onTelevision());
  }

  /** Make the button that shows the last race on the television. */
  function onTelevision() {
    const ask = async () => {
      const { ok, error } = await post("api/slow-motion", {});
      if (!ok) tell(error);
    };
    return make("button", { type: "button", "data-key": "slow motion on TV", onclick: once(ask) }, say("Slow motion on TV"));
  }

  /** Make the button that leaves the match in play. */
  function exit() {
    const { id } = table.match;
    return confirmed("exit", say("Exit match"), say("Exit this match? You can resume it later."), async () => {
      const { ok, error } = await post("api/leave", { match: id });
      if (!ok) tell(error);
    });
  }

  /** Make the buttons that resume the newest matches that are not over. */
  function openMatches(matches) {
    const open = matches.filter((match) => match.open && !match.over && !match.error).slice(0, RESUMED);
    const resume = ({ id }) => once(async () => {
      const { ok, error } = await post("api/resume", { match: id });
      if (!ok) tell(error);
    });
    return open.length > 0 && make("fieldset", { class: "resume" }, make("legend", {}, say("Resume")), open.map((match) =>
      make("button", { type: "button", "data-key": `resume ${match.id}`, onclick: resume(match) },
        say("{game}: {names}", { game: match.title, names: match.players.map(({ name }) => name).join(", ") }))));
  }

  /** Ask the box what can be started, and show the form. */
  async function open() {
    const asked = shown;
    const [offer, names, past] = await Promise.all([get("api/games"), get("api/names"), get("api/matches")]);
    if (shown !== asked) return;
    if (!offer.ok) return fill(place, failed(offer.error, open));
    hosted = make("div");
    const before = [...(place.querySelector("form.start")?.elements ?? [])]; // of the same form in another language
    fill(place, form(offer.body, names.body?.names ?? [], past.ok ? past.body : []), past.ok ? openMatches(past.body) : failed(past.error, open));
    players.join(joined);
    host();
    enterAgain([...place.querySelector("form.start").elements], before);
  }

  function form({ games, last }, known, matches) {
    let game = games.find(({ game: id }) => id === last?.game) ?? fitting(games, joined)[0];
    let rules = null;
    const own = players = playersPart(last, known);
    const options = make("fieldset");
    const moderator = make("input", { list: "known", maxlength: 24, autocomplete: "off", value: last?.moderator, placeholder: say("nobody"), "data-key": "moderator" });
    const judge = make("label", { class: "option-row" }, make("span", {}, say("Moderator, who judges and does not play")), moderator);
    const choose = (chosen) => {
      game = chosen;
      rules = rulesPart(game, options);
      own.play(game);
      judge.hidden = !game.judged;
    };
    const start = async () => {
      const who = game.judged && { moderator: moderator.value };
      const { ok, error } = await post("api/start", { game: game.game, ...own.chosen(), ...rules.chosen(), ...who });
      if (!ok) tell(error);
    };
    const starting = once(start);
    const button = make("button", { class: "send", "data-key": "start" }, say("Start"));
    const submit = (event) => {
      event.preventDefault();
      starting({ currentTarget: button });
    };
    choose(game);
    return make("form", { class: "start", novalidate: true, autocomplete: "off", onsubmit: submit },
      make("h2", { tabindex: -1 }, say("Start a match")),
      firstTime(),
      make("fieldset", { class: "games cards" }, make("legend", {}, say("Game")), fitting(games, joined).map((one) => make("label", { class: "choice" },
        make("input", { type: "radio", name: "game", value: one.game, "data-key": `game ${one.game}`, checked: one === game, onchange: () => choose(one) }),
        cardOf(one, joined, matches)))),
      own.element, judge, hosted, options, button,
      make("p", { class: "more" }, make("a", { href: "#past" }, say("Past matches"))));
  }

  return show;
}

/** Enter in the fields of a form what is in those of the same form before: first choices, on which other fields depend. */
function enterAgain(fields, before) {
  for (const { name, dataset } of before.filter(({ type, checked }) => type === "radio" && checked)) {
    const one = fields[0]?.form.querySelector(`[name="${name}"][data-key="${dataset.key}"]`);
    if (one && !one.checked) one.click();
  }
  const fixed = (some) => some.filter(({ type }) => type !== "radio"); // there may be more games and rule sets than before
  const old = fixed(before);
  const places = fixed([...(fields[0]?.form.elements ?? [])]).map((one, at) => [one, old[at]]).filter(([one, other]) => other?.localName === one.localName);
  for (const [one, old] of places) {
    if (!["text", "number"].includes(one.type) || one.value === old.value) continue;
    one.value = old.value;
    one.dispatchEvent(new Event("input"));
  }
  for (const [one, old] of places) if (one.type === "checkbox" && one.checked !== old.checked) one.click();
  for (const [one, old] of places) {
    if (one.type !== "select-one" || one.selectedIndex === old.selectedIndex) continue;
    one.selectedIndex = old.selectedIndex; // their texts are in the other language
    one.dispatchEvent(new Event("change"));
  }
}

/** Return what the view shows: the form, how to exit, the buttons after a game, that others start one, the games, or nothing. */
function stage(match, me) {
  if (me?.role === "referee") return !match ? "form" : match.over ? "again" : "play";
  if (match && !match.over) return "";
  return match ? "wait" : "look";
}
