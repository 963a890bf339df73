"""The benchmark's memory figures are each process's own, whatever the one that started it has used."""

from __future__ import annotations

import pytest

from scripts.bench.start import timed

MIB = 1024  # KiB


@pytest.mark.slow
def test_a_small_process_of_a_large_one_is_small() -> None:
    """A child is forked with all its parent's memory, which the kernel counts as the most it has used."""
    large = bytearray(300 * MIB * 1024)
    large[::4096] = b"\1" * len(large[::4096])
    _, bare = timed("done()")
    _, greedy = timed("x = bytes(100_000_000); x = b'' + x[1:]; x = 0; done()")
    assert bare < 100 * MIB
    assert greedy - bare > 90 * MIB, "the most it has used, not what it uses at the end"
    del large
