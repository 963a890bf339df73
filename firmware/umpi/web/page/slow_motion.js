// Slow motion on request: the television shows the last race once more when the box or the referee's phone asks for it.

import { run } from "./photo.js";

const SHOWN_MS = 12_000; // the motion lasts half as long, then the picture stands still

/**
 * Return a function that takes each document and returns what a television shows: {shown, fresh}.
 *
 * `shown` is the document, or that race in its place until `over()` is called. `fresh` is whether it has just been asked for.
 */
export function slowMotion(over) {
  let known = ""; // the boot whose requests are counted
  let last = 0; // the number of the last request; the first document has nothing new
  let race = null;
  let timer = 0;

  return (document) => {
    const { boot, slow_motion: asked } = document;
    if (boot !== known) [known, last] = [boot, asked?.number ?? 0];
    const fresh = Boolean(asked) && asked.number !== last;
    if (fresh) {
      [last, race] = [asked.number, asked.race];
      clearTimeout(timer);
      timer = setTimeout(() => {
        race = null;
        over();
      }, SHOWN_MS);
    }
    if (!asked) race = null; // somebody has answered
    return { fresh, shown: race ? { ...document, race, seen: { order: race.arrivals }, doubt: null } : document };
  };
}

/** Let the picture in `place` move; it stands still for those who want no motion. */
export function runIn(place) {
  const finish = place.querySelector(".finish");
  if (finish) run(finish);
}
