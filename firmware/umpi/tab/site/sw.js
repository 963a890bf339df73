// The service worker of a box in a tab: it keeps all files, so that the box starts without a network, and passes the
// requests of the page on to the box, which runs in the window that holds the page.

importScripts("files.js"); // sets UMPI: the version, and each file with its size and whether it is packed

const KEPT = `umpi-tab-${UMPI.version}`;
const PATIENCE_MS = 20_000; // a box that is starting takes requests later
const REVIEW_MS = 280_000; // more than a review may take (aside.py)
const LONGEST_MS = 240_000; // of a stream: browsers end a service worker that answers one request for five minutes
const AGAIN = new TextEncoder().encode("retry: 100\n\n"); // ms until the page opens the next stream

addEventListener("install", (event) => event.waitUntil(store()));
addEventListener("activate", (event) => event.waitUntil(take()));
addEventListener("fetch", (event) => {
  const { href, search } = new URL(event.request.url);
  if (!href.startsWith(registration.scope)) return;
  const path = href.slice(registration.scope.length).split(/[?#]/)[0];
  if (path.startsWith("box/")) event.respondWith(ask(event, `/${path.slice(4)}${search}`));
  else event.respondWith(kept(event.request, path || "index.html"));
});

async function store() {
  const cache = await caches.open(KEPT);
  const total = UMPI.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const { name, kind, packed } of UMPI.files) {
    const answer = await fetch(packed ? `${name}.z` : name, { cache: "no-cache" });
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    const counted = answer.body.pipeThrough(new TransformStream({
      async transform(part, on) {
        done += part.length;
        on.enqueue(part);
        for (const client of await clients.matchAll({ includeUncontrolled: true })) client.postMessage({ done, total });
      },
    }));
    const body = packed ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
    await cache.put(name, new Response(await new Response(body).blob(), { headers: { "Content-Type": kind } }));
  }
}

async function take() {
  for (const name of await caches.keys()) if (name.startsWith("umpi-tab-") && name !== KEPT) await caches.delete(name);
  await clients.claim();
}

async function kept(request, name) {
  return (await (await caches.open(KEPT)).match(name)) ?? fetch(request);
}

/** Let the box answer a request of its page. */
async function ask(event, target) {
  const { request } = event;
  const { method } = request;
  const body = method === "GET" || method === "HEAD" ? "" : await request.text();
  const headers = [...request.headers];
  const windows = (await clients.matchAll({ type: "window", includeUncontrolled: true })).filter(({ frameType }) => frameType !== "nested");
  return new Promise((resolve) => {
    let ended = () => {};
    event.waitUntil(new Promise((end) => { ended = end; }));
    const late = setTimeout(() => { resolve(Response.error()); ended(); }, target.endsWith("/review") ? REVIEW_MS : PATIENCE_MS);
    for (const each of windows) {
      const { port1: port, port2: other } = new MessageChannel();
      const flow = {};
      const leave = () => { port.postMessage("leave"); port.onmessage = null; ended(); };
      const stream = new ReadableStream({ start(on) { flow.on = on; }, cancel: leave });
      port.onmessage = ({ data: [kind, data] }) => {
        if (kind === "part") flow.on.enqueue(data);
        else if (kind === "end") {
          flow.on.close();
          ended();
        } else {
          clearTimeout(late);
          const [status, pairs] = JSON.parse(data);
          if (pairs.some(([name, value]) => name === "content-type" && value.startsWith("text/event-stream"))) {
            flow.on.enqueue(AGAIN);
            setTimeout(() => { if (port.onmessage) { leave(); flow.on.close(); } }, LONGEST_MS);
          }
          resolve(new Response([204, 304].includes(status) || method === "HEAD" ? null : stream, { status, headers: pairs }));
        }
      };
      each.postMessage({ ask: { method, target, headers, body } }, [other]);
    }
  });
}
