// The service worker of an installed app: it shows a notice if the box does not answer, and brings a notification to the table.
// It caches nothing but that notice, so a phone never shows an old page.

const KEPT = "umpi-offline";
const NOTICE = ["offline.html", "offline.js", "tokens.css", "desk.css", "app.css", "icon.svg"];

const keep = async () => (await caches.open(KEPT)).addAll(NOTICE);

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(keep());
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (NOTICE.some((name) => new URL(name, registration.scope).href === request.url)) event.respondWith(notice(request));
});

async function page(event) {
  try {
    const answer = await fetch(event.request);
    event.waitUntil(keep().catch(() => {})); // in the language that the box has now
    return answer;
  } catch {
    return (await caches.match("offline.html")) ?? Response.error();
  }
}

async function notice(request) {
  return fetch(request).catch(async () => (await caches.match(request)) ?? Response.error());
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(toTable());
});

async function toTable() {
  const [open] = await clients.matchAll({ type: "window" });
  if (open) return open.focus();
  return clients.openWindow("./#table");
}
