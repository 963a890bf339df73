"""Seals: what the box has drawn for one seat, hidden in records until the match is over, and proved by a hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from umpi.frozen import frozen
from umpi.kernel.values import Value

SEAL = "seal"  # the key of a seal in a line
STILL = "What was drawn is hidden until the match is over. From then on, the record can be replayed."


class Unsaid(Exception):
    """Report an engine's fault by its kind and the code that raised it: its text may name what is hidden."""

    @classmethod
    def of(cls, fault: BaseException) -> Unsaid:
        """Return a fault without its text and its causes, with its traceback."""
        return cls(f"{type(fault).__name__}. The rest may name what only one player may know").with_traceback(
            fault.__traceback__
        )


@frozen
class Seal:
    """What an act hides: the names of its private fields, a random salt, and the hash of both.

    The hash is the SHA-256 of a JSON object in UTF-8: the fields in their order, then "salt". Everybody may read it as
    soon as the box has drawn. When the match is over, the salt and the values show that none has been changed.

    >>> Seal.of({"hand": (3, 9)}, ("hand",), "5f2a").hash[:16]
    'ef0ed4b927c9b673'
    """

    fields: tuple[str, ...]
    salt: str
    hash: str

    @classmethod
    def of(cls, given: Mapping[str, Value], fields: tuple[str, ...], salt: str) -> Seal:
        """Return the seal of the named fields of an act."""
        text = json.dumps({**{name: given[name] for name in fields}, "salt": salt}, ensure_ascii=False)
        return cls(fields, salt, hashlib.sha256(text.encode()).hexdigest())

    @classmethod
    def read(cls, line: Mapping[str, Any]) -> Seal | None:
        """Return the seal of a line, None if it has none. Raises ValueError, with the reason, if it does not hold."""
        value = line.get(SEAL)
        if value is None:
            return None
        fields = value.get("fields") if isinstance(value, Mapping) else None
        if not isinstance(fields, tuple) or not fields or not all(isinstance(name, str) for name in fields):
            raise ValueError('"seal" must name its "fields".')
        if value.keys() == {"fields", "hash"}:
            raise ValueError(STILL)
        salt = value.get("salt")
        if value.keys() != {"fields", "salt", "hash"} or not isinstance(salt, str):
            raise ValueError('"seal" has "fields", "salt" and "hash".')
        if missing := [name for name in fields if name not in line]:
            raise ValueError(f'"seal" names {missing[0]}, which is not in the line.')
        seal = cls.of(line, fields, salt)
        if seal.hash != value["hash"]:
            raise ValueError(
                f"{', '.join(fields)}: this is not what the hash was made of. Somebody has changed the record."
            )
        return seal

    def line(self) -> dict[str, Value]:
        """Return the seal as a record contains it."""
        return {"fields": self.fields, "salt": self.salt, "hash": self.hash}


def closed(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return a line without what its seal hides, and without the salt; any other line as it is.

    >>> seal = Seal.of({"hand": (3, 9)}, ("hand",), "5f2a")
    >>> line = closed({"do": "deal", "hand": (3, 9), "seal": seal.line()})
    >>> list(line), list(line["seal"])
    (['do', 'seal'], ['fields', 'hash'])
    """
    seal = line.get(SEAL)
    if not isinstance(seal, Mapping):
        return dict(line)
    shown = {key: value for key, value in line.items() if key not in seal.get("fields", ())}
    return {**shown, SEAL: {name: seal[name] for name in ("fields", "hash") if name in seal}}
