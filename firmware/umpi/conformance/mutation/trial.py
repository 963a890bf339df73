"""Try one change of an engine, in a process of its own: it may loop, or use up the memory."""

from __future__ import annotations

import gc
import os
import pickle
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from umpi.conformance.mutation.question import Question
from umpi.frozen import frozen

WAITS = 20  # how much longer than its limit of processor time a copy may take
MEMORY = 2 << 30  # bytes, the most that a change may use
TOO_LONG = "It takes too long."
TOO_MUCH = "It uses up the memory."
ENDS = "It ends Python."


@frozen
class Noticed:
    """What has noticed a change, and what it says."""

    by: str
    why: str


@frozen
class Open:
    """Nothing has noticed a change that makes a difference; `question` says where."""

    question: Question


@frozen
class Same:
    """Nothing has noticed a change, and no position was found where it makes a difference."""


Outcome = Noticed | Open | Same


def tried(look: Callable[[], Outcome], limit_s: int) -> Outcome:
    """Return what `look` returns in a copy of this process; one that takes too long or too much has been noticed.

    `limit_s` is in seconds of processor time. A copy that ends without an outcome has been noticed, too.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _look(look, limit_s, writing)
    os.close(writing)
    try:
        with open(reading, "rb") as pipe:
            answer = pipe.read()
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        late = os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGALRM)
        return Noticed("limit", TOO_LONG if late else ENDS)
    if not answer:
        return Noticed("limit", ENDS)
    outcome: Outcome = pickle.loads(answer)
    return outcome


def _look(look: Callable[[], Outcome], limit_s: int, writing: int) -> NoReturn:
    """Look, write the outcome and end this process."""
    try:
        with open(os.devnull, "r+") as nowhere, open(writing, "wb") as pipe:
            sys.stdin = sys.stdout = sys.stderr = nowhere  # an engine may read and print
            for stream in (0, 1, 2):
                os.dup2(nowhere.fileno(), stream)
            gc.disable()  # a collection would copy the memory that both processes share
            resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 1))
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(limit_s * WAITS)  # for a change that waits, which takes no time of the processor
            with suppress(ValueError, OSError):  # not every system has this limit
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            try:
                outcome = look()
            except MemoryError:
                outcome = Noticed("limit", TOO_MUCH)
            pickle.dump(outcome, pipe)
    finally:
        os._exit(0)
