"""Talks to the head about everything and prints what it says; runs unchanged under CPython and MicroPython."""


class Pin:
    """A pin whose level is what it was set to, and whose interrupt is for edges of both kinds."""

    level = 1

    def irq(self):
        """Return the interrupt, which is the pin itself."""
        return self

    def flags(self):
        """Return the edges."""
        return 12

    def value(self):
        """Return the level."""
        return self.level


class Board:
    """Fake hardware."""

    board = "e66160f423782934"
    boot = "0badcafe"

    def watch(self, watched, pins):
        """Give each a pin."""
        self.watched = {each.name: each for each in watched}
        self.pins = {each.name: Pin() for each in watched}

    def dark(self, name):
        """Read a beam."""
        return self.pins[name].level == self.watched[name].dark_level

    def emit(self, pin, on):
        """Say which emitter goes on or off."""
        print("emitter", pin, "on" if on else "off")


def main():
    """Have the dialogue."""
    from ring import PERIOD
    from sensing import Head

    now = [PERIOD - 1_500_000]
    board = Board()
    head = Head(board, lambda: now[0] % PERIOD, lambda text: print(text, end=""))

    def change(name, level):
        """Move a pin and interrupt."""
        board.pins[name].level = level
        board.watched[name].changed(board.pins[name])

    def wait(us):
        """Let time pass, a step each 10 ms."""
        for _ in range(us // 10_000):
            now[0] += 10_000
            head.step()

    for command in (
        "hello 1 1", "hello 2 9", "hello", "ping 7", "ping 7 *959a6566", "ping 8 *959a6566", "levels", "lines",
        "lines lane_1=99", "lines lane_1 lane_1", "lines lane_1=3 lane_2=3", "lines foo", "emit lane_9 off",
        "emit lane_1 off", "what", "x" * 400, "",
    ):  # fmt: skip
        head.take(command.encode() + b"\r\n")
        wait(30_000)
    head.take(bytes(range(256)) * 3 + b"\n")
    head.take(b"lines lane_1 second_1 lane_6 wall=15\n")
    for turn in range(60):  # across the wrap
        change("lane_1", turn % 2)
        change("lane_6", (turn + 1) % 2)
        change("second_1", 1)  # too quick to be seen
        change("wall", 1)
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
