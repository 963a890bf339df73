// Python in a thread, with Umpi.

import { loadPyodide } from "./pyodide.mjs";

/**
 * Start Python with Umpi; `begin(python)` is called between both.
 *
 * Python may suspend no call. Where a browser can (JSPI), Pyodide runs each task on a stack of its own, and up to
 * 314.0.7 the garbage collector of Python walks the frames of a suspended task where another stack lies by then: the
 * box dies at "memory access out of bounds" (pyodide/pyodide#6464). Nothing here waits for a promise inside a call.
 */
export async function umpi(begin = () => {}) {
  delete WebAssembly.Suspending; // Pyodide suspends calls only where it finds this
  const python = await loadPyodide({ indexURL: "./", checkIntegrity: false }); // the service worker serves what it has checked
  begin(python);
  python.unpackArchive(await (await fetch("umpi.zip")).arrayBuffer(), "zip", { extractDir: "/lib/umpi" });
  python.runPython(`import sys; sys.path.insert(0, "/lib/umpi")`);
  return python;
}
