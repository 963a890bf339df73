"""The network: download the newest bundle to the state partition, and no more of it than is of use."""

from __future__ import annotations

import os
import shutil
import ssl
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import IO, Protocol
from urllib.error import HTTPError, URLError

from umpi.appliance.bundle import BOOT_FILES_MIB, BadBundle, Manifest, Progress, opened
from umpi.appliance.card import CardFault
from umpi.appliance.layout import MIB, SLOT_MIB
from umpi.kernel.messages import message

PATIENCE_S = 30.0  # for an answer, and for each part of it
BLOCK = 1 << 18
MOST = (SLOT_MIB + BOOT_FILES_MIB + 1) * MIB
FREE = 64 * MIB  # of the state partition, that stay for the matches


class Answer(Protocol):
    """What a server sends."""

    def __enter__(self) -> Answer: ...

    def __exit__(self, *_: object) -> None: ...

    def read(self, size: int, /) -> bytes:
        """Read a part, at most `size` bytes. Raises CardFault."""
        ...


Open = Callable[[str], Answer]  # opens an address


def fetch(
    address: str, key: str, to: Path, wanted: Callable[[Manifest], object], progress: Progress, open: Open | None = None
) -> None:
    """Download a bundle. Raises CardFault and BadBundle; nothing of it is then left.

    Its signed manifest comes first. `wanted` raises BadBundle if this bundle is of no use here.
    """
    try:
        with (open or _over_https)(address) as answer, to.open("wb") as file:
            manifest = _manifest_of(answer, file, to, key)
            wanted(manifest)
            free = shutil.disk_usage(to.parent).free
            if free < manifest.size + FREE:
                template = "The card has {free} MB free, and the download needs {needed} MB."
                raise CardFault(message(template, free=free // MIB, needed=(manifest.size + FREE) // MIB))
            done = file.tell()
            while block := answer.read(BLOCK):
                file.write(block)
                done += len(block)
                if done > MOST:
                    raise BadBundle(message("The download is longer than any bundle of Umpi."))
                progress(min(done, manifest.size), manifest.size)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        to.unlink(missing_ok=True)
        raise


def _manifest_of(answer: Answer, file: IO[bytes], at: Path, key: str) -> Manifest:
    """Write the beginning of a download, and return the manifest in it. Raises BadBundle."""
    while file.tell() < MIB and (block := answer.read(BLOCK)):
        file.write(block)
    file.flush()
    with opened(at, key) as bundle:
        return bundle.manifest


def _over_https(address: str) -> Answer:
    """Open an address. Raises CardFault with a sentence for players."""
    request = urllib.request.Request(address, headers={"User-Agent": "umpi"})
    opener = urllib.request.build_opener(_OnlyHttps, urllib.request.HTTPSHandler(context=ssl.create_default_context()))
    try:
        found: IO[bytes] = opener.open(request, timeout=PATIENCE_S)
    except HTTPError as fault:
        template = "{address} answers {status} {why}."
        raise CardFault(message(template, address=address, status=fault.code, why=fault.reason)) from None
    except URLError as fault:
        raise CardFault(_unreached(address, fault.reason)) from None
    except (OSError, HTTPException) as fault:
        raise CardFault(_unreached(address, fault)) from None
    return _Told(found, address)


class _OnlyHttps(urllib.request.HTTPRedirectHandler):
    """Follow an answer that names another address only if that has https, too."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: object, newurl: str
    ) -> urllib.request.Request | None:
        if not newurl.startswith("https://"):
            raise URLError(f"it leads to {newurl[:60]}, which has no https")
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


class _Told:
    """An answer of a server that says in a player's words why it broke off."""

    def __init__(self, answer: IO[bytes], address: str) -> None:
        self._answer, self._address = answer, address

    def __enter__(self) -> _Told:
        return self

    def __exit__(self, *_: object) -> None:
        self._answer.close()

    def read(self, size: int) -> bytes:
        """Read a part. Raises CardFault."""
        try:
            return self._answer.read(size)
        except (OSError, HTTPException) as fault:
            raise CardFault(_unreached(self._address, fault)) from None


def _unreached(address: str, fault: object) -> str:
    if isinstance(fault, TimeoutError):
        why = f"no answer in {PATIENCE_S:.0f} s"
    else:
        why = (fault.strerror if isinstance(fault, OSError) else None) or str(fault) or type(fault).__name__
    return message("{address} cannot be reached: {why}.", address=address, why=why)
