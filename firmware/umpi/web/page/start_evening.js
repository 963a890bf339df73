// The standings of the evening: who has won how many of its matches.

import { make } from "./make.js";
import { say } from "./words.js";

const EVENING_MS = 12 * 3_600_000;

/** Return who has won how often among the past `matches` of the hours before the last one, null unless there were several. */
export function evening(matches) {
  const noted = matches.filter(({ over, ended }) => over && ended).map((match) => ({ ...match, at_ms: Number(new Date(match.ended)) }));
  const last_ms = Math.max(...noted.map(({ at_ms }) => at_ms)); // by the notes of the journal alone: clocks may be wrong
  const played = noted.filter(({ at_ms }) => last_ms - at_ms < EVENING_MS);
  if (played.length < 2) return null;
  const tally = new Map();
  for (const { players, winners } of played) {
    for (const { seat, name } of players) {
      const { won, of } = tally.get(name) ?? { won: 0, of: 0 };
      tally.set(name, { won: won + winners.includes(seat), of: of + 1 });
    }
  }
  const order = [...tally].sort(([, one], [, other]) => other.won - one.won || one.of - other.of);
  return make("section", { class: "evening" }, make("h2", {}, say("This evening")), make("ol", { class: "standings" }, order.map(([name, { won, of }]) =>
    make("li", {}, make("span", { class: "name" }, name), make("span", { class: "points" }, say("{won} of {of} won", { won, of }))))));
}
