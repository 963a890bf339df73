"""The patience of tests: what never comes costs little, and a loaded machine makes nothing fail."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from pathlib import Path
from queue import SimpleQueue

import pytest

from tests.kit.patience import PROCESSORS, TURN_S, Patience, got, patiently, run_to_end, share, soon, wait_for

SHORT = 0.1  # of a processor


def short(part: float = 1.0) -> Patience:
    """Little patience, on a machine that leaves each program this part of a processor."""
    return Patience(SHORT, lambda: part)


def test_what_never_comes_fails_with_its_line_and_what_is_shown() -> None:
    with pytest.raises(
        AssertionError, match=r"(?s)test_patience.py, line \d+ waits in vain: wait_for\(.*NOT SAVED"
    ) as why:
        wait_for(lambda: False, lambda: "NOT SAVED", short())
    assert "False" in str(why.value)


def test_whatever_never_comes_fails() -> None:
    silent: SimpleQueue[int] = SimpleQueue()
    with pytest.raises(AssertionError, match="in vain"):
        patiently(threading.Event().wait, patience=short())
    with pytest.raises(AssertionError, match="in vain"):
        patiently(lambda turn_s: silent.get(timeout=turn_s), patience=short())


def test_a_coroutine_that_never_ends_fails_with_where_it_stands() -> None:
    async def never() -> None:
        await asyncio.Event().wait()

    with pytest.raises(AssertionError, match=r"(?s)in vain.*await asyncio.Event\(\).wait\(\)"):
        asyncio.run(soon(never(), short()))


def test_a_program_that_never_ends_is_killed_and_its_output_shown(tmp_path: Path) -> None:
    endless = "import sys, time; print('one', flush=True); open(sys.argv[1], 'w'); time.sleep(1000)"
    shown = tmp_path / "shown"
    with pytest.raises(AssertionError, match=r"(?s)in vain.*one"):
        run_to_end([sys.executable, "-c", endless, shown], patience=Patience(SHORT, lambda: float(shown.exists())))


@pytest.mark.parametrize("turns", [3, 30])
def test_a_turn_counts_the_share_that_the_machine_leaves(turns: int) -> None:
    """At a tenth of a processor, ten times as many turns."""
    patience = Patience(turns * TURN_S, lambda: 0.1)
    assert [patience.spend(TURN_S) for _ in range(turns * 10 + 1)].count(True) in (turns * 10 - 1, turns * 10)


@pytest.mark.slow
def test_a_machine_that_stood_still_costs_one_turn() -> None:
    patience = short()
    asked = iter([False, False, True])

    def came() -> bool:
        time.sleep(2 * SHORT)  # longer than there is patience
        return next(asked)

    assert wait_for(came, patience=patience)


def test_what_comes_is_returned() -> None:
    queue: SimpleQueue[object] = SimpleQueue()
    queue.put(None)
    assert got(queue) is None
    assert wait_for(lambda: "x") == "x"

    async def four() -> int:
        return 4

    assert asyncio.run(soon(four())) == 4
    echo = "import sys; print(sys.stdin.read()); sys.exit(3)"
    done = run_to_end([sys.executable, "-c", echo], "hello", text=True)
    assert (done.returncode, done.stdout, done.stderr) == (3, "hello\n", "")
    with pytest.raises(subprocess.CalledProcessError):
        run_to_end([sys.executable, "-c", "1 / 0"], check=True)


@pytest.mark.slow
def test_with_other_work_on_all_processors_a_slow_program_is_waited_for() -> None:
    """It needs 1 s of a processor, and gets a quarter of one at most: more seconds than there is patience for."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4 * PROCESSORS)]
    try:
        wait_for(lambda: share() < 0.3)
        slow = "import time\nwhile time.process_time() < 1: pass"
        assert run_to_end([sys.executable, "-c", slow], patience=Patience(3)).returncode == 0
    finally:
        for each in busy:
            each.kill()
            each.wait()
