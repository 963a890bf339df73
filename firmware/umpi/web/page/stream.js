// The event stream of the table: each change once and in order, also after a disconnection.

const PAUSES_S = [0.5, 1, 2, 4, 8, 15]; // before the next attempt; the last one repeats
const SILENCE_S = 5; // the box sends something every 2 s

/** Follow the box without end: `hear(document)` receives each change, `connected(true | false, why)` the connection. */
export async function follow(hear, connected) {
  let last = ""; // the id of the last change received
  let tries = 0;
  let line = new AbortController();
  let wake = () => {};

  addEventListener("offline", () => line.abort());
  for (const news of ["online", "focus", "visibilitychange"]) addEventListener(news, () => wake());

  for (;;) {
    line = new AbortController();
    const watch = watchdog(line);
    let why = ""; // the sentence with which the box has refused this attempt
    try {
      const headers = last ? { "Last-Event-ID": last } : {};
      const answer = await fetch("api/events", { headers, signal: line.signal, cache: "no-store" });
      if (!answer.ok) {
        why = (await answer.json().catch(() => ({}))).error; // a proxy answers without a sentence
        throw new TypeError(`the box answered ${answer.status}`);
      }
      connected(true);
      for await (const event of events(answer.body, watch.fed)) {
        tries = 0;
        if (!newer(event.id, last)) continue;
        last = event.id;
        pass(hear, JSON.parse(event.data));
      }
    } catch (fault) {
      if (fault.name !== "AbortError" && !(fault instanceof TypeError)) console.error(fault);
    }
    watch.stop();
    connected(false, why);
    const pause_s = PAUSES_S[Math.min(tries++, PAUSES_S.length - 1)];
    await new Promise((go) => {
      wake = go;
      setTimeout(go, 1000 * pause_s);
    });
  }
}

/** Let the page hear a change. A fault of the page is logged, and the connection stays. */
function pass(hear, change) {
  try {
    hear(change);
  } catch (fault) {
    console.error(fault);
  }
}

/** Return whether the change `id` comes after `last`; after a restart of the box, every change does. */
export function newer(id, last) {
  const [boot, version] = id.split(".");
  const [before, known] = last.split(".");
  return boot !== before || Number(version) > Number(known);
}

/** Read server-sent events from a stream of bytes; `fed` is called for every chunk. */
async function* events(body, fed) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    fed();
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    yield* blocks.map(event).filter((message) => message.data);
  }
}

function event(block) {
  const message = { id: "", data: "" };
  for (const line of block.split("\n")) {
    const [, name, text] = line.match(/^(id|data): ?(.*)$/) || [];
    if (name) message[name] += message[name] ? `\n${text}` : text;
  }
  return message;
}

/** Close a connection that has become silent. */
function watchdog(line) {
  let timer = 0;
  const stop = () => clearTimeout(timer);
  const fed = () => {
    stop();
    timer = setTimeout(() => line.abort(), 1000 * SILENCE_S);
  };
  fed();
  return { fed, stop };
}
