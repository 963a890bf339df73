"""Runs what an interrupt runs, with the heap locked, under MicroPython."""


class Pin:
    """A pin whose level is what it was set to, and whose interrupt is for `edges`: 4 falling, 8 rising."""

    def __init__(self):
        self.level = 0
        self.edges = 12

    def irq(self):
        """Return the interrupt, which is the pin itself."""
        return self

    def flags(self):
        """Return the edges."""
        return self.edges

    def value(self):
        """Return the level."""
        return self.level


def main():
    """Interrupt until the ring runs over."""
    import micropython
    from ring import MASK, Beam, Ring, Wall

    class Ticks:
        def __init__(self):
            self.now = MASK - 300_000

    def ticks_us():
        ticks.now = ticks.now + 1000 if ticks.now < MASK - 1000 else 7
        return ticks.now

    ticks, pin, ring = Ticks(), Pin(), Ring()
    beam_changed = Beam("lane_1", 0, ring, ticks_us, 0).changed
    wall_changed = Wall(1, ring, ticks_us).changed
    fault = None
    micropython.heap_lock()
    try:
        while ring.counted < 600:  # the ring holds 511
            pin.level = 1 - pin.level
            beam_changed(pin)
            wall_changed(pin)
            beam_changed(pin)  # too quick to be seen: both are put
            pin.edges = 8 if pin.level else 4
            beam_changed(pin)  # the way back of what was put: nothing is
            pin.edges = 12
    except MemoryError as met:
        fault = met
    micropython.heap_unlock()
    print(ring.counted, "changes without memory" if fault is None else "changes, then it needed memory")


if __name__ == "__main__":
    main()
