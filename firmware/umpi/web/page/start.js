// Games from the referee's phone: start one by its players and rules, resume one, play again, and exit.

import { confirmed } from "./confirm.js";
import { hosting } from "./joining.js";
import { fill, make } from "./make.js";
import { get, once, post } from "./send.js";
import { playersPart } from "./start_players.js";
import { rulesPart } from "./start_rules.js";
import { say } from "./words.js";

const RESUMED = 3; // of the matches that are not over, the newest

/** Show in `place` how the referee's phone starts a game, and how it plays again. `tell(text)` shows a message. */
export function startView(place, tell) {
  let shown = "";
  let joined = []; // the names that phones gave
  let players = null; // the part of the form that is open
  let hosted = null; // the part of the form about joining
  let table = null; // the last document

  function show(document, me) {
    table = document;
    const { match, joined: names } = document;
    const key = `${stage(match, me)} ${match?.id ?? ""}`;
    joined = names;
    if (key !== shown) {
      shown = key;
      render(stage(match, me));
    }
    players?.join(joined);
    host();
  }

  /** Show in the form how players join. */
  function host() {
    const now = JSON.stringify(table.joining);
    if (!hosted || hosted.dataset.shown === now) return;
    hosted.dataset.shown = now;
    fill(hosted, hosting(table.joining, tell));
  }

  function render(what) {
    const left = place.contains(document.activeElement);
    players = hosted = null;
    if (what === "play") return fill(place, exit());
    if (what === "form") return open();
    if (what === "again") return fill(place, again());
    fill(place, what === "wait" && make("p", { class: "asks" }, say("The referee’s phone or the box starts the next game.")));
    if (left) document.querySelector("#question h2")?.focus();
  }

  /** Make the buttons after a game. */
  function again() {
    const rematch = async () => {
      const { ok, error } = await post("api/rematch", {});
      if (!ok) tell(error);
    };
    return make("div", { class: "again" },
      make("button", { type: "button", class: "send", "data-key": "rematch", onclick: once(rematch) }, say("Play again")),
      make("button", { type: "button", "data-key": "another", onclick: once(open) }, say("Another game")));
  }

  /** Make the button that leaves the match in play. */
  function exit() {
    const { id } = table.match;
    return confirmed("exit", say("Exit game"), say("Exit this game? You can resume it later."), async () => {
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
    if (!offer.ok) {
      return fill(place, make("p", { class: "objection", role: "status" }, offer.error),
        make("button", { type: "button", "data-key": "retry", onclick: once(open) }, say("Try again")));
    }
    hosted = make("div");
    fill(place, form(offer.body, names.body?.names ?? []), openMatches(past.ok ? past.body : []));
    players.join(joined);
    host();
  }

  function form({ games, last }, known) {
    let game = games.find(({ game: id }) => id === last?.game) ?? games[0];
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
      make("h2", { tabindex: -1 }, say("Start a game")),
      make("fieldset", { class: "games" }, make("legend", {}, say("Game")), games.map((one) => make("label", { class: "choice" },
        make("input", { type: "radio", name: "game", value: one.game, checked: one === game, onchange: () => choose(one) }),
        make("span", {}, one.title, make("small", {}, say("Players: {numbers}", { numbers: numbers(one) })))))),
      own.element, judge, hosted, options, button,
      make("p", { class: "more" }, make("a", { href: "#learn" }, say("Learn a game")), make("a", { href: "#past" }, say("Past matches"))));
  }

  return show;
}

/** Return what the view shows: the form, how to exit, the buttons after a game, that others start one, or nothing. */
function stage(match, me) {
  if (me?.role === "referee") return !match ? "form" : match.over ? "again" : "play";
  if (match && !match.over) return "";
  return match && me ? "wait" : "";
}

/** Return the possible numbers of players: "2–6". */
function numbers({ seats }) {
  return seats.length > 1 ? `${seats[0]}–${seats.at(-1)}` : String(seats[0]);
}
