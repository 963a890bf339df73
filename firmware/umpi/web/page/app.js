// The page as an app: what HTTPS allows on this phone, how to switch it on, and why a phone without it may sleep.

import { failed } from "./failed.js";
import { fill, make } from "./make.js";
import { get, inTab, once } from "./send.js";
import { say } from "./words.js";

const LOOPBACK = /^(localhost$|127\.|\[?::1)/; // names of the computer itself, which no other one reaches
const secure = location.protocol === "https:" && !inTab; // a box in a tab has a service worker of its own
let installing = null; // the browser's offer to install the page

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  installing = event;
});
if (secure) navigator.serviceWorker?.register("sw.js");

/** Return a function that shows the view in `place`; `turns` are the notifications for "your turn". */
export function appView(place, turns, tell) {
  return show;

  async function show() {
    const there = secure ? null : await get("api/app");
    const inside = secure ? app() : !there.ok ? failed(there.error, show) : there.body.port ? steps(there.body) : none();
    fill(place, make("h2", { tabindex: -1 }, say("Use as an app")), inside);
  }

  /** Show what the page can do as an app. */
  function app() {
    const install = async () => {
      await installing.prompt();
      installing = null;
    };
    const alerts = make("button", { type: "button", class: "verb", "data-key": "turns", "aria-pressed": String(turns.on()), onclick: once(toggle) }, say("Notify me when it is my turn"));
    return [
      make("p", {}, say("This connection is encrypted. During a match the screen stays on.")),
      installing && make("button", { type: "button", class: "go", "data-key": "install", onclick: once(install) }, say("Install the app")),
      !installing && make("p", {}, say("To install it, choose “Add to home screen” or “Install” in the menu of the browser.")),
      turns.able && alerts,
      turns.able && make("p", { class: "why" }, say("A notification appears while another app is in front. If the phone sleeps, it may come late or not at all.")),
    ];
  }

  async function toggle() {
    const why = await turns.toggle();
    if (why) tell(why);
    place.querySelector("[data-key=turns]")?.setAttribute("aria-pressed", String(turns.on()));
  }

  /** Show how to trust the box, and where its secure page is. */
  function steps({ port, hosts, fingerprint }) {
    const host = hosts.includes(location.hostname) ? location.hostname : (hosts.find((one) => one.endsWith(".local")) ?? hosts.find((one) => !LOOPBACK.test(one)) ?? location.hostname);
    const open = make("a", { class: "go", href: `https://${host}:${port}/#app`, "data-key": "secure" }, say("Open the secure page"));
    if (!fingerprint) return [asleep(), make("p", {}, open)];
    return [
      asleep(),
      make("ol", { class: "items" },
        make("li", {}, say("Download the certificate of the box:"), make("p", {}, make("a", { class: "go", href: "umpi.crt", "data-key": "certificate" }, say("Download the certificate")))),
        make("li", {}, say("Install it:"), make("ul", { class: "items" },
          make("li", {}, make("b", {}, "iPhone, iPad"), ": ", say("In the settings, open General, then VPN & Device Management, and install the profile. Then open General, About, Certificate Trust Settings, and switch on the box’s certificate.")),
          make("li", {}, make("b", {}, "Android"), ": ", say("In the settings, open Security, More, Encryption & credentials, Install a certificate, CA certificate. Choose the file.")),
          make("li", {}, make("b", {}, say("Computer")), ": ", say("Import it in the settings of the browser, under certificates, as an authority.")))),
        make("li", {}, say("Open the page again with HTTPS:"), make("p", {}, open))),
      make("p", { class: "why" }, say("The certificate is valid only for this box, and only on a home network. Its SHA-256 fingerprint (the command umpi https prints it too):")),
      make("p", { class: "fingerprint" }, fingerprint.split(/(?<=:)/).map((pair) => [pair, make("wbr")])),
    ];
  }

  /** Show who can switch HTTPS on. */
  function none() {
    return [asleep(), make("p", {}, say("The owner of the box can switch HTTPS on with the command umpi https."))];
  }

  /** Explain what a browser forbids a page without HTTPS. */
  function asleep() {
    return make("p", {}, say("Without HTTPS, a browser does not let a page keep the screen on, notify you or become an app. So this phone may sleep. If you wake it, the page connects again and keeps what you have entered."));
  }
}
