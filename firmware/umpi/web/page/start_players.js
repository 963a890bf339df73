// The players of a game that starts: who plays at which button, their names, and who begins.

import { whoPlays } from "./levels.js";
import { fill, make } from "./make.js";
import { BUTTONS, nameOf, mark } from "./seats.js";
import { say } from "./words.js";

const RANDOM = "random";

/** Make the fields of the players: those of the `last` table at first, and names that the box knows to choose from. */
export function playersPart(last, known) {
  const rows = BUTTONS.map((_, button) => row(button, changed));
  const first = make("select", { name: "first" });
  const begins = make("label", { class: "option-row" }, make("span", {}, say("Who starts?")), first);
  let game = null;
  for (const { button, name, level } of last?.players ?? []) rows[button].put(level ? "" : name, level);

  function changed() {
    const chosen = first.value;
    const playing = rows.filter((one) => one.plays);
    fill(first, playing.map((one) => make("option", { value: BUTTONS[one.button] }, one.label)), make("option", { value: RANDOM }, say("random")));
    first.value = [...first.options].some(({ value }) => value === chosen) ? chosen : first.options[0].value;
    begins.hidden = !game?.chooses_first || playing.length < 2;
  }

  return {
    element: make("fieldset", { class: "players" }, make("legend", {}, say("Players")),
      make("ul", {}, rows.map((one) => one.element)), make("datalist", { id: "known" }, known.map((name) => make("option", { value: name }))), begins),

    /** Let the game be another one; before anybody has chosen, as many play as it needs. */
    play(chosen) {
      game = chosen;
      const missing = game.seats[0] - rows.filter((one) => one.plays).length;
      if (!rows.some((one) => one.touched)) for (const one of rows.filter((one) => !one.plays).slice(0, Math.max(0, missing))) one.put("");
      for (const one of rows) one.allow(game.empty_seat);
      changed();
    },

    /** Fill in the players that have joined with their phones. */
    join(names) {
      for (const { button, name } of names) if (!rows[button].touched) rows[button].put(name);
      changed();
    },

    /** Return the players as the box expects them. */
    chosen() {
      const players = rows.filter((one) => one.plays).map(({ button, name, level }) => ({ button: BUTTONS[button], name, ...(level && { level }) }));
      const drawn = players[Math.floor(Math.random() * players.length)]?.button;
      const starts = first.value === RANDOM ? drawn : first.value;
      return begins.hidden || !starts ? { players } : { players, first: starts };
    },
  };
}

/** Make the row of a button: whether somebody plays there, and their name. */
function row(button, changed) {
  const plays = make("input", { type: "checkbox", "data-key": `plays ${button}`, onchange: touch });
  const name = make("input", {
    "data-key": `name ${button}`, list: "known", maxlength: 24, autocomplete: "off", placeholder: nameOf(button), "aria-label": say("Name: {seat}", { seat: nameOf(button) }),
    oninput: () => { plays.checked = true; touch(); },
  });
  const who = whoPlays({
    "data-key": `level ${button}`, "aria-label": say("Who plays {seat}?", { seat: nameOf(button) }),
    onchange: () => { plays.checked = true; touch(); },
  });
  let touched = false;

  function look() {
    [name.hidden, who.element.hidden] = [Boolean(who.level), !plays.checked];
  }

  function touch() {
    touched = true;
    look();
    changed();
  }

  return {
    button,
    element: make("li", {}, make("label", {}, plays, mark(button), make("span", { class: "name" }, nameOf(button))), name, who.element),
    put(text, level = "") {
      [plays.checked, name.value, who.level] = [true, text.toLowerCase() === nameOf(button).toLowerCase() ? "" : text, level];
      look();
    },
    /** Let the box play here, unless `why` says that it cannot. */
    allow(why) {
      [who.element.disabled, who.element.title] = [Boolean(why), why];
      if (why) who.level = "";
      look();
    },
    get plays() { return plays.checked; },
    get touched() { return touched; },
    get level() { return who.level; },
    get name() { return who.level ? "" : name.value.trim(); },
    get label() { return who.level ? who.element.selectedOptions[0].textContent : name.value.trim() || nameOf(button); },
  };
}
