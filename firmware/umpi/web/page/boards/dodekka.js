// Dodekka: the deck, the line of cards, its sum against the limit, and how many cards each player holds.

import { faceOf } from "../pieces.js";
import { say } from "../words.js";
import { board, card, deck, hand, keysOf, path, rect, shape, sizeOfNames, stone, text } from "./shapes.js";

const BEYOND = 6; // points after the limit that the bar has at least

/** Draw a match of Dodekka. */
export function dodekka(match, small) {
  const { facts, players, turn, phase } = match;
  if (!facts.line || (phase === "over" && facts.hands.some(({ length }) => length))) return finalHands(match, small); // without a line, only hands are entered
  const { line, total, limit, deck: left, held, bust } = facts;
  const [width, height] = small ? [360, 270] : [640, 400];
  const [pad, back, y] = small ? [14, 44, 20] : [30, 80, 36];
  const from = pad + back + (small ? 22 : 40);
  const wide = back * 1.1;
  const step = Math.min(wide + (small ? 5 : 9), (width - pad - from - wide) / (line.length - 1));
  const each = (width - 2 * pad) / players.length;
  const size = Math.min(small ? 22 : 34, each * 0.28);
  const names = sizeOfNames(players, size * 0.6, each - 8);
  return board("dodekka", [width, height], say("Points in the line: {total} of {limit}. Cards in the line: {cards}. Cards in the deck: {left}.", { cards: line.length, total, limit, left }),
    deck(left, pad, y + wide * 0.14, back, small ? 14 : 20),
    path("dots", `M${from} ${y + wide * 0.7}H${width - pad}`),
    keysOf(line).map((key, nth) => card(key, line[nth], from + nth * step, y, wide, nth === line.length - 1 ? "newest" : "")),
    line.length > 0 && path("pointer", `M${from + wide * 0.4} ${y + wide * 1.4 + (small ? 12 : 18)}l${wide * 0.1} ${-wide * 0.12}l${wide * 0.1} ${wide * 0.12}Z`),
    gauge(line, total, limit, pad, small ? 128 : 206, width - 2 * pad, small ? 26 : 42, small),
    players.map((player, nth) => hand(player, held[player.seat], pad + nth * each, height - (small ? 62 : 98), each - 6, size, names, bust === player.seat ? "lucky" : turn === player.seat ? "acts" : "")),
  );
}

/** Draw the hands at the end, a row each: the element that counts comes first and lies higher. Of sums, there are no cards. */
function finalHands({ facts: { hands, suits }, players, scores }, small) {
  const [width, height] = small ? [360, 270] : [640, 400];
  const pad = small ? 12 : 24;
  const high = (height - pad) / players.length;
  const wide = Math.min(high * 0.56, small ? 34 : 62);
  const from = pad + wide * 1.1;
  const keys = keysOf(hands.flat());
  let used = 0;
  return board("dodekka", [width, height], say("Points: {who}.", { who: players.map(({ seat, name }) => `${name} ${scores[seat]}`).join(", ") }),
    players.map(({ seat, button }, nth) => {
      const mine = hands[seat].map((value, one) => ({ value, key: keys[used + one], counts: value.startsWith(`${suits[seat]}-`) }));
      used += mine.length;
      mine.sort((one, other) => other.counts - one.counts || one.value.localeCompare(other.value));
      const step = Math.min(wide * 0.8, (width - pad - from - wide * 2.5) / Math.max(mine.length - 1, 1));
      const y = pad / 2 + high * nth;
      return [
        stone(`hand-${seat}`, button, pad + wide * 0.4, y + high / 2, Math.min(wide * 0.4, high * 0.4)),
        mine.map(({ value, key, counts }, one) => card(key, value, from + one * step, y + high * (counts ? 0.06 : 0.16), wide)),
        text(width - pad, y + high / 2 + wide * 0.28, wide * 0.76, scores[seat], "end gold"),
      ];
    }));
}

/** Draw the sum of the line: a part for each card, in its ink, up to the limit and beyond it. */
function gauge(line, total, limit, x, y, width, height, small) {
  const unit = width / Math.max(limit + BEYOND, total + 1);
  const end = x + limit * unit;
  const size = small ? 14 : 21;
  let sum = 0;
  const parts = line.map((value) => {
    const { number, ink } = faceOf(value);
    const [at, points] = [x + sum * unit, Number(number)];
    sum += points;
    return points > 0 && shape("g", { class: `b-ink-${ink}` }, rect("part", at + 1.5, y + 3, points * unit - 3, height - 6, 4), text(at + (points * unit) / 2, y + height * 0.5 + size * 0.36, size, number, "on-ink strong"));
  });
  return [
    rect("bed", x, y, end - x, height, 5), rect("beyond", end, y, x + width - end, height, 5),
    total <= limit && text((end + x + width) / 2, y + height * 0.5 + size * 0.34, size * 0.9, say("bust"), "on-beyond strong", x + width - end - 8), parts,
    path("limit", `M${end.toFixed(1)} ${y - 7}v${height + 14}`), text(end, y + height + (small ? 21 : 32), size, limit, "strong"),
    text(x + width, y + height + (small ? 22 : 34), size * 1.35, `${total}/${limit}`, total > limit ? "end danger" : "end gold"),
  ];
}

/** Return the pieces that a call is about. */
export const ofDodekka = ({ kind, seat }) => (kind === "bust" ? [`hand-${seat}`] : []);
