"""Admission of connections: limits and fair turns, so that a crowd delays neither the game nor a paired phone.

Paired phones' requests, other requests and new connections take turns, one at a time, and so do the addresses of each
kind. After each turn, the game's loop has three times the duration of that turn for itself. If there is no room for a
new connection, the server cuts off the oldest connection of the unpaired address with the most. It never cuts off a
stream for that: there are fewer of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import resource
import socket
import ssl
import struct
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from umpi.web.codes import network_of

BACKLOG = 1024  # connections that the kernel queues until they are accepted
MOST = 640  # connections at once
ROOM = 64  # of these, reserved for paired phones
EACH = 32  # connections per address
KNOWN = 64  # remembered addresses of paired phones
HEAD_S = 10.0  # for a whole request head to arrive
STALLED_S = 30.0  # for a client to read what was sent
AGAIN_S = 1.0  # until the next attempt after accept() has failed
COUNTED_S = 60.0  # between log entries about refused connections
HANDSHAKE_S = 0.002  # of TLS, which are after the turn that accepts a connection
REST = 3  # times the duration of the turn
ROUNDS = 4  # of the loop; most requests are finished within them
ACCEPTED = 8  # new connections per turn; the kernel would keep a phone's behind all those of a crowd
ABORT = struct.pack("ii", 1, 0)  # SO_LINGER: reset the connection at once and discard unsent data

log = logging.getLogger(__name__)


def listen_at(host: str, port: int) -> socket.socket:
    """Listen at an address. Port 0 takes a free one. Raises OSError.

    The socket names its protocol, which its connections inherit: only then asyncio sends an answer in two parts without
    a wait of 40 ms for the acknowledgement of the first (TCP_NODELAY).
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        made = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (TypeError, UnicodeError):  # Python cannot write the name as one of the internet
        raise OSError(f"{host} is not a valid host name") from None
    return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, made.detach())


class Door:
    """Admit connections to the web server, all on one event loop.

    `paired` returns whether a request is from a paired phone. `proxy` returns whether an address is a proxy, which many
    clients share.
    """

    def __init__(self, paired: Callable[[Any], bool], proxy: Callable[[str], bool] = lambda address: False) -> None:
        self.paired, self.proxy = paired, proxy
        self.most = min(MOST, resource.getrlimit(resource.RLIMIT_NOFILE)[0] * 5 // 8)  # the rest are for all else
        self.connections: dict[str, list[Connection]] = {}  # by address, oldest first
        self._known: OrderedDict[str, None] = OrderedDict()
        self._waiting: tuple[_Line, _Line] = {}, {}  # requests: the queue of paired phones, and the queue of the others
        self._new: _Line = {}  # accepted connections whose handshake has not begun
        self._calling: set[socket.socket] = set()  # the sockets with new connections to accept
        self._listening: dict[socket.socket, ssl.SSLContext | None] = {}
        self._make: Callable[[], Connection] = NotImplemented
        self._turning = False
        self._turns = 0
        self._refused = self._cut = 0
        self._tasks: set[asyncio.Task[Any]] = set()

    def open(self, listening: Iterable[socket.socket], make: Callable[[], Connection]) -> None:
        """Accept connections on these sockets. `make` creates the protocol of a connection."""
        self._make = make
        for each in listening:
            self.add(each)

    def add(self, listening: socket.socket, context: ssl.SSLContext | None = None) -> None:
        """Accept connections on a socket too, with TLS if there is a `context`; again with another context."""
        new = listening not in self._listening
        self._listening[listening] = context
        if new:
            listening.setblocking(False)
            self._listen(listening)

    def remove(self, listening: socket.socket) -> None:
        """Stop accepting connections on a socket."""
        if listening in self._listening:
            asyncio.get_running_loop().remove_reader(listening)
            del self._listening[listening]
            self._calling.discard(listening)

    def close(self) -> None:
        """Stop accepting connections."""
        for listening in list(self._listening):
            self.remove(listening)
        for connection in [each for line in self._new.values() for each in line]:
            self.forget(connection)
            connection.cut()

    def know(self, address: str) -> None:
        """Remember that a paired phone has this address."""
        self._known[address] = None
        self._known.move_to_end(address)
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)

    def queue(self, connection: Connection) -> None:
        """Queue a connection for its turn."""
        waiting = self._waiting[connection.address not in self._known]
        if connection not in (line := waiting.setdefault(connection.address, [])):
            line.append(connection)
        self._wake()

    def forget(self, connection: Connection) -> None:
        """Remove a lost connection from all lists."""
        for lines in (self.connections, *self._waiting, self._new):
            if connection in (line := lines.get(connection.address, [])):
                line.remove(connection)
                if not line:
                    del lines[connection.address]

    def waits(self, connection: Connection) -> bool:
        """Return whether a connection waits for its turn."""
        return any(connection in lines.get(connection.address, ()) for lines in self._waiting)

    def _listen(self, listening: socket.socket) -> None:
        if listening in self._listening:
            asyncio.get_running_loop().add_reader(listening, self._call, listening)

    def _call(self, listening: socket.socket) -> None:
        asyncio.get_running_loop().remove_reader(listening)
        self._calling.add(listening)
        self._wake()

    def _wake(self) -> None:
        if not self._turning:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """Handle one request or begin one connection.

        The kinds of work alternate. Within a kind, the addresses take turns.
        """
        begun_s = time.thread_time()
        for listening in list(self._calling):
            self._accept(listening)
        kinds = [waiting for waiting in (*self._waiting, self._new) if waiting]
        if kinds:
            self._turns += 1
            waiting = kinds[self._turns % len(kinds)]
            address, line = next(iter(waiting.items()))
            connection = line.pop(0)
            del waiting[address]
            if line:
                waiting[address] = line  # at the end
            if waiting is self._new:
                begun_s -= self._begin(connection)
            else:
                connection.go()
        self._rest(begun_s, ROUNDS)

    def _rest(self, begun_s: float, rounds: int) -> None:
        """Wait before the next turn, three times as long as this turn took.

        The turn includes the work that it caused in the next `rounds` rounds of the loop.
        """
        if rounds:
            asyncio.get_running_loop().call_soon(self._rest, begun_s, rounds - 1)
        elif self._calling or self._new or any(self._waiting):
            spent_s = time.thread_time() - begun_s
            asyncio.get_running_loop().call_later(REST * spent_s, self._turn)
        else:
            self._turning = False

    def _accept(self, listening: socket.socket) -> None:
        """Accept new connections, as many as a turn may, and queue those that there is room for."""
        for _ in range(ACCEPTED):
            try:
                calling, (address, *_) = listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                self._calling.discard(listening)
                self._listen(listening)
                return
            except OSError as fault:  # for example, no file descriptors left
                log.warning("No connection can be taken: %s", fault)
                self._calling.discard(listening)
                asyncio.get_running_loop().call_later(AGAIN_S, self._listen, listening)
                return
            if self._admits(address := network_of(address)):
                connection = self._make()
                connection.address, connection.socket = address, calling
                connection.context = self._listening[listening]
                for lines in (self.connections, self._new):
                    lines.setdefault(address, []).append(connection)
            else:
                self._count(refused=1)
                calling.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORT)
                calling.close()

    def _admits(self, address: str) -> bool:
        known = address in self._known
        if len(self.connections.get(address, ())) >= EACH and not self.proxy(address):
            return False
        number = sum(map(len, self.connections.values()))
        if number < (self.most if known else self.most * (MOST - ROOM) // MOST):
            return True
        strange = {
            each: [connection for connection in line if not (connection.paired or connection.streams)]
            for each, line in self.connections.items()
            if each not in self._known
        }
        crowd = max(strange.values(), key=len, default=[])
        if not crowd:
            return False
        self._count(cut=1)
        self.forget(crowd[0])
        crowd[0].cut()
        return True

    def _begin(self, connection: Connection) -> float:
        """Begin a connection. Return how long its handshake will take, in seconds."""
        calling = connection.socket
        assert calling
        connection.begun = True
        calling.setblocking(False)
        calling.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(STALLED_S * 1000))
        task = asyncio.create_task(self._connect(connection, calling))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return HANDSHAKE_S if connection.context else 0.0

    async def _connect(self, connection: Connection, calling: socket.socket) -> None:
        loop, context = asyncio.get_running_loop(), connection.context
        timeout_s = HEAD_S if context else None
        try:
            await loop.connect_accepted_socket(
                lambda: connection, calling, ssl=context, ssl_handshake_timeout=timeout_s
            )
        except OSError:  # the client has already disconnected
            log.debug("A connection was lost before it was let in", exc_info=True)
            self.forget(connection)
            calling.close()

    def _count(self, refused: int = 0, cut: int = 0) -> None:
        if not self._refused and not self._cut:
            asyncio.get_running_loop().call_later(COUNTED_S, self._report)
        self._refused, self._cut = self._refused + refused, self._cut + cut

    def _report(self) -> None:
        log.warning("Too many connections: %d refused, %d cut off within a minute", self._refused, self._cut)
        self._refused = self._cut = 0


class Connection(H11Protocol):
    """Handle one connection, only in its turn. Cut it off if it sends or reads nothing for too long."""

    def __init__(self, door: Door, *settings: Any, **more: Any) -> None:
        super().__init__(*settings, **more)
        self.address = ""
        self.socket: socket.socket | None = None
        self.context: ssl.SSLContext | None = None
        self.begun = False
        self.paired = False
        self._door = door
        self._held = b""
        self._going = False
        self._silent: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    @property
    def streams(self) -> bool:
        """Return whether it receives a response that has not ended."""
        return bool(self.cycle and self.cycle.response_started and not self.cycle.response_complete)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the head of a request."""
        super().connection_made(transport)
        self._listen()
        if self not in self._door.connections.get(self.address, ()):  # it was cut off meanwhile
            self.cut()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers and remove the connection."""
        for timer in (self._silent, self._stalled):
            if timer:
                timer.cancel()
        self._door.forget(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Buffer the data until the connection's turn, and pause reading until then."""
        self._unset_keepalive_if_required()
        self._held += data
        self.transport.pause_reading()
        self._door.queue(self)

    def handle_events(self) -> None:
        """Handle the next request if it is the connection's turn, else queue for it."""
        if self._going:
            super().handle_events()
        elif self.conn.trailing_data[0]:
            self._door.queue(self)

    def go(self) -> None:
        """Take the turn: handle the buffered request, unless the client has disconnected."""
        data, self._held = self._held, b""
        if self.transport.is_closing():
            return
        if self._hung_up():
            self.cut()
            return
        if not self.flow.read_paused:
            self.transport.resume_reading()
        self._going = True
        try:
            if data:
                super().data_received(data)
            else:
                super().handle_events()
        finally:
            self._going = False
        if self.cycle and not self.cycle.response_complete:
            if self._silent:
                self._silent.cancel()
            self.paired = self._door.paired(self.scope)
            if self.paired and not self._door.proxy(self.address):
                self._door.know(self.address)

    def on_response_complete(self) -> None:
        """Wait for the head of the next request."""
        self._listen()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Pause writing until the client reads, and cut it off after STALLED_S."""
        super().pause_writing()
        self._stalled = self.loop.call_later(STALLED_S, self.cut)

    def resume_writing(self) -> None:
        """Resume writing."""
        super().resume_writing()
        if self._stalled:
            self._stalled.cancel()

    def cut(self) -> None:
        """Cut the connection off."""
        if self.transport:
            self.transport.abort()
        elif self.socket and self.begun:  # in its handshake
            with contextlib.suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)
        elif self.socket:
            self.socket.close()

    def _listen(self) -> None:
        if self._silent:
            self._silent.cancel()
        self._silent = self.loop.call_later(HEAD_S, self._give_up)

    def _give_up(self) -> None:
        if self._door.waits(self):
            self._listen()
        else:
            self.cut()

    def _hung_up(self) -> bool:
        if not self.socket or self.conn.our_state is not h11.IDLE:
            return False
        try:
            return self.socket.recv(1, socket.MSG_PEEK) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True


_Line = dict[str, list[Connection]]
