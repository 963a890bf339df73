// The voices of this device, which speak in the language of the box.

import { say, spoken } from "./words.js";

const VOICES_MS = 2000; // some browsers find their voices late

/** The browser's own speech, undefined where it has none. */
export const synthesis = globalThis.speechSynthesis;

/** Return the voice of this device for the language of the box, undefined if it has none. */
export async function voice() {
  if (!synthesis.getVoices().length) await found();
  const voices = synthesis.getVoices().filter(({ lang }) => lang.toLowerCase().split(/[-_]/)[0] === spoken());
  return voices.find((one) => one.default) ?? voices.find((one) => one.localService) ?? voices[0];
}

/** Speak texts in place of what is being spoken; `refused()` is called if the browser waits for a tap first. */
export function utter(texts, chosen, refused) {
  synthesis.cancel();
  for (const text of texts.filter(Boolean)) {
    const one = new SpeechSynthesisUtterance(text);
    [one.voice, one.lang] = [chosen, chosen.lang];
    one.addEventListener("error", ({ error }) => error === "not-allowed" && refused());
    synthesis.speak(one);
  }
}

/** Return that this device has no voice for the language of the box. */
export function cannotSpeak() {
  const language = new Intl.DisplayNames([spoken()], { type: "language" }).of(spoken());
  return say("This device has no voice for this language: {language}.", { language });
}

function found() {
  return new Promise((resolve) => {
    synthesis.addEventListener("voiceschanged", resolve, { once: true });
    setTimeout(resolve, VOICES_MS);
  });
}
