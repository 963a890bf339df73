"""Lock the packages of each set-up by version and hash, and list those of a box as a bill of materials.

A package that is locked stays at its version; --upgrade takes the newest ones. What one set-up shares with another has
the same version in both.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from tests.kit.locks import BILL, LOCKS, SETS, WHOLE, written_bill

REPO = Path(__file__).parents[2]
HEADER = "# Written by ./scripts/dev lock: the packages of `{words}`, each with the hashes of its files on PyPI.\n"


def main() -> None:
    """Write the locks into firmware/system/locks, the largest first, and the bill of materials; or fetch the wheels."""
    parser = argparse.ArgumentParser(prog="./scripts/dev lock", description=__doc__)
    parser.add_argument("--upgrade", action="store_true", help="take the newest version of every package")
    parser.add_argument(
        "--wheels", metavar="DIR", help="only fetch the wheels of a 64-bit Pi, for a box without network"
    )
    parser.add_argument(
        "--python", default="3.11", metavar="VERSION", help="the Python of that Pi (default: %(default)s)"
    )
    words = parser.parse_args()
    if words.wheels:
        return _fetch(words.wheels, words.python)
    return _lock(words.upgrade)


def _fetch(folder: str, python: str) -> None:
    """Fetch the wheels of a box, only those whose hashes are in the lock."""
    fits = (
        f"--platform={each}_aarch64" for each in ("manylinux_2_34", "manylinux_2_28", "manylinux_2_17", "manylinux2014")
    )
    subprocess.run([
        sys.executable, "-m", "pip", "download", "--require-hashes", "--only-binary=:all:", "--python-version", python,
        *fits, "--requirement", str(LOCKS / "box.lock"), "--dest", folder,
    ], check=True)  # fmt: skip


def _lock(upgrade: bool) -> None:
    for name in (WHOLE, *(name for name in SETS if name != WHOLE)):
        file = LOCKS / f"{name}.lock"
        command = [
            str(Path(sys.executable).with_name("uv")), "pip", "compile", "--quiet", "--universal", "--generate-hashes",
            "--python-version", "3.11", "--no-header", "--no-annotate", "pyproject.toml", "--output-file", str(file),
        ]  # fmt: skip
        command += [f"--extra={extra}" for extra in SETS[name]]
        command += [] if name == WHOLE else [f"--constraints={LOCKS / f'{WHOLE}.lock'}"]
        command += ["--upgrade"] if upgrade and name == WHOLE else []
        if file.exists():
            file.write_text(file.read_text(encoding="utf-8").partition("\n")[2], encoding="utf-8")
        subprocess.run(command, cwd=REPO, check=True)
        words = "umpi[" + ",".join(SETS[name]) + "]" if SETS[name] else "umpi"
        file.write_text(HEADER.format(words=words) + file.read_text(encoding="utf-8"), encoding="utf-8")
        print(file)
    BILL.write_text(written_bill(), encoding="utf-8")
    print(BILL)


if __name__ == "__main__":
    main()
