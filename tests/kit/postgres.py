"""A PostgreSQL of the tests: on a free port, in a folder of its own, which can be stopped and started again."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from pathlib import Path

import pytest

from brokers import free_port

BIN = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
needs_postgres = pytest.mark.skipif(not BIN, reason="PostgreSQL is not here: sudo scripts/setup --all")
OWNER = "postgres" if os.getuid() == 0 else ""  # the server refuses to run as root


class Postgres:
    """A server whose database is called umpi."""

    def __init__(self, folder: Path) -> None:
        assert BIN
        self.port, self._data = free_port(), folder / "data"
        self._data.mkdir()
        if OWNER:
            for above in (folder, *folder.parents[:3]):
                above.chmod(above.stat().st_mode | 0o011)
            shutil.chown(self._data, OWNER, pwd.getpwnam(OWNER).pw_gid)
        self._run("initdb", "-D", str(self._data), "-U", "umpi", "-A", "trust", "-N")
        self.start()
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "umpi", "umpi")

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://umpi@127.0.0.1:{self.port}/umpi"

    def start(self) -> None:
        where = f"-h 127.0.0.1 -p {self.port} -k '' -F"
        log = str(self._data / "log")
        self._run("pg_ctl", "-D", str(self._data), "-l", log, "-w", "-o", where, "start")

    def stop(self, how: str = "immediate") -> None:
        self._run("pg_ctl", "-D", str(self._data), "-m", how, "-w", "stop", check=False)

    def _run(self, program: str, *words: str, check: bool = True) -> None:
        assert BIN
        done = subprocess.run(
            [str(BIN / program), *words], user=OWNER or None, cwd="/", capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert not check or done.returncode == 0, done.stdout + done.stderr
