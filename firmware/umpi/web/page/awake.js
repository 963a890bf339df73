// The screen of this device: it stays on during a match. Browsers allow that with HTTPS only.

let lock = null;
let wanted = false;

/** Keep the screen on, or let it sleep. */
export async function keepAwake(on) {
  wanted = on && "wakeLock" in navigator && location.protocol === "https:";
  if (!wanted) {
    const held = lock;
    lock = null;
    return held?.release();
  }
  if (lock || document.hidden) return;
  lock = true; // one request at a time
  lock = await navigator.wakeLock.request("screen").catch(() => null); // for example, the battery is low
  lock?.addEventListener("release", () => { lock = null; }); // the page was hidden
  if (!wanted) keepAwake(false);
}

document.addEventListener("visibilitychange", () => wanted && keepAwake(true));
