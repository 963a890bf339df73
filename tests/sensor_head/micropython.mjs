// Runs a script under MicroPython's WebAssembly port: node micropython.mjs MICROPYTHON FIRMWARE SCRIPT
import { readFileSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [port, firmware, script] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(port).href);
const micropython = await loadMicroPython({ linebuffer: true, stdout: (line) => process.stdout.write(`${line}\n`) });
for (const name of readdirSync(firmware).filter((name) => name.endsWith(".py"))) {
  // this port has no machine code: viper's functions run as bytecode, and its pointers are the arrays themselves
  const text = readFileSync(`${firmware}/${name}`, "utf8").replace("@micropython.viper", "");
  micropython.FS.writeFile(`/${name}`, text);
}
micropython.runPython('import sys, builtins; sys.path.insert(0, "/")');
micropython.runPython("builtins.ptr8 = builtins.ptr32 = lambda words: words");
try {
  micropython.runPython(readFileSync(script, "utf8"));
} catch (fault) {
  console.error(fault.message);
  process.exitCode = 1;
}
