// The thread that runs the box: Python, its disk, and the answers to the page's requests.

import { Elsewhere, mountDisk, openStorage } from "./disk.js";
import { loadPyodide } from "./pyodide.mjs";

const DISK = "/umpi";
let host = null;
let asked = 0;

const start = async ({ language, wiring }) => {
  const slots = await openStorage();
  postMessage({ step: "python" });
  const python = await loadPyodide({ indexURL: "./", checkIntegrity: false }); // the service worker serves what it has checked
  postMessage({ step: "umpi" });
  mountDisk(python.FS, DISK, slots);
  python.unpackArchive(await (await fetch("umpi.zip")).arrayBuffer(), "zip", { extractDir: "/lib/umpi" });
  python.runPython(`import sys; sys.path.insert(0, "/lib/umpi")`);
  postMessage({ step: "box" });
  const { Host } = python.pyimport("umpi.tab.host");
  const page_us = Math.round(1000 * (performance.timeOrigin + performance.now()));
  const write = (text) => postMessage({ write: text });
  host = Host.callKwargs(python.pyimport("pathlib").Path(DISK), { language, page_us, wiring, write });
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
