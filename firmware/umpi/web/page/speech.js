// Aloud: the browser speaks the question, the calls and, on request, where the match is, in the language of the box.
//
// It speaks only what the whole table hears: never the fields of a question, nor what is beside a score or a hand.

import { cannotSpeak, synthesis, utter, voice } from "./voice.js";
import { say } from "./words.js";

const KEPT = "umpi aloud"; // in the storage of this device

/** Let `toggle` switch the voice on and off, and `where` tell where the match is; `tell(text)` shows a text. */
export function speaker(toggle, where, tell) {
  let on = Boolean(synthesis) && kept();
  let table = null;
  let asked = ""; // the question that was spoken or shown last
  let warned = false;

  toggle.hidden = !synthesis;
  toggle.addEventListener("click", switchOver);
  where.addEventListener("click", () => {
    const texts = standing(table);
    tell(texts.join(" ")); // a screen reader reads it
    if (on) speak(texts);
  });
  show();

  function show() {
    toggle.setAttribute("aria-pressed", String(on));
  }

  async function switchOver() {
    on = !on;
    keep(on);
    show();
    if (!on) return synthesis.cancel();
    if (!(await voice())) {
      on = false;
      keep(on);
      show();
      return tell(cannotSpeak());
    }
    if (on) speak([asked]);
  }

  /** Speak texts in place of what is being spoken. */
  async function speak(texts) {
    synthesis.cancel();
    const chosen = await voice();
    if (!chosen || !on) return;
    utter(texts, chosen, warn);
  }

  function warn() {
    if (!warned) tell(say("Tap this page once, so that it may speak."));
    warned = true;
  }

  /** Take each document with its `news`; speak the calls, and the question if it has changed. */
  function hear(document, news) {
    const first = !table;
    table = document;
    const question = questionOf(document);
    const texts = [...(news?.calls ?? []), ...(question === asked ? [] : [question])].filter(Boolean);
    asked = question;
    if (on && !first && texts.length) speak(texts);
  }

  return hear;
}

/** Return what the next person must do, for the ear; a doubt comes first. */
function questionOf({ match, doubt, now }) {
  if (!match || match.over) return "";
  return doubt ? doubt.text : now?.voice ?? "";
}

/** Return the game, what the next person must do, and the scores, the leader's first, each as a sentence. */
function standing(table) {
  const match = table?.match;
  if (!match) return [say("No active match. Start one at the box, or on the referee’s phone.")];
  const order = match.players.toSorted((one, other) => (match.ranks?.[one.seat] ?? 0) - (match.ranks?.[other.seat] ?? 0));
  const scores = order.map(({ seat, name }) => `${name}: ${match.scores[seat] ?? say("hidden until the end")}.`);
  return [say("Game: {game}.", { game: match.title }), match.over ? `${verdict(match.over, match.players)}.` : questionOf(table), ...scores].filter(Boolean);
}

function verdict({ winners }, players) {
  if (!winners.length) return say("All lose");
  const names = winners.map((seat) => players[seat].name).join(" & ");
  return winners.length > 1 ? say("{names} win", { names }) : say("{names} wins", { names });
}

function kept() {
  try {
    return localStorage.getItem(KEPT) === "on";
  } catch {
    return false; // the browser keeps nothing for this page
  }
}

function keep(on) {
  try {
    localStorage.setItem(KEPT, on ? "on" : "off");
  } catch {
    // the browser keeps nothing for this page: the choice is valid until it is closed
  }
}
