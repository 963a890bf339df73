// The table as the box tells it: each change once and in order, and again after every break.

const PAUSES_S = [0.5, 1, 2, 4, 8, 15]; // before the next try; the last stays
const SILENCE_S = 5; // the box says something every 2 s

/** Follow what the box tells for ever: `hear(document)` for each change, `connected(true | false)` as the line is. */
export async function follow(hear, connected) {
  let last = ""; // the id of the last change heard
  let tries = 0;
  let line = new AbortController();
  let wake = () => {};

  addEventListener("offline", () => line.abort());
  for (const news of ["online", "focus", "visibilitychange"]) addEventListener(news, () => wake());

  for (;;) {
    line = new AbortController();
    const watch = watchdog(line);
    try {
      const headers = last ? { "Last-Event-ID": last } : {};
      const answer = await fetch("api/events", { headers, signal: line.signal, cache: "no-store" });
      if (!answer.ok) throw new TypeError(`the box answered ${answer.status}`);
      connected(true);
      for await (const event of events(answer.body, watch.fed)) {
        tries = 0;
        if (!newer(event.id, last)) continue;
        last = event.id;
        hear(JSON.parse(event.data));
      }
    } catch (fault) {
      if (fault.name !== "AbortError" && !(fault instanceof TypeError)) console.error(fault);
    }
    watch.stop();
    connected(false);
    const pause_s = PAUSES_S[Math.min(tries++, PAUSES_S.length - 1)];
    await new Promise((go) => {
      wake = go;
      setTimeout(go, 1000 * pause_s);
    });
  }
}

/** Whether the change `id` comes after `last`; another boot of the box begins anew. */
export function newer(id, last) {
  const [boot, version] = id.split(".");
  const [before, known] = last.split(".");
  return boot !== before || Number(version) > Number(known);
}

/** Read server-sent events off a stream of bytes; `fed` hears of every piece. */
async function* events(body, fed) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    fed();
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    yield* blocks.map(event).filter((told) => told.data);
  }
}

function event(block) {
  const told = { id: "", data: "" };
  for (const line of block.split("\n")) {
    const [, name, text] = line.match(/^(id|data): ?(.*)$/) || [];
    if (name) told[name] += told[name] ? `\n${text}` : text;
  }
  return told;
}

/** Cut a line that has fallen silent. */
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
