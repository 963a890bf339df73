"""The lines from the service to the programs that may write its card, and that install games."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

import pytest

from tests.kit.patience import got
from umpi.appliance import networks
from umpi.kernel.messages import message
from umpi.recording.values import dumped, plain
from umpi.referee.effects import BeginShelfTask
from umpi.referee.events import CardNews, ShelfNews
from umpi.service.card_line import CardLine
from umpi.service.shelf_line import ShelfLine, Wish, read_wish
from umpi.table.card import ChosenNetwork, FoundNetwork

WRITING = CardNews("busy", message("Writing:"), 40)
DONE = CardNews("done", "The box restarts.")
Serve = Callable[[IO[bytes], IO[bytes]], object]


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Callable[[Serve], Path]]:
    """Start a program at a socket; each connection is served on a thread."""
    servers: list[socket.socket] = []

    def begin(serve: Serve) -> Path:
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(tmp_path / "card.sock"))
        server.listen()
        servers.append(server)

        def one(connection: socket.socket) -> None:
            with connection, connection.makefile("rb") as heard, connection.makefile("wb") as told:
                serve(heard, told)

        def accept() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                Thread(target=one, args=(connection,), daemon=True).start()

        Thread(target=accept, daemon=True).start()
        return tmp_path / "card.sock"

    yield begin
    for server in servers:
        server.shutdown(socket.SHUT_RDWR)
        server.close()


def send(told: IO[bytes], news: CardNews) -> None:
    told.write(f"{dumped(plain(news))}\n".encode())
    told.flush()


def test_the_news_of_a_task_and_the_answer_to_its_question(serving: Callable[[Serve], Path]) -> None:
    heard: SimpleQueue[bytes] = SimpleQueue()

    def serve(lines: IO[bytes], told: IO[bytes]) -> None:
        heard.put(lines.readline())
        send(told, WRITING)
        send(told, CardNews("asks", "Restart now?", agree="restart"))
        heard.put(lines.readline())
        send(told, DONE)

    news: SimpleQueue[CardNews] = SimpleQueue()
    line = CardLine(news.put, serving(serve))
    line.begin("update from stick")
    assert got(heard) == b"update from stick\n"
    first = got(news)
    assert first == WRITING
    assert first.text.template == "Writing:", "so that it can be translated"
    assert got(news).stage == "asks"
    line.agree()
    assert got(heard) == b"agree\n"
    assert got(news) == DONE
    line.close()


def test_a_program_that_ends_in_between_is_a_failure(serving: Callable[[Serve], Path]) -> None:
    news: SimpleQueue[CardNews] = SimpleQueue()
    line = CardLine(news.put, serving(lambda lines, told: (lines.readline(), send(told, WRITING))))
    line.begin("back up")
    assert got(news) == WRITING
    assert got(news).stage == "failed"


@pytest.mark.parametrize("answer", [b"garbage\n", b'{"#":"Tick","at_ns":1}\n', b"[1]\n"])
def test_what_is_no_news_is_a_failure(answer: bytes, serving: Callable[[Serve], Path]) -> None:
    def serve(lines: IO[bytes], told: IO[bytes]) -> None:
        lines.readline()
        told.write(answer)
        told.flush()

    news: SimpleQueue[CardNews] = SimpleQueue()
    CardLine(news.put, serving(serve)).begin("back up")
    assert got(news).stage == "failed"


def test_without_the_program_it_says_so(tmp_path: Path) -> None:
    news: SimpleQueue[CardNews] = SimpleQueue()
    CardLine(news.put, tmp_path / "none").begin("back up")
    assert "No such file" in got(news).text


def test_a_task_that_another_replaces_says_nothing_more(serving: Callable[[Serve], Path]) -> None:
    ended: SimpleQueue[bytes] = SimpleQueue()

    def serve(lines: IO[bytes], told: IO[bytes]) -> None:
        task = lines.readline()
        if task == b"back up\n":
            send(told, DONE)
        else:
            send(told, CardNews("asks", "Restart now?", agree="restart"))
            ended.put(lines.readline())

    news: SimpleQueue[CardNews] = SimpleQueue()
    line = CardLine(news.put, serving(serve))
    line.begin("update from stick")
    assert got(news).stage == "asks"
    line.begin("back up")
    assert got(ended) == b"", "the task before has ended"
    assert got(news) == DONE


@pytest.mark.slow  # it waits for three seconds
def test_a_task_that_hangs_is_given_up_and_one_that_asks_waits(serving: Callable[[Serve], Path]) -> None:
    """Nobody must be in a hurry to answer, and nobody waits for a stick that does not answer any more."""
    heard: SimpleQueue[bytes] = SimpleQueue()
    go_on: SimpleQueue[None] = SimpleQueue()

    def serve(lines: IO[bytes], told: IO[bytes]) -> None:
        heard.put(lines.readline())
        send(told, CardNews("asks", "Restart now?", agree="restart"))
        go_on.get()
        send(told, WRITING)
        heard.put(lines.readline())

    news: SimpleQueue[CardNews] = SimpleQueue()
    line = CardLine(news.put, serving(serve), silence_s=1)
    line.begin("update from stick")
    assert got(heard) == b"update from stick\n"
    assert got(news).stage == "asks"
    with pytest.raises(Empty):
        news.get(timeout=2)  # twice as long as it may be silent
    go_on.put(None)
    assert got(news) == WRITING
    given_up = got(news)
    assert given_up.stage == "failed"
    assert "does not answer" in given_up.text
    assert got(heard) == b"", "the connection has ended"
    line.close()


def test_the_network_to_join_arrives_as_it_was_typed(
    serving: Callable[[Serve], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(networks, "countries", lambda: frozenset({"FR"}))
    chosen = ChosenNetwork('Café "den"\n\\', ' !"#\\~paprika', "FR")
    found = CardNews("done", "Choose.", networks=(FoundNetwork("guests", open=True), FoundNetwork("é")), country="FR")
    heard: SimpleQueue[ChosenNetwork] = SimpleQueue()

    def serve(lines: IO[bytes], told: IO[bytes]) -> None:
        assert lines.readline() == b"join network\n"
        heard.put(networks.read_chosen(lines.readline()))
        send(told, found)

    news: SimpleQueue[CardNews] = SimpleQueue()
    CardLine(news.put, serving(serve)).begin("join network", chosen)
    assert got(heard) == chosen
    assert got(news) == found


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (b"", "The work on the games broke off. Try again."),
        (b"[1]\n", "The box cannot work on its games: expected news of the shelves, got (1,)."),
        (b'{"#":"ShelfNews","stage":"done","text":"Read."}\n', "Read."),
    ],
)
def test_a_task_of_the_shelves_ends_with_news_or_why_it_broke_off(
    serving: Callable[[Serve], Path], answer: bytes, told: str
) -> None:
    heard: SimpleQueue[bytes] = SimpleQueue()
    news: SimpleQueue[ShelfNews] = SimpleQueue()

    def serve(lines: IO[bytes], telling: IO[bytes]) -> None:
        heard.put(lines.readline())
        telling.write(f"{dumped(plain(ShelfNews('busy', 'Reading')))}\n".encode() + answer)

    settings = [("dodeka", ("quiz", "dodeka"))]
    line = ShelfLine(news.put, Path("/box/games.db"), Path("/box/there"), lambda: settings, serving(serve))
    line.begin(BeginShelfTask("install", "https://a.example", "night-owls"))
    wish = Wish("install", "https://a.example", "night-owls", "/box/games.db", "/box/there", tuple(settings))
    assert read_wish(got(heard)) == wish
    assert [str(got(news).text), str(got(news).text)] == ["Reading", told]
    with pytest.raises(Empty):
        news.get_nowait()
    line.close()
