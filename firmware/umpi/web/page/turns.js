// Notifications for "your turn": only after a press, only with HTTPS, and only while the page is in the background.

import { say } from "./words.js";

const KEPT = "umpi turns"; // in the storage of this device
const TAG = "turn"; // a new notification replaces the old one

/** Return {able, on(), toggle(), hear(table, me)}. */
export function turnAlerts() {
  const able = location.protocol === "https:" && "Notification" in globalThis && "serviceWorker" in navigator;
  const on = () => able && Notification.permission === "granted" && localStorage.getItem(KEPT) === "on";
  let mine = false;

  /** Switch the notifications on or off; return why they stay off, "" otherwise. */
  async function toggle() {
    if (on()) {
      localStorage.removeItem(KEPT);
      return "";
    }
    if ((await Notification.requestPermission()) !== "granted") return say("The browser blocks notifications from this page. Allow them in its settings.");
    localStorage.setItem(KEPT, "on");
    return "";
  }

  /** Take each document; notify once whenever this phone's turn begins while nobody looks at the page. */
  async function hear({ match, question }, me) {
    const before = mine;
    mine = Boolean(match && !match.over && me?.role === "seat" && me.seat != null && (question?.asks ?? []).some(({ seat, rare }) => seat === me.seat && !rare));
    if (!on()) return;
    const there = await navigator.serviceWorker.ready;
    if (mine && !before && document.hidden) there.showNotification(say("{name}, it is your turn", { name: me.name }), { body: match.title, tag: TAG, icon: "icon-192.png" });
    if (!mine || !document.hidden) for (const old of await there.getNotifications({ tag: TAG })) old.close();
  }

  return { able, on, toggle, hear };
}
