// What somebody has looked at and approved: drawings and pages as HTML, each kept as what differs from the one before.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { changes } from "./changes.mjs";

const STYLES = ["tokens", "desk", "start", "rules", "hand", "boards"].map((name) => `<link rel="stylesheet" href="../../firmware/umpi/web/page/${name}.css">`);
const HOW = "UMPI_APPROVE=1 .venv/bin/python -m pytest tests/web/page/test_units.py writes it, and build/approved/, whose pages a browser shows: look at them.";
const SHOWN = new URL("../../../../build/approved/", import.meta.url);

/** Compare parts, each a title and elements, with the approved file of this name; with UMPI_APPROVE=1, write the file and a page. */
export function approve(name, parts) {
  const file = new URL(`approved/${name}.diff`, import.meta.url);
  const states = parts.map(([title, ...inside]) => [title, inside.flatMap((one) => one.lines ?? lines(one, ""))]);
  const now = [...states.flatMap(([title, own], nth) => [`== ${title}`, ...changes(states[nth - 1]?.[1] ?? [], own)]), ""].join("\n");
  if (process.env.UMPI_APPROVE) {
    writeFileSync(file, now);
    mkdirSync(SHOWN, { recursive: true });
    writeFileSync(new URL(`${name}.html`, SHOWN), ["<!doctype html>", '<meta charset="utf-8">', ...STYLES, ...states.flatMap(([title, own]) => [`<h1>${title}</h1>`, ...own]), ""].join("\n"));
  }
  const approved = existsSync(file) ? readFileSync(file, "utf-8") : "";
  const [new_, old] = [now.split("\n"), approved.split("\n")];
  const at = new_.findIndex((line, nth) => line !== old[nth]);
  if (now !== approved) assert.fail(`approved/${name}.diff, line ${at + 1}, ${new_.slice(0, at + 1).findLast((line) => line.startsWith("== "))}:\napproved: ${old[at]}\nnow:      ${new_[at]}\n${HOW}`);
}

/** Collect what is shown, at the moment at which it is shown, to approve it at the end. */
export function diary(name) {
  const parts = [];
  return {
    look: (title, ...inside) => parts.push([title, ...inside.map((one) => ({ lines: one.localName ? lines(one, "") : [`<pre>${escaped([one].flat().join("\n"))}</pre>`] }))]),
    approve: () => approve(name, parts),
  };
}

const escaped = (text) => String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const rounded = (text) => String(text).replace(/-?\d+\.\d{3,}(e-?\d+)?/g, (number) => String(Math.round(number * 100) / 100 || 0)); // engines differ in the last digits

/** Return an element as lines, with its attributes, its styles and the properties that the page sets. */
export function lines(one, indent) {
  if (!one.localName) return one.data ? [`${indent}${escaped(one.data)}`] : [];
  const styles = Object.entries(one.style).filter(([, value]) => typeof value !== "function").map(([name, value]) => `${name}: ${value}`).join("; ");
  const set = SET.filter((name) => one[name] !== undefined && one[name] !== null && one[name] !== false).map((name) => [name.toLowerCase(), one[name] === true ? "" : one[name]]);
  const moves = (one.moves ?? []).splice(0).map(([frames, { duration, delay = 0, ...how }]) => `${delay} ms, then ${duration} ms ${Object.values(how)}: ${frames.map((frame) => Object.values(frame)).join("; ")}`);
  const held = [...[...one.held].filter(([name, value]) => (value.trim() !== "" || value === "") && name !== "checked"), ...set, ...(styles ? [["style", styles]] : []), ...moves.map((each) => ["data-moves", each])]
    .map(([name, value]) => ` ${name}="${rounded(String(value).replace(/\s+/g, " ").trim()).replaceAll('"', "&quot;")}"`).join("");
  const kinds = Object.keys(one.hears ?? {});
  const open = `<${one.localName}${held}${kinds.length ? ` data-hears="${kinds.join(" ")}"` : ""}>`;
  const inside = one.childNodes.filter((each) => each.localName || each.data);
  if (one.localName === "svg" && indent && one.names().includes("board")) return [`${indent}${open}</svg>`]; // boards are approved by themselves
  if (inside.every((each) => !each.localName)) return [`${indent}${open}${inside.map((each) => escaped(each.data)).join("")}</${one.localName}>`];
  return [`${indent}${open}`, ...inside.flatMap((each) => lines(each, `${indent} `)), `${indent}</${one.localName}>`];
}

const SET = ["tabIndex", "value", "open", "checked"]; // properties that are no attributes in dom.mjs
