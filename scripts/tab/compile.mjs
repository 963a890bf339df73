// Compile the modules of an archive for the Python of the browser: node compile.mjs PYODIDE IN OUT FOLDER OPTIMIZE
// IN and OUT are zip files; FOLDER is where OUT will lie, as tracebacks name it. Each NAME.py becomes a NAME.pyc.

import { readFileSync, writeFileSync } from "node:fs";

const [pyodide, from, to, folder, optimize] = process.argv.slice(2);
const { loadPyodide } = await import(`file://${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
python.FS.writeFile("/in.zip", new Uint8Array(readFileSync(from)));
python.globals.set("folder", folder);
python.globals.set("optimize", Number(optimize));
python.runPython(`
import importlib._bootstrap_external as outside
import importlib.util
import zipfile

SOURCES = {"anyio/__init__.py", "anyio/abc/__init__.py"}  # they read their own source to import the rest late
with zipfile.ZipFile("/in.zip") as taken, zipfile.ZipFile("/out.zip", "w", zipfile.ZIP_STORED) as made:
    for info in taken.infolist():
        name, body = info.filename, taken.read(info)
        if name.endswith(".py") and name not in SOURCES:
            code = compile(body, f"{folder}/{name}", "exec", dont_inherit=True, optimize=optimize)
            body, name = outside._code_to_hash_pyc(code, importlib.util.source_hash(body), False), f"{name}c"
        made.writestr(zipfile.ZipInfo(name, info.date_time), body)
`);
writeFileSync(to, python.FS.readFile("/out.zip"));
process.exit(0);
