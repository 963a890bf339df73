"""A PostgreSQL of the tests: on a free port, in a folder of its own. It can be stopped and started again."""

from __future__ import annotations

import os
import pwd
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.kit.brokers import free_port
from tests.kit.patience import run_to_end

BIN = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
needs_postgres = pytest.mark.skipif(not BIN, reason="PostgreSQL is not here: sudo scripts/setup --all")
OWNER = "postgres" if os.getuid() == 0 else ""  # the server refuses to run as root


class Postgres:
    """A server whose database is called umpi. Its folder is not one of pytest, which only the user may enter."""

    def __init__(self) -> None:
        assert BIN
        self._folder = TemporaryDirectory(prefix="umpi-postgres-")  # removed with this object
        self.port, self._data = free_port(), Path(self._folder.name)
        if OWNER:
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
        done = run_to_end([str(BIN / program), *words], user=OWNER or None, cwd="/", text=True)
        assert not check or done.returncode == 0, done.stdout + done.stderr
