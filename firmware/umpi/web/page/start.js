// Starting a game from the referee's phone: the game, its players, its rules, and one large button.

import { fill, make } from "./make.js";
import { get, once, post } from "./send.js";
import { playersPart } from "./start_players.js";
import { rulesPart } from "./start_rules.js";
import { say } from "./words.js";

/** Show in `place` how the referee's phone starts a game, and how it plays again. `tell(text)` shows a message. */
export function startView(place, tell) {
  let shown = "";
  let joined = []; // the names that phones gave
  let players = null; // the part of the form that is open

  function show({ match, joined: names }, me) {
    const key = `${stage(match, me)} ${match?.id ?? ""}`;
    joined = names;
    if (key !== shown) {
      shown = key;
      render(stage(match, me));
    }
    players?.join(joined);
  }

  function render(what) {
    const left = place.contains(document.activeElement);
    players = null;
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

  /** Ask the box what can be started, and show the form. */
  async function open() {
    const asked = shown;
    const [offer, names] = await Promise.all([get("api/games"), get("api/names")]);
    if (shown !== asked) return;
    if (!offer.ok) {
      return fill(place, make("p", { class: "objection", role: "status" }, offer.error),
        make("button", { type: "button", "data-key": "retry", onclick: once(open) }, say("Try again")));
    }
    fill(place, form(offer.body, names.body?.names ?? []));
    players.join(joined);
  }

  function form({ games, last }, known) {
    let game = games.find(({ game: id }) => id === last?.game) ?? games[0];
    let rules = null;
    const own = players = playersPart(last, known);
    const options = make("fieldset");
    const choose = (chosen) => {
      game = chosen;
      rules = rulesPart(game, options);
      own.play(game);
    };
    const start = async () => {
      const { ok, error } = await post("api/start", { game: game.game, ...own.chosen(), ...rules.chosen() });
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
      own.element, options, button,
      make("p", { class: "more" }, make("a", { href: "#learn" }, say("Learn a game")), make("a", { href: "#past" }, say("Past matches"))));
  }

  return show;
}

/** Return what the view shows: the form, the buttons after a game, that others start the next one, or nothing. */
function stage(match, me) {
  if (match && !match.over) return "";
  if (me?.role === "referee") return match ? "again" : "form";
  return match && me ? "wait" : "";
}

/** Return the possible numbers of players: "2–6". */
function numbers({ seats }) {
  return seats.length > 1 ? `${seats[0]}–${seats.at(-1)}` : String(seats[0]);
}
