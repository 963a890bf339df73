"""The code that runs in interrupts: it turns edges into numbered, stamped changes for the loop.

Code in an interrupt must not allocate memory: it uses only small integers and arrays that exist already.
"""

from array import array

MASK = 0x3FFFFFFF  # of the Pico's ticks_us, as a literal: a computed value would not be a small integer
PERIOD = MASK + 1  # the ticks start again from 0 after 17.9 minutes
FALLING, RISING = 4, 8  # the values of Pin.IRQ_FALLING and Pin.IRQ_RISING on a Pico
QUIET_US = 20_000  # a piezo continues to ring; ignore it for this time after a hit


class Ring:
    """A queue of changes: the interrupt puts them, the loop takes them.

    Changes are numbered from 1. If the ring is full, a change is lost, but not its number. `size` is a power of 2.
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
        """Add a change of `what` at the ticks `at`. Runs in an interrupt."""
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
        """Return (number, what, ticks) of the oldest change, or None."""
        here = self._out
        if here == self._in:
            return None
        change = (self._number[here], self._what[here], self._at[here])
        self._out = (here + 1) & self._mask
        return change


class Beam:
    """The interrupt of one receiver's pin. `dark` is its present state.

    If the pin changes and changes back before the interrupt runs, both changes get the same stamp, because dark and
    light must alternate. If it changes back while the interrupt runs, it interrupts again, but is not added twice.
    """

    def __init__(self, name, number, ring, ticks_us, dark_level):
        self.name = name
        self.dark_level = dark_level
        self.dark = False
        self.changed = self._changed  # bound here, because binding allocates memory
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
    """The interrupt of the piezo's pin: the first edge of a hit counts, the ringing after it does not."""

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
    """Converts ticks, which start again every 17.9 minutes, to microseconds since the start.

    Call `now` at least every few minutes.
    """

    def __init__(self, ticks):
        self._ticks = ticks
        self._us = 0

    def us(self, ticks):
        """Return the microseconds of ticks at most half a period away from the last `now`."""
        return self._us + ((ticks - self._ticks + PERIOD // 2) & MASK) - PERIOD // 2

    def now(self, ticks):
        """Advance to `ticks` and return the microseconds."""
        self._us = self.us(ticks)
        self._ticks = ticks
        return self._us
