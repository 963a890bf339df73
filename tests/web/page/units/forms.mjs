// The question on a phone as approved: real questions of all games, for a seat, the referee or somebody who looks on, and what taps do.

import { readFileSync } from "node:fs";
import { test } from "node:test";

import { diary } from "./approve.mjs";
import { tap, tick, types } from "./browser.mjs";
import { Element } from "./dom.mjs";

const page = new URL("../../../../firmware/umpi/web/page/", import.meta.url).href;
const { questionForm } = await import(`${page}form.js`);
const TABLES = readFileSync(new URL("questions.jsonl", import.meta.url), "utf-8").trim().split("\n").map((line) => JSON.parse(line));

/** Show a question to `me`, tap the buttons with these keys, and return what is on the phone and what it has said and sent. */
async function asks(table, me, taps) {
  const [place, below, said] = [new Element("section"), new Element("div"), []];
  document.body.append(place, below);
  const show = questionForm(place, below, (text) => said.push(text), () => said.push("passed"), {
    learn: async (question, verb, given) => ({ ok: true, status: 200, body: { fields: table.learns?.[Object.keys(given).length - 1] ?? [], refusal: table.refuses ?? "" } }),
    act: async (question, act, stamp) => { said.push(`${question} ${JSON.stringify(act)}`); return table.answers ?? { ok: true, status: 200, body: { version: 2 }, error: "" }; },
    keepTime: (own, race) => said.push(`time ${own} ${race}`),
    sees: (ask, who) => ask.alone == null || (who.role === "seat" && who.seat === ask.alone),
    drafts: { read: () => table.draft ?? null, write: (entry) => entry && said.push(`draft ${JSON.stringify(entry.entered)}`) },
  });
  show({ seen: null, referee: false, version: 1, ...table }, me);
  await tick();
  for (const key of taps) {
    const one = [place, below].flatMap((part) => part.querySelectorAll("[data-key]")).find((each) => each.dataset.key === key);
    if (!one) throw new Error(`there is no ${key}`);
    if (one.localName === "input") await types(`[data-key="${key}"]`, "abc");
    else await tap(one);
  }
  place.remove();
  below.remove();
  return [place, below, said];
}

test("forms: each question is shown, and answered, as approved", async () => {
  const book = diary("forms");
  for (const { table, ways } of TABLES) {
    for (const { me, taps } of ways) book.look([table.match?.game ?? "no match", me ? `${me.role} ${me.seat ?? ""}`.trim() : "looks on", ...taps].join(", "), ...(await asks(table, me, taps)));
  }
  book.approve();
});
