// Aloud: the browser speaks the question, the calls and, on request, the scores, in the language of the box.
//
// It speaks only what the whole table hears: never the fields of a question, nor what is beside a score or a hand.

import { titleOf } from "./sentence.js";
import { say } from "./words.js";

const KEPT = "umpi aloud"; // in the storage of this device
const VOICES_MS = 2000; // some browsers find their voices late

/** Let `toggle` switch the voice on and off, and `scores` speak the scores; `tell(text)` shows why it is silent. */
export function speaker(toggle, scores, tell) {
  const synthesis = globalThis.speechSynthesis;
  let on = Boolean(synthesis) && kept();
  let table = null;
  let asked = ""; // the question that was spoken or shown last
  let warned = false;

  toggle.hidden = !synthesis;
  toggle.addEventListener("click", switchOver);
  scores.addEventListener("click", () => speak(standing(table)));
  show();

  function show() {
    toggle.setAttribute("aria-pressed", String(on));
    scores.hidden = !on;
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
      const language = document.documentElement.lang;
      return tell(say("This device has no voice for this language: {language}.", { language: new Intl.DisplayNames([language], { type: "language" }).of(language) }));
    }
    if (on) speak([asked]);
  }

  /** Speak texts in place of what is being spoken. */
  async function speak(texts) {
    synthesis.cancel();
    const chosen = await voice();
    if (!chosen || !on) return;
    synthesis.cancel();
    for (const text of texts.filter(Boolean)) {
      const one = new SpeechSynthesisUtterance(text);
      [one.voice, one.lang] = [chosen, chosen.lang];
      one.addEventListener("error", ({ error }) => error === "not-allowed" && warn());
      synthesis.speak(one);
    }
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

  /** Return the voice of this device for the language of the box. */
  async function voice() {
    if (!synthesis.getVoices().length) await found(synthesis);
    const language = document.documentElement.lang;
    const voices = synthesis.getVoices().filter(({ lang }) => lang.toLowerCase().split(/[-_]/)[0] === language);
    return voices.find((one) => one.default) ?? voices.find((one) => one.localService) ?? voices[0];
  }

  return hear;
}

function found(synthesis) {
  return new Promise((resolve) => {
    synthesis.addEventListener("voiceschanged", resolve, { once: true });
    setTimeout(resolve, VOICES_MS);
  });
}

/** Return the question as it is spoken: who must answer, and what is asked. */
function questionOf({ match, question, doubt }) {
  if (!match || match.over) return "";
  if (doubt) return doubt.text;
  const name = match.players[match.turn]?.name ?? "";
  const title = question ? titleOf(question) : "";
  return name && title && !title.includes(name) ? `${name}. ${title}` : title;
}

/** Return the scores as they are spoken, the leader's first. */
function standing({ match }) {
  if (!match) return [say("No game running. Start one at the box, or on the referee’s phone.")];
  const order = match.players.toSorted((one, other) => (match.ranks?.[one.seat] ?? 0) - (match.ranks?.[other.seat] ?? 0));
  return order.map(({ seat, name }) => `${name}: ${match.scores[seat] ?? say("hidden until the end")}.`);
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
