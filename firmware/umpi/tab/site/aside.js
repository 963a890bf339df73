// A second thread with a Python of its own: it finds one hint or reviews one match, so that the box goes on meanwhile.

import { umpi } from "./python.js";

addEventListener("message", async ({ data: { task, language, record } }) => {
  try {
    const python = await umpi();
    postMessage(python.pyimport("umpi.tab.second").answer(task, language, record));
  } catch (fault) {
    console.error(fault);
    postMessage("");
  }
});
