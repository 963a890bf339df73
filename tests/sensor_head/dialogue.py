"""Talks to the head about everything and prints what it says; runs unchanged under CPython and MicroPython."""

from array import array


class Board:
    """Fake hardware: `change` is what the sampler does."""

    board = "e66160f423782934"
    boot = "0badcafe"

    def __init__(self, ticks_us):
        """Begin with all pins low."""
        from ring import Ring

        self.words = array("I", bytes(8 * 512))
        self.levels = self.written = 0
        self.ticks_us = ticks_us
        self.ring = Ring(self.words, 0, 512, lambda: self.written % 512)

    def watch(self, beams, wall):
        """Pull the beams up."""
        for pin in beams:
            self.change(pin, 1)

    def change(self, pin, level):
        """Set a pin."""
        levels = self.levels & ~(1 << pin) | level << pin
        if levels != self.levels:
            self.levels = levels
            self.words[self.written % 512] = levels
            self.words[512 + self.written % 512] = self.ticks_us()
            self.written += 1

    def emit(self, pin, on):
        """Report an emitter that is switched on or off."""
        print("emitter", pin, "on" if on else "off")

    def put(self, register, value):
        """Report what is written to the colour sensor."""
        print("put", register, value)
        return b"" if register else None

    def get(self, register, count):
        """Return bytes of the colour sensor."""
        return bytes(range(register, register + count)) if register else None


def main():
    """Have the dialogue."""
    from ring import PERIOD
    from sensing import Head

    now = [PERIOD - 1_500_000]
    board = Board(lambda: now[0] % PERIOD)
    head = Head(board, lambda: now[0] % PERIOD, lambda data: print(bytes(data).decode(), end=""))
    pins = {"lane_1": 2, "second_1": 8, "lane_6": 7, "wall": 15}

    def change(name, level):
        """Move a pin."""
        board.change(pins[name], level)

    def wait(us):
        """Advance the time in steps of 10 ms."""
        for _ in range(us // 10_000):
            now[0] += 10_000
            head.step()

    for command in (
        "hello 1 1", "hello 2 9", "hello", "ping 7", "ping 7 *959a6566", "ping 8 *959a6566", "levels", "lines",
        "lines lane_1=99", "lines lane_1 lane_1", "lines lane_1=3 lane_2=3", "lines foo", "emit lane_9 off",
        "emit lane_1 off", "fade lane_7", "fade lane_1", "fade lane_2", "what",
        "colour", "colour put 80 3", "colour put 0 1", "colour get b2 a", "colour get 0 1", "colour get b2 e",
        "colour get b2 0", "colour put 80 100", "colour get g 1", "colour get b2 1 1", "x" * 400, "",
    ):  # fmt: skip
        head.take(command.encode() + b"\r\n")
        wait(30_000)
    head.take(bytes(range(256)) * 3 + b"\n")
    head.take(b"lines lane_1 second_1 lane_6 wall=15\n")
    for turn in range(60):  # across the wrap
        change("lane_1", turn % 2)
        change("lane_6", (turn + 1) % 2)
        change("second_1", turn % 2)
        change("wall", 1)
        change("wall", 0)
        wait(30_000 + 1000 * turn)
    for _ in range(300):  # more than the ring holds
        change("second_1", 0)
        change("second_1", 1)
    head.take(b"levels\n")
    wait(700_000)
    head.take(b"leave\n")
    print(head.left)


if __name__ == "__main__":
    main()
