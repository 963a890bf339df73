// Python in a thread, with Umpi.

import { loadPyodide } from "./pyodide.mjs";

/** Start Python with Umpi; `begin(python)` is called between both. */
export async function umpi(begin = () => {}) {
  const python = await loadPyodide({ indexURL: "./", checkIntegrity: false }); // the service worker serves what it has checked
  begin(python);
  python.unpackArchive(await (await fetch("umpi.zip")).arrayBuffer(), "zip", { extractDir: "/lib/umpi" });
  python.runPython(`import sys; sys.path.insert(0, "/lib/umpi")`);
  return python;
}
