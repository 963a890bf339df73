"""HTTPS beside HTTP: it keeps the certificate valid and the port open. What fails costs HTTPS only, never the game."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from umpi.box.config import Config, WebPlan
from umpi.kernel.nothing import nothing
from umpi.web.certificates import (
    HOST,
    LOOPBACK,
    BadCertificate,
    Pair,
    authority_of,
    context_of,
    given,
    has_authority,
    is_address,
    now,
    renew,
)
from umpi.web.door import Door, listen_at
from umpi.web.guard import HOMES
from umpi.wifi.reach import address_of

AGAIN_S = 10.0  # after an error
LOOK_S = 60.0  # between two looks at the certificate and the addresses of the box
log = logging.getLogger(__name__)


class Https:
    """The HTTPS of one box. `port` is 0 while it does not work."""

    def __init__(
        self,
        plan: WebPlan,
        folder: Path,
        on_trouble: Callable[[str], object] = nothing,
        clock: Callable[[], datetime] = now,
        again_s: float = AGAIN_S,
    ) -> None:
        self.port = 0
        self.hosts: tuple[str, ...] = ()  # of the box, for which the certificate is valid, as phones reach them
        self._unnamed = ""  # why phones do not find HTTPS by a name of the box
        self._plan, self._folder, self._on_trouble, self._clock = plan, folder, on_trouble, clock
        self._again_s = again_s
        self._loaded: tuple[object, ssl.SSLContext] | None = None

    @property
    def own(self) -> bool:
        """Return whether phones must install the box's own authority."""
        return self._plan.certificate is None

    def authority(self) -> tuple[bytes, str]:
        """Return the certificate of the authority, and its fingerprint. Raises BadCertificate."""
        return authority_of(self._folder)

    async def keep(self, door: Door) -> None:
        """Serve HTTPS through `door` until cancelled. After an error, try again."""
        listening: socket.socket | None = None
        reported = ""
        try:
            while True:
                try:
                    context = await asyncio.to_thread(self._context)
                    listening = listening or self._listen()
                    door.add(listening, context)
                    self.port, why = listening.getsockname()[1], ""
                except Exception as fault:  # HTTPS stops working, but neither the page nor the game may
                    why = self._cause(fault)
                    if listening:
                        door.remove(listening)
                        listening.close()
                    listening, self.port = None, 0
                    if why != reported:
                        log.warning("HTTPS does not work: %s", why, exc_info=True)
                if why != reported:
                    self._on_trouble(why)
                reported = why
                await asyncio.sleep(self._again_s if why else LOOK_S)
        finally:
            self.port = 0
            if listening:
                door.remove(listening)
                listening.close()

    def _context(self) -> ssl.SSLContext:
        """Return the context of the certificate that is valid now. It changes only with the files. On a thread."""
        pair = pair_of(self._plan, self._folder, self._clock())
        hosts = own_hosts(self._plan.names)
        self.hosts, unnamed = valid_hosts(pair, hosts), why_unnamed(pair, hosts) if self.own else ""
        if unnamed and unnamed != self._unnamed:  # HTTPS goes on for the addresses
            log.warning("%s", unnamed)
        self._unnamed = unnamed
        stamp = pair.certificate.read_bytes(), pair.key.read_bytes()
        if self._loaded is None or self._loaded[0] != stamp:
            self._loaded = stamp, context_of(pair)
        return self._loaded[1]

    def _listen(self) -> socket.socket:
        return listen_at(self._plan.listen, self._plan.https_port or 0)

    def _cause(self, fault: Exception) -> str:
        if isinstance(fault, BadCertificate):
            return str(fault)
        if isinstance(fault, OSError):
            place = fault.filename or f"{self._plan.listen}:{self._plan.https_port}"
            return f"{place}: {os.strerror(fault.errno) if fault.errno else fault}"
        log.error("HTTPS failed", exc_info=fault)
        return f"{type(fault).__name__}: {fault}"


def https_of(config: Config, on_trouble: Callable[[str], object] = nothing) -> Https | None:
    """Return the HTTPS that umpi.toml asks for, or None."""
    plan = config.desk
    return Https(plan, config.certificates, on_trouble) if plan and plan.https_port is not None else None


def pair_of(plan: WebPlan, folder: Path, at: datetime) -> Pair:
    """Return the certificate to serve: the owner's, or the box's own, renewed if it is due. Raises BadCertificate."""
    if plan.certificate and plan.key:
        return given(plan.certificate, plan.key, at)
    if not has_authority(folder):
        raise BadCertificate(f"There is no certificate in {folder}. To make one: umpi https")
    return renew(folder, own_hosts(plan.names), at)


def valid_hosts(pair: Pair, hosts: Sequence[str]) -> tuple[str, ...]:
    """Return the hosts for which a certificate is valid; "*.example.org" is valid for each name right below it."""
    return tuple(host for host in hosts if {host, f"*.{host.partition('.')[2]}"} & {*pair.hosts})


def why_unnamed(pair: Pair, hosts: Sequence[str]) -> str:
    """Return that the box's own certificate is valid for none of its names, as after a new name; "" if it is."""
    names = [host for host in hosts if host not in LOOPBACK and HOST.fullmatch(host) and not is_address(host)]
    if not names or valid_hosts(pair, names):
        return ""
    return (
        f"The certificate of HTTPS is not valid for the name of this box, {names[0]}. To make another: umpi https --new"
    )


def own_hosts(names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names and addresses by which phones find this box."""
    own = socket.gethostname().lower()
    addresses = []
    with suppress(OSError):  # the system cannot list its interfaces
        addresses = [address_of(name) for _, name in socket.if_nameindex()]
    hosts = [f"{own}{home}" for home in HOMES] + [name.lower() for name in names]
    return tuple(dict.fromkeys([*hosts, "localhost", "127.0.0.1", "::1", *filter(None, addresses)]))
