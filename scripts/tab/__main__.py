"""Build the box for a browser's tab: a folder that any web server can serve.

  ./scripts/dev tab OUT            build it into the folder OUT, which is made
  ./scripts/dev tab OUT --serve    build it, and serve it at http://localhost:8200 until Ctrl-C

The first build downloads Python for the browser (Pyodide, 6.5 MB) into .venv. The same sources give the same files.
"""

from __future__ import annotations

import argparse
import http.server
import sys
from functools import partial
from pathlib import Path

from scripts.tab.build import BadPyodide, build
from scripts.tab.sizes import table

PORT = 8200


def main(words: list[str]) -> int:
    """Build the folder, and serve it if that is wanted. Return the exit status."""
    parser = argparse.ArgumentParser(
        prog="./scripts/dev tab", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to build; its files are replaced")
    parser.add_argument("--serve", action="store_true", help=f"serve it at http://localhost:{PORT}")
    given = parser.parse_args(words)
    try:
        files = build(given.out)
    except BadPyodide as fault:
        print(f"tab: {fault}", file=sys.stderr)
        return 1
    print(table(files))
    if given.serve:
        print(f"Open http://localhost:{PORT}. Press Ctrl-C to stop.", flush=True)
        handler = partial(http.server.SimpleHTTPRequestHandler, directory=given.out)
        try:
            http.server.ThreadingHTTPServer(("127.0.0.1", PORT), handler).serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
