"""A program `umpi` that forks a process which has imported Umpi: that takes most of the time of a short command.

It does what `python -m umpi` does, with its own words, folder, environment, input and output. It ends with its status.
"""

from __future__ import annotations

import ast
import os
import select
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

CLIENT = """\
#!{python} -IS
import os, socket, sys
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as served:
    served.connect({address!r})
    asked = repr((sys.argv[1:], os.getcwd(), dict(os.environ)))
    socket.send_fds(served, [asked.encode()], [0, 1, 2])
    sys.exit(int(served.recv(9)))
"""
OFTEN = (
    "umpi.conformance",
    "umpi.printing.sheets",
    "umpi.simulator",
    "umpi.web.https",
)  # what commands import as they run
MOST = 1 << 17  # bytes of the words and the environment of a command


@contextmanager
def served(folder: Path) -> Iterator[Path]:
    """Write the program `umpi` into a folder; it works until the end of the context."""
    address, program = folder / "served", folder / "umpi"
    program.write_text(CLIENT.format(python=sys.executable, address=str(address)))
    program.chmod(0o755)
    with subprocess.Popen(
        [sys.executable, "-m", "tests.kit.served", address], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdout
        assert server.stdin
        assert server.stdout.readline() == b"ready\n"
        yield program
        server.stdin.close()


def _serve(address: str) -> None:
    """Answer until the input ends, because the process that started this one has ended."""
    from umpi.cli import build_parser
    from umpi.kernel.registry import games

    build_parser()  # it imports every command
    games()
    for module in OFTEN:
        import_module(module)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
        door.bind(address)
        door.listen()
        print("ready", flush=True)
        while door in select.select([door, sys.stdin], [], [])[0]:
            asking, _ = door.accept()
            with asking:
                if os.fork() == 0:
                    door.close()
                    _answer(asking)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass  # one that has ended


def _answer(asking: socket.socket) -> None:
    """Run a command in a process of its own, and tell how it ends."""
    asked, files, *_ = socket.recv_fds(asking, MOST, 3)
    worker = os.fork()
    if worker == 0:
        asking.close()
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        os._exit(_ran(*ast.literal_eval(asked.decode())))
    ended = os.pidfd_open(worker)
    if ended not in select.select([ended, asking.fileno()], [], [])[0]:  # who asked has been killed
        os.kill(worker, signal.SIGKILL)
    _, status = os.waitpid(worker, 0)
    with suppress(OSError):
        asking.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def _ran(words: Sequence[str], folder: str, environment: dict[str, str]) -> int:
    from umpi.__main__ import main

    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["umpi", *words]
    try:
        status = main()
        sys.stdout.flush()
        return status
    except SystemExit as left:
        sys.stdout.flush()
        return left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1


if __name__ == "__main__":
    _serve(sys.argv[1])
