// Runs a script under MicroPython's WebAssembly port: node micropython.mjs MICROPYTHON FIRMWARE SCRIPT
import { readFileSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [port, firmware, script] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(port).href);
const micropython = await loadMicroPython({ linebuffer: true, stdout: (line) => process.stdout.write(`${line}\n`) });
for (const name of readdirSync(firmware).filter((name) => name.endsWith(".py"))) {
  micropython.FS.writeFile(`/${name}`, readFileSync(`${firmware}/${name}`));
}
micropython.runPython('import sys; sys.path.insert(0, "/")');
try {
  micropython.runPython(readFileSync(script, "utf8"));
} catch (fault) {
  console.error(fault.message);
  process.exitCode = 1;
}
