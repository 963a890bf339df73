// Dudab Buba: the deck, the columns on their way to the last card, what is asked for, and the hands and piles.

import { SYMBOLS } from "../pieces.js";
import { say } from "../words.js";
import { board, card, circle, deck, group, hand, keysOf, path, pile, rect, shape, sizeOfNames, text, times } from "./shapes.js";

/** Draw a match of Dudab Buba. */
export function dudabBuba({ facts, players, turn }, small) {
  const { deck: left, columns, hands, piles, request, request_column: asked, column_length: full } = facts;
  const [width, height] = small ? [360, 300] : [640, 400];
  const [pad, back, top, foot] = small ? [12, 36, 22, 66] : [24, 62, 34, 98];
  const from = pad + back + (small ? 18 : 34);
  const wide = (width - pad - from) / columns.length;
  const each = (width - 2 * pad) / players.length;
  const size = Math.min(small ? 21 : 32, each * 0.25);
  const names = sizeOfNames(players, size * 0.6, Math.min(each - size * 0.9, size * 6.4) - size * 1.9);
  const keys = keysOf(columns.flatMap(cardsOf));
  let used = 0;
  const drawn = columns.map((column, nth) => {
    const own = cardsOf(column);
    const mine = keys.slice(used, (used += own.length));
    return columnOf(own, mine, column.stack, nth === asked ? request : null, from + nth * wide, top, wide, height - foot - top - (small ? 8 : 14), full, small);
  });
  const said = columns.map((column, nth) => say("column {number}: {cards} of {full} cards", { number: nth + 1, cards: cardsOf(column).length + column.stack, full })).join(", ");
  return board("dudab", [width, height], say("Cards in the deck: {left}; {columns}.", { left, columns: said }),
    deck(left, pad, top + 6, back, small ? 13 : 19), drawn,
    players.map((player, nth) => {
      const [x, y] = [pad + nth * each, height - foot + (small ? 6 : 8)];
      const right = x + Math.min(each - size * 0.9, size * 6.4);
      return [
        hand(player, hands[player.seat], x, y, right - x, size, names, turn === player.seat ? "acts" : ""),
        pile(right - size * 1.5, y + size * 2.05, size * 0.46),
        text(right, y + size * 2.25, size * 0.62, piles[player.seat], "end soft"),
      ];
    }));
}

/** Return the cards of a column in the order in which they lie; a jungle lies between those above and below it. */
const cardsOf = ({ above, jungle, below }) => [...above, ...(jungle ? ["jungle"] : []), ...below];

function columnOf(cards, keys, stack, request, x, top, wide, height, full, small) {
  const cardWide = Math.min(wide * (small ? 0.5 : 0.46), (height * 0.58) / 1.4);
  const places = Math.max(full, cards.length);
  const fan = (height - cardWide * 1.4) / Math.max(places - 1, 1);
  const count = cards.length + stack;
  const pipX = x + cardWide + (small ? 10 : 16);
  const pip = Math.min(height / (full + 1.6), small ? 15 : 24);
  return [
    cards.length < full && rect("slot", x, top + fan * cards.length, cardWide, cardWide * 1.4, cardWide * 0.1),
    cards.map((value, nth) => card(keys[nth], value, x, top + fan * nth, cardWide, nth === cards.length - 1 ? "newest" : "")),
    times(full, (nth) => circle(nth < count ? `pip b-past ${count < full ? "" : "b-full"}` : "pip", pipX, top + pip * (nth + 0.5), pip * 0.34)),
    text(pipX - pip * 0.4, top + pip * full + pip * 0.9, small ? 12 : 17, `${count}/${full}`, `start ${count < full ? "soft" : "gold"}`),
    request && wish(request, pipX + pip * 0.9, top + (small ? 12 : 24), Math.min(wide - cardWide - (small ? 24 : 40), small ? 46 : 84), small),
  ];
}

/** Draw what a dudab asks for, as a speech bubble: a value, a colour or a symbol. */
function wish(request, x, y, size, small) {
  const [kind, wanted] = request.split(":");
  const tail = size * 0.14;
  const inside = kind === "symbol"
    ? shape("path", { class: "b-wished", d: SYMBOLS[wanted], transform: `translate(${(size * 0.2).toFixed(1)} ${(size * 0.17).toFixed(1)}) scale(${(size * 0.006).toFixed(3)})` })
    : kind === "colour"
      ? group(`b-ink-${wanted}`, size / 2, size * 0.47, circle("swatch", 0, 0, size * 0.3), text(0, size * 0.07, size * 0.2, say(wanted), "on-ink strong", size * 0.54))
      : text(size / 2, size * 0.7, size * 0.62, wanted, "on-gold strong");
  return group("b-wish", x, y, path("bubble", `M6 0H${size - 6}a6 6 0 0 1 6 6V${size - 12}a6 6 0 0 1 -6 6H6a6 6 0 0 1 -6 -6V${size * 0.62}l${-tail} ${-size * 0.1}l${tail} ${-size * 0.1}V6a6 6 0 0 1 6 -6Z`), inside);
}

/** Return the pieces that a call is about. */
export const ofDudabBuba = ({ kind, seat }) => (kind === "taken" || kind === "request" ? [`hand-${seat}`] : []);
