"""Lines of a reader over a real pseudo-terminal: pulled, plugged, repeated, garbled."""

from __future__ import annotations

import os
import queue
import tty
from collections.abc import Callable, Iterator
from itertools import count, repeat
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.open_files import open_files
from tests.kit.patience import got
from tests.kit.sampling import examples
from umpi.drivers import scanner
from umpi.drivers.scanner import LONGEST, SILENCE_NS, Reader, ScannedLines, Scanner
from umpi.timing.events import Scan
from umpi.timing.units import MS

SECOND = 1000 * MS


def codes(lines: ScannedLines, *pieces: bytes, at_ns: int = SECOND) -> list[str]:
    return [scan.code for piece in pieces for scan in lines.feed(piece, at_ns)]


class Plug:
    """A reader that can be unplugged: a pseudo-terminal under a removable name, and the scans received from it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "reader"
        self.scans: queue.Queue[Scan] = queue.Queue()
        self.device_errors: queue.Queue[str] = queue.Queue()
        self.ticks: Iterator[int] = count(SECOND, SECOND)
        self._ends: list[int] = []
        self.scanner: Scanner | None = None

    def listen(self, on_scan: Callable[[Scan], object] | None = None, **settings: object) -> Plug:
        reader = Reader(**{"port": str(self.path), **settings})  # type: ignore[arg-type]
        self.scanner = Scanner(reader, on_scan or self.scans.put, lambda: next(self.ticks), self.device_errors.put)
        return self

    def plug(self) -> Plug:
        master, slave = os.openpty()
        tty.setraw(slave)
        self.path.symlink_to(os.ttyname(slave))
        self._ends = [master, slave]
        return self

    def pull(self) -> None:
        self.path.unlink(missing_ok=True)
        for end in self._ends:
            os.close(end)
        self._ends = []

    def send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._ends[0], data[:1000]) :]

    @property
    def next_scan(self) -> str:
        return got(self.scans).code

    @property
    def next_trouble(self) -> str:
        return got(self.device_errors)


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plug]:
    monkeypatch.setattr(scanner, "PAUSES_S", (0.001,))
    plug = Plug(tmp_path)
    yield plug
    if plug.scanner:
        plug.scanner.close()
        assert not plug.scanner._thread.is_alive()
    plug.pull()


def receives_scans_after_plugging(reader: Plug) -> Plug:
    reader.listen()
    assert "No card scanner" in reader.next_trouble
    reader.plug()
    assert reader.next_trouble == ""
    return reader


def test_a_scan_arrives_with_its_stamp(reader: Plug) -> None:
    receives_scans_after_plugging(reader)
    reader.send(b"umpi:dodekka:fire-2#1\r\n")
    assert got(reader.scans) == Scan("umpi:dodekka:fire-2#1", SECOND)


def test_a_scanner_works_again_after_unplugging(reader: Plug) -> None:
    """It comes back by itself, and lets go of the lost port, though a log may keep the fault with its traceback."""
    before = open_files("/dev/pts/")
    receives_scans_after_plugging(reader)
    for card in ("fire-1", "air-4", "earth-0"):
        reader.send(card.encode() + b"\r")
        assert reader.next_scan == card
        reader.send(b"wat")  # pulled in the middle of a line
        reader.pull()
        device_errors = [reader.next_trouble]
        while "No card scanner" not in device_errors[-1]:
            device_errors.append(reader.next_trouble)
        assert open_files("/dev/pts/") == before
        reader.plug()
        while device_errors[-1]:
            device_errors.append(reader.next_trouble)
    reader.send(b"ether-3\r")
    assert reader.next_scan == "ether-3", "not what was left of the line before"


def test_a_reader_that_is_away_is_logged_once_and_once_when_it_is_back(
    reader: Plug, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    receives_scans_after_plugging(reader)
    assert [(record.levelname, bool(record.exc_info)) for record in caplog.records] == [
        ("WARNING", True),
        ("INFO", False),
    ]


def test_an_error_is_reported_once_as_text(reader: Plug) -> None:
    receives_scans_after_plugging(reader)
    reader.pull()
    reason = reader.next_trouble
    missing = reason.startswith(f"No card scanner at {reader.path}")
    assert missing or reason.endswith("plug it back in."), reason


def test_a_port_used_by_another_program_is_reported(reader: Plug) -> None:
    import serial

    reader.plug()
    with serial.Serial(str(reader.path), exclusive=True):
        reader.listen()
        assert reader.next_trouble == f"Another program is using the scanner at {reader.path}."
    assert reader.next_trouble == ""


def test_a_file_that_is_not_a_serial_port_is_reported(reader: Plug) -> None:
    reader.path.write_text("a file")
    reader.listen()
    assert reader.next_trouble.startswith(f"Card scanner at {reader.path}")


def test_a_port_may_be_a_pattern(reader: Plug) -> None:
    """/dev/serial/by-id names the device; ttyACM0 may be the sensor head tomorrow."""
    reader.listen(port=str(reader.path.parent / "read*"))
    assert "No card scanner" in reader.next_trouble
    reader.plug()
    assert reader.next_trouble == ""
    reader.send(b"air-1\r")
    assert reader.next_scan == "air-1"


def test_a_listener_that_fails_costs_a_scan_not_the_reader(reader: Plug) -> None:
    def fail_on_garbage(scan: Scan) -> None:
        reader.scans.put(scan)
        if scan.code == "bad":
            raise KeyError("bad")

    reader.listen(on_scan=fail_on_garbage)
    assert "No card scanner" in reader.next_trouble
    reader.plug()
    assert reader.next_trouble == ""
    reader.send(b"bad\r")
    assert reader.next_scan == "bad"
    assert "KeyError" in reader.next_trouble
    assert reader.next_trouble == ""
    reader.send(b"good\r")
    assert reader.next_scan == "good"


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n", b"\x03"])
def test_any_end_of_a_line_ends_it_whatever_the_reader_is_set_to(end: bytes) -> None:
    lines = ScannedLines(Reader("port"))
    assert codes(lines, b"fire-2" + end + b"air-3" + end, b"\x02wat", b"er-1", end) == ["fire-2", "air-3", "water-1"]
    assert lines.garbled == 0


def test_an_unterminated_line_does_not_count() -> None:
    assert codes(ScannedLines(Reader("port")), b"fire-2") == []


def test_an_unfinished_line_is_dropped_after_a_pause() -> None:
    lines = ScannedLines(Reader("port"))
    assert codes(lines, b"fi") == []
    assert codes(lines, b"air-3\r", at_ns=2 * SECOND + SILENCE_NS) == ["air-3"]
    assert lines.garbled == 1


def test_a_repeated_scan_counts_once() -> None:
    """Readers repeat a code, and a tag stays on its reader for a while."""
    lines = ScannedLines(Reader("port", again_ms=1000))
    times = [0, 300, 900, 1800, 2700, 3800, 5000]
    scans = [at for at in times if codes(lines, b"fire-2\r", at_ns=SECOND + at * MS)]
    assert scans == [0, 3800, 5000], "a second after it was last seen, not first"


def test_two_cards_one_after_the_other_are_two_however_quick() -> None:
    assert codes(ScannedLines(Reader("port")), b"fire-1#1\rfire-1#2\rfire-1#1\r") == ["fire-1#1", "fire-1#2"]


def test_a_pattern_takes_the_code_out_of_what_the_reader_puts_around_it() -> None:
    lines = ScannedLines(Reader("port", pattern=r"\]Q1(?P<code>[\w-]+)!?"))
    assert codes(lines, b"]Q1fire-2!\r]Q1air-1\rwater-2\r") == ["fire-2", "air-1"]
    assert lines.garbled == 1


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, ""),
        ({"port": ""}, '"port" must be'),
        ({"baud": 9601}, '"baud" must be a speed such as 9600 or 115200, not 9601'),
        ({"baud": "9600"}, '"baud"'),
        ({"pattern": "("}, '"pattern" is not a regular expression'),
        ({"pattern": "x"}, '"pattern" must have a group'),
        ({"again_ms": -1}, '"again_ms"'),
        ({"again_ms": 0, "baud": 115200}, ""),
    ],
)
def test_a_senseless_setting_is_refused_in_words(settings: dict[str, object], expected: str) -> None:
    reason = Reader(**{"port": "/dev/ttyACM0", **settings}).refusal()  # type: ignore[arg-type]
    assert reason.startswith(expected)
    assert bool(reason) == bool(expected)


@settings(max_examples=examples(300))
@given(st.lists(st.binary(max_size=3 * LONGEST), max_size=8), st.booleans())
def test_after_any_bytes_the_next_whole_line_is_read(pieces: list[bytes], slow: bool) -> None:
    lines = ScannedLines(Reader("port", pattern=r"umpi:(?P<code>[\w-]+)"))
    for index, piece in enumerate(pieces):
        lines.feed(piece, SECOND + index * SECOND * slow)
    assert codes(lines, b"\r", b"umpi:fire", b"-2\r", at_ns=100 * SECOND) == ["fire-2"]


@settings(max_examples=examples(100))
@given(st.data())
def test_lines_are_the_same_however_they_are_cut_into_pieces(data: st.DataObject) -> None:
    whole = data.draw(st.binary(max_size=300)) + b"\rfire-2\r"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=20)))
    pieces = [whole[first:last] for first, last in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert codes(ScannedLines(Reader("port")), *pieces) == codes(ScannedLines(Reader("port")), whole)


def test_noise_on_a_real_port_is_survived(reader: Plug) -> None:
    """A million bytes of noise.

    The clock stands still: bytes that a full port takes in two pieces are one line, however long the second waits.
    """
    reader.ticks = repeat(SECOND)
    receives_scans_after_plugging(reader)
    reader.send(Random(1).randbytes(1_000_000) + b"\r")
    reader.send(b"the end\r")
    while reader.next_scan != "the end":
        pass
    assert reader.device_errors.empty()
