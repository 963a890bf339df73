"""Interrupts to numbered, stamped changes: what runs in an interrupt and what it leaves for the loop.

Nothing that runs in an interrupt may allocate memory: small integers and places made beforehand only.
"""

from array import array

MASK = 0x3FFFFFFF  # of the Pico's ticks_us, written out: reckoned it would be no small integer
PERIOD = MASK + 1  # where they begin anew, after 17.9 minutes
FALLING, RISING = 4, 8  # an edge, as Pin.IRQ_FALLING and Pin.IRQ_RISING count it on a Pico
QUIET_US = 20_000  # a piezo rings on; so long after a hit it is not heard


class Ring:
    """Changes on their way from the interrupt, which puts them, to the loop, which takes them.

    Each has a number, from 1 on. Where the ring is full a change is lost, but not its number. `size` is a power of 2.
    """

    def __init__(self, size=512):
        self.size = size
        self.counted = 0
        self._mask = size - 1
        self._what = array("B", bytes(size))
        self._number = array("I", bytes(4 * size))
        self._at = array("I", bytes(4 * size))
        self._in = 0
        self._out = 0

    def put(self, what, at):
        """Put a change of `what` at the ticks `at`. Runs in an interrupt."""
        number = self.counted + 1
        here = self._in
        after = (here + 1) & self._mask
        if after != self._out:
            self._what[here] = what
            self._number[here] = number
            self._at[here] = at
            self._in = after
        self.counted = number

    def take(self):
        """Return (number, what, ticks) of the oldest change, None where there is none."""
        here = self._out
        if here == self._in:
            return None
        change = (self._number[here], self._what[here], self._at[here])
        self._out = (here + 1) & self._mask
        return change


class Beam:
    """What the interrupt of one receiver's pin does; `dark` is how it stands.

    A change there and back before the interrupt could look is put as both, at one stamp: dark and light take turns.
    Where it went back after the interrupt had begun, its way back interrupts once more, and is not put again.
    """

    def __init__(self, name, number, ring, ticks_us, dark_level):
        self.name = name
        self.dark_level = dark_level
        self.dark = False
        self.changed = self._changed  # bound here, for binding allocates
        self._what = 2 * number
        self._ring = ring
        self._ticks_us = ticks_us

    def _changed(self, pin):
        at = self._ticks_us()
        level = pin.value()
        dark = level == self.dark_level
        if dark == self.dark:
            if pin.irq().flags() == (RISING if level else FALLING):
                return
            self._ring.put(self._what if dark else self._what + 1, at)
        self.dark = dark
        self._ring.put(self._what + 1 if dark else self._what, at)


class Wall:
    """What the interrupt of the piezo's pin does: the first edge of a hit counts, the ringing after it does not."""

    name = "wall"
    dark_level = 1
    dark = False

    def __init__(self, number, ring, ticks_us):
        self.changed = self._changed
        self._what = 2 * number + 1
        self._ring = ring
        self._ticks_us = ticks_us
        self._last = -1  # none yet

    def _changed(self, _pin):
        at = self._ticks_us()
        if self._last >= 0 and ((at - self._last) & MASK) < QUIET_US:
            return
        self._last = at
        self._ring.put(self._what, at)


class Clock:
    """Ticks, which begin anew every 17.9 minutes, to microseconds since the start, which do not.

    Ask for `now` at least every few minutes.
    """

    def __init__(self, ticks):
        self._ticks = ticks
        self._us = 0

    def us(self, ticks):
        """Return the microseconds of ticks at most half a period away from the last `now`."""
        return self._us + ((ticks - self._ticks + PERIOD // 2) & MASK) - PERIOD // 2

    def now(self, ticks):
        """Let time pass up to `ticks` and return its microseconds."""
        self._us = self.us(ticks)
        self._ticks = ticks
        return self._us
