// Battledodes: the fields and the dead zone of both sides, the wall between them, the dodes, and the points to the target.

import { say } from "../words.js";
import { board, cluster, die, group, path, rect, seatLook, sizeOfNames, stone, text } from "./shapes.js";

// Where each hexagon lies on the left side, in widths of a hexagon from the middle; the right side is its mirror.
const PLACES = { 1: [0.87, -0.5], 2: [0.87, 0.5], 3: [-0.87, -0.5], 4: [-0.87, 0.5], 5: [0, 0] };

/** Draw a match of Battledodes. */
export function battledodes({ facts, players, scores }, small) {
  const { dodes, pending, multipliers, target, turn } = facts;
  const [width, height] = small ? [360, 262] : [640, 400];
  const [pad, hex] = small ? [10, 56] : [20, 102];
  const side = width / 2 - (small ? 14 : 24);
  const who = players.map(({ seat, name }) => `${name} ${scores[seat]} +${pending[seat]}`).join(", ");
  return board("battledodes", [width, height], say("Points: {who}. Goal: {target}.", { target, who }),
    players.map((player) => half(player, dodes[player.seat], { multipliers, width, side, pad, hex, small, height, acts: turn === player.seat })),
    players.map((player) => points(player, scores[player.seat], pending[player.seat], target, width, side, pad, height, small)),
    rect("wall", width / 2 - (small ? 5 : 8), small ? 40 : 58, small ? 10 : 16, small ? 148 : 232, 3),
    path("grain", small ? "M180 52v124" : "M318 70v206M323 84v180"));
}

function half(player, dodes, { multipliers, width, side, pad, hex, small, acts }) {
  const { seat, name, button } = player;
  const mirror = seat === 1;
  const place = (x) => (mirror ? width - x : x);
  const [middle, centre] = [pad + (side - pad) / 2, small ? 112 : 174];
  const r = hex * 0.235;
  const spot = (number) => [place(middle + PLACES[number][0] * hex * 0.93), centre + PLACES[number][1] * hex * 0.93];
  const dead = small ? { y: 194, height: 30 } : { y: 302, height: 48 };
  const lies = (number) => dodes.filter((one) => one.at === "board" && one.hex === number);
  const dode = (one, x, y, size, look = "") => die(`dode-${seat}-${one.dode}`, one.face ?? "", x, y, size, button, look);
  const away = dodes.filter((one) => one.at !== "board");
  const font = small ? 14 : 22;
  const size = sizeOfNames([player], font, side - pad - font * 2 - away.length * font * 1.3);
  return [
    stone(`seat-${seat}`, button, place(pad + font * 0.7), small ? 20 : 30, font * 0.7, acts ? "acts" : ""),
    size > 0 && text(place(pad + font * 1.75), small ? 25 : 38, size, name, mirror ? "end strong" : "start strong"), // else the scores have it
    away.map((one, nth) => dode(one, place(side - font * 0.5 - nth * font * 1.35), small ? 20 : 30, font * 0.62, one.at === "hand" ? "" : "away")),
    Object.keys(PLACES).map(Number).map((number) => {
      const [x, y] = spot(number);
      const here = lies(number);
      return [
        path("hex", hexagon(x, y, hex * 0.52)),
        text(x, y - hex * 0.24, small ? 10 : 16, `×${multipliers[number]}`, "soft strong"),
        cluster(here.length, r).map(([dx, dy, size], nth) => dode(here[nth], x + dx, y + hex * 0.09 + dy, size, acts ? "acts" : "")),
      ];
    }),
    rect("dead", mirror ? width - side : pad, dead.y, side - pad, dead.height, 8),
    text(place(pad + 10), dead.y + dead.height / 2 + (small ? 4 : 5), small ? 10 : 14, "×0", mirror ? "end soft" : "start soft"),
    lies(0).map((one, nth) => dode(one, place(pad + (small ? 44 : 76) + nth * r * 2.2), dead.y + dead.height / 2, Math.min(r, dead.height * 0.42))),
  ];
}

const hexagon = (x, y, r) => `M${[0, 1, 2, 3, 4, 5].map((nth) => `${(x + r * Math.cos((nth * Math.PI) / 3)).toFixed(1)} ${(y + r * Math.sin((nth * Math.PI) / 3)).toFixed(1)}`).join("L")}Z`;

/** Draw the points of a seat towards the target, with those that its dodes bring at its next turn. */
function points({ seat, button }, score, coming, target, width, side, pad, height, small) {
  const [y, high] = [height - (small ? 28 : 38), small ? 18 : 26];
  const size = small ? 13 : 19;
  const mirror = seat === 1;
  const room = side - pad - size * 4.6;
  const from = mirror ? width - pad - room : pad;
  const share = (number) => (room * Math.min(Math.max(number, 0), target)) / target;
  const bar = (look, at, long) => rect(look, mirror ? from + room - at - long : from + at, y, long, high, 4);
  return group(seatLook(button), 0, 0,
    bar("bed", 0, room),
    bar("coming", share(score), share(score + coming) - share(score)),
    bar("gained", 0, share(score)),
    text(mirror ? from - 6 : from + room + 6, y + high * 0.5 + size * 0.36, size, `${score}+${coming}`, mirror ? "end strong" : "start strong", size * 4.4));
}

/** Return the pieces that a call is about. */
export const ofBattledodes = ({ kind, seat, dode }) => (kind === "struck" ? [`dode-${seat}-${dode}`] : seat == null ? [] : [`seat-${seat}`]);
