"""Samples all pins in the RP2040's PIO, and stamps each change by DMA. The processor takes no part in either.

A state machine reads all pins every 0.5 µs. If one of them has changed, it pushes their levels. One DMA channel copies
the levels into a ring in memory, and starts a second one. That copies the microsecond timer, from which `ticks_us`
comes, into a ring beside it, and starts the first one again.
"""

from array import array

import rp2
from machine import Pin
from ring import Ring
from uctypes import addressof

BITS = 14  # each ring has 2**14 bytes, and begins at a multiple of that
SIZE = 1 << BITS - 2  # changes in a ring
HERTZ = 10_000_000  # five steps to a sample
RX_FIFO = 0x50200020  # of state machine 0
TIMER = 0x40054028  # TIMERAWL: microseconds
RX_REQUEST = 4  # the state machine's request for a transfer
AT_ONCE = 0x3F


@rp2.asm_pio(in_shiftdir=rp2.PIO.SHIFT_LEFT, fifo_join=rp2.PIO.JOIN_RX)
def changes():
    """Push the levels of GP0 to GP28 whenever they differ from the last ones, which are in y."""
    wrap_target()  # noqa: F821
    label("same")  # noqa: F821
    mov(isr, null)  # noqa: F821
    in_(pins, 29)  # noqa: F821
    mov(x, isr)  # noqa: F821
    jmp(x_not_y, "changed")  # noqa: F821
    jmp("same")  # noqa: F821
    label("changed")  # noqa: F821
    mov(y, x)  # noqa: F821
    push()  # noqa: F821
    wrap()  # noqa: F821


class Sampler:
    """The state machine and its two DMA channels; `ring` contains the changes."""

    def __init__(self):
        words = array("I", bytes(3 << BITS))
        first = -addressof(words) % (1 << BITS) // 4
        at = addressof(words) + 4 * first
        # kept here, as MicroPython ends a channel that nobody refers to
        self._levels, self._stamps = levels, stamps = rp2.DMA(), rp2.DMA()
        fixed = {"inc_read": False, "inc_write": True, "ring_sel": True, "ring_size": BITS, "high_pri": True}
        stamps.config(
            read=TIMER, write=at + (1 << BITS), count=1,
            ctrl=stamps.pack_ctrl(treq_sel=AT_ONCE, chain_to=levels.channel, **fixed),
        )  # fmt: skip
        levels.config(
            read=RX_FIFO, write=at, count=1, trigger=True,
            ctrl=levels.pack_ctrl(treq_sel=RX_REQUEST, chain_to=stamps.channel, **fixed),
        )  # fmt: skip
        self._machine = rp2.StateMachine(0, changes, freq=HERTZ, in_base=Pin(0))
        self._machine.exec("set(y, 0)")  # the ring begins with all pins low
        self._machine.active(1)
        self.ring = Ring(words, first, SIZE, lambda: (stamps.write - at) // 4 % SIZE)
