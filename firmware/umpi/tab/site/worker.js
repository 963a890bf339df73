// The thread that runs the box: Python, its disk, and the answers to the page's requests.

import { Elsewhere, mountDisk, openStorage } from "./disk.js";
import { umpi } from "./python.js";

const DISK = "/umpi";
let host = null;
let asked = 0;

const start = async ({ language, wiring }) => {
  const slots = await openStorage();
  postMessage({ step: "python" });
  const python = await umpi(({ FS, _api }) => {
    postMessage({ step: "umpi" });
    _api.on_fatal = ({ message }) => postMessage({ failed: "fault", why: message }); // Python is dead, and answers nothing
    mountDisk(FS, DISK, slots);
  });
  postMessage({ step: "box" });
  const { Host } = python.pyimport("umpi.tab.host");
  const page_us = Math.round(1000 * (performance.timeOrigin + performance.now()));
  const write = (text) => postMessage({ write: text });
  host = Host.callKwargs(python.pyimport("pathlib").Path(DISK), { language, page_us, wiring, write, start_aside: aside });
  host.start((why) => postMessage({ failed: "fault", why }));
  postMessage({ ready: host.invitation() });

  self.answer = ({ method, target, headers, body }, port) => {
    const number = (asked += 1);
    const send = (kind, value) => {
      if (typeof value === "string") return port.postMessage([kind, value]);
      const part = value.toJs();
      value.destroy(); // else Python would keep it
      return port.postMessage([kind, part], [part.buffer]);
    };
    port.onmessage = () => host.leave(number);
    host.ask(number, method, target, JSON.stringify(headers), body, send); // texts only: nothing for Python to keep
  };
};

const asides = {};

/** Let a second Python find something; a newer wish for the same task ends the older one. */
function aside(number, task, language, record, longest_ms) {
  asides[task]?.();
  const thread = new Worker("aside.js", { type: "module" });
  const stop = asides[task] = () => {
    thread.terminate();
    clearTimeout(late);
  };
  const end = (text) => {
    stop();
    host.found(task, number, text);
  };
  const late = setTimeout(end, longest_ms, "");
  thread.onmessage = ({ data }) => end(data);
  thread.onerror = () => end("");
  thread.postMessage({ task, language, record });
}

/** Pass on what happens at the port of the sensor head. */
function hear({ open, sent, at_us, elsewhere }) {
  if (open) host.head_opened();
  else if (sent) host.head_sent(sent, at_us);
  else host.head_closed(elsewhere);
}

addEventListener("message", async ({ data, ports }) => {
  if (data.ask) return self.answer(data.ask, ports[0]);
  if (data.head) return hear(data.head);
  try {
    await start(data);
  } catch (fault) {
    if (fault instanceof Elsewhere) postMessage({ failed: "elsewhere" });
    else postMessage({ failed: "fault", why: String(fault.message ?? fault).trim().split("\n").at(-1) });
    console.error(fault);
  }
});
