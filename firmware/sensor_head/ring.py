"""Finds the changes in the rings that the DMA fills, and extends the counter beyond its wrap."""

MASK = 0x3FFFFFFF  # of the Pico's ticks_us
PERIOD = MASK + 1  # the ticks start again from 0 after 17.9 minutes
BATCH = 32


class Ring:
    """The changes of the pins: the levels of all pins after each change, and its stamp.

    `words` contains `size` levels from index `first` on, then as many stamps. `size` is a power of 2. `written`
    returns how many pairs have been written, modulo `size`. The changes from `out` to `until` are the next to read. If
    the writer overtakes the reader, all changes in the ring are lost, and `lost` counts them.
    """

    def __init__(self, words, first, size, written):
        self.words, self.first, self.size = words, first, size
        self.lost = 0
        self.out = 0  # changes since the start
        self.until = 0
        self._in = 0
        self._written = written
        self._last = self._stamp(-1)

    def look(self):
        """Look for changes. Return how many are the next to read, at most BATCH."""
        self._count()
        if self._in - self.out >= self.size or self._overtaken():
            self._skip()
        self.until = min(self.out + BATCH, self._in)
        return self.until - self.out

    def advance(self):
        """Go past the changes that were read. Return False if they were overwritten while they were read."""
        if self._overtaken():
            return False
        self.out = self.until
        self._last = self._stamp(self.out - 1)
        return True

    def levels(self, index):
        """Return the levels of a change."""
        return self.words[self.first + (index & self.size - 1)]

    def ticks(self, index):
        """Return the stamp of a change, as `ticks_us` returns it."""
        return self._stamp(index) & MASK

    def _stamp(self, index):
        return self.words[self.first + self.size + (index & self.size - 1)]

    def _count(self):
        self._in += (self._written() - self._in) & self.size - 1

    def _overtaken(self):
        return self._stamp(self.out - 1) != self._last

    def _skip(self):
        """Skip everything in the ring. The writer has been round at least once."""
        waiting = self._in - self.out
        self.lost += waiting if waiting >= self.size else waiting + self.size
        self.out = self._in
        self._last = self._stamp(self.out - 1)


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
