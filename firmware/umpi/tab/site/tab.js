// The window of a box in a tab: it gets the files, starts the box in a thread, and shows the page that it serves.

import { carry, choice, toHead, wiring } from "./head.js";

const at = (id) => document.getElementById(id);
const texts = await (await fetch("texts.json")).json();
const spoken = navigator.languages.map((one) => one.slice(0, 2)).find((one) => one in texts) ?? "en";
const say = (text, values = {}) => Object.entries(values).reduce((said, [name, value]) => said.replace(`{${name}}`, value), texts[spoken][text] ?? text);

document.documentElement.lang = spoken;
window.sensorHead = choice; // for the page of the box
let worker = null;
let ready = false;

/** Show how far the start is; `part` is what is done of it, from 0 to 1. */
function tell(text, part) {
  at("said").textContent = text;
  if (part === undefined) at("bar").removeAttribute("value");
  else at("bar").value = part;
}

function fail(text) {
  document.documentElement.dataset.umpi = "failed";
  at("bar").hidden = at("page").hidden = true;
  at("start").hidden = false;
  at("said").textContent = text;
}

const lacking = () => [
  [typeof WebAssembly === "object", "WebAssembly"],
  ["serviceWorker" in navigator, location.protocol === "https:" || window.isSecureContext ? "service workers" : "HTTPS"],
  ["DecompressionStream" in window, "DecompressionStream"],
].filter(([there]) => !there).map(([, what]) => what);

async function start() {
  const missing = lacking();
  if (missing.length) return fail(say("This browser cannot run Umpi: it lacks {what}. Open this page in a current Chrome, Edge, Firefox or Safari, at an address that starts with https:// or http://localhost.", { what: missing.join(", ") }));
  navigator.serviceWorker.addEventListener("message", hear);
  navigator.serviceWorker.startMessages();
  tell(say("Getting the files, once"), 0);
  if (!await controlled()) return undefined;
  worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = follow;
  worker.onerror = ({ message }) => follow({ data: { failed: "fault", why: message || "worker.js" } });
  worker.postMessage({ language: navigator.language, wiring: wiring() });
  return undefined;
}

/** Wait until the service worker has all files and serves this window; return false if this page cannot go on. */
async function controlled() {
  const { serviceWorker } = navigator;
  let registration;
  try {
    registration = await serviceWorker.register("sw.js");
  } catch {
    if (serviceWorker.controller) return true; // without a network
    fail(say("This browser does not let pages keep files. Private windows of some browsers do not; open the page in an ordinary one."));
    return false;
  }
  if (serviceWorker.controller) return true;
  if (registration.active && !registration.installing) { // loaded past the service worker, by Shift and Reload
    location.reload();
    return false;
  }
  return new Promise((resolve) => {
    serviceWorker.addEventListener("controllerchange", () => resolve(true), { once: true });
    (registration.installing ?? registration.waiting)?.addEventListener("statechange", ({ target }) => {
      if (target.state === "redundant") fail(say("The files could not be fetched. Check the network and reload the page."));
    });
  });
}

/** Take what the service worker says: how much it has got, or a request for the box. */
function hear({ data, ports }) {
  if (data.total && !worker) tell(say("Getting the files, once"), data.done / data.total);
  if (data.ask && ready) worker.postMessage(data, ports);
}

const STEPS = { python: 0.1, umpi: 0.6, box: 0.8 };

/** Take what the thread of the box says. */
function follow({ data }) {
  if (data.write) toHead(data.write);
  if (data.step) tell(say("Starting the box"), STEPS[data.step]);
  if (data.failed === "elsewhere") fail(say("Umpi is open in another tab. Continue there, or close that tab and reload this one."));
  else if (data.failed) fail(say(ready ? "The box has failed: {why}. Reload the page: the match is saved." : "The box does not start: {why}", { why: data.why }));
  if (data.ready === undefined) return;
  ready = true;
  if (wiring()) carry((head) => worker.postMessage({ head }));
  const page = at("page");
  page.addEventListener("load", show, { once: true });
  page.src = data.ready ? `box/#pair=${data.ready}` : "box/";
}

function show() {
  at("start").hidden = true;
  at("page").hidden = false;
  at("page").focus();
  document.documentElement.dataset.umpi = "ready";
  stayAwake();
  document.addEventListener("visibilitychange", stayAwake);
}

/** Keep the screen on: the box lies on the table. */
function stayAwake() {
  if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
}

start();
