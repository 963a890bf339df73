"""Signatures: the Ed25519 key of a box, of a club or of updates, and the check of what somebody has signed.

What is signed is a JSON object with one purpose. The signature is over "umpi-PURPOSE", a line feed, and the object as
JSON without "signature": keys sorted, no spaces, ASCII only. The object names the key. The library `cryptography` signs
and checks (RFC 8032). It is imported late, because most boxes sign nothing.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from umpi.box.identity import keep_first
from umpi.frozen import frozen

FILE = "box.key"  # beside the journal: the secret of the box, 64 hexadecimal digits
HEX32 = re.compile("[0-9a-f]{64}")
HEX64 = re.compile("[0-9a-f]{128}")
Purpose = Literal["result", "receipt", "offer", "shelf", "update"]
Json = dict[str, Any]

log = logging.getLogger(__name__)


class BadSignature(ValueError):
    """Report that a signature is not that of the content beside it."""


@frozen
class SigningKey:
    """A secret of 64 hexadecimal digits and its public key, written in the same way."""

    secret: str
    public: str

    @classmethod
    def of(cls, secret: str) -> SigningKey:
        """Return the key of a secret. Raises ValueError if it is none, ModuleNotFoundError without `cryptography`."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        if not HEX32.fullmatch(secret):
            raise ValueError("expected 64 hexadecimal digits")
        private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))
        return cls(secret, private.public_key().public_bytes_raw().hex())

    def sign(self, purpose: Purpose, content: Mapping[str, Any]) -> Json:
        """Return the content with the "key" and the "signature".

        >>> key = SigningKey.of("1" * 64)
        >>> check("receipt", key.sign("receipt", {"uid": "u1", "revision": 3})) == key.public
        True
        """
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        named = {**content, "key": self.public}
        private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(self.secret))
        return {**named, "signature": private.sign(_signed(purpose, named)).hex()}


def check(purpose: Purpose, signed: Mapping[str, Any]) -> str:
    """Return the key with which somebody has signed, "" if the content has no key and no signature.

    Raises BadSignature if the signature is not that of the content.
    """
    key, signature = signed.get("key", ""), signed.get("signature", "")
    if key == "" and signature == "":
        return ""
    if not (isinstance(key, str) and isinstance(signature, str)):
        raise BadSignature('"key" and "signature" must be texts')
    if not (HEX32.fullmatch(key) and HEX64.fullmatch(signature)):
        raise BadSignature('"key" must have 64 hexadecimal digits, and "signature" 128')
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
    try:
        public.verify(bytes.fromhex(signature), _signed(purpose, signed))
    except InvalidSignature:
        raise BadSignature("the signature is not that of this content") from None
    return key


def read_key(folder: Path, make: bool) -> SigningKey | None:
    """Return the key of the box whose journal is in `folder`, None if it has none; with `make`, it gets one.

    A damaged file stays as it is: with another key, a club would take the box for a stranger. The log says so.
    """
    file = folder / FILE
    try:
        if not file.exists() and not (make and _make(file)):
            return None
        return SigningKey.of(file.read_text(encoding="ascii").strip())
    except ModuleNotFoundError:
        log.warning("Results are not signed: pip install 'umpi[https]'")
    except (OSError, ValueError) as fault:
        log.error("%s cannot be read, so that nothing is signed: %s", file, fault)
    return None


def new_secret() -> str:
    """Return a new secret."""
    return secrets.token_hex(32)


def _make(file: Path) -> bool:
    """Write a new secret to a file that only its user can read; return whether it could be written.

    If another process of this box is first, its secret stays.
    """
    try:
        keep_first(file, new_secret() + "\n", 0o600)
        return True
    except OSError as fault:
        log.warning("The key of this box cannot be kept in %s, so that nothing is signed: %s", file, fault)
        return False


def _signed(purpose: Purpose, fields: Mapping[str, Any]) -> bytes:
    content = {name: value for name, value in fields.items() if name != "signature"}
    return f"umpi-{purpose}\n{json.dumps(content, sort_keys=True, separators=(',', ':'))}".encode("ascii")
