"""The locks of firmware/system/locks: the packages of each set-up, with version and hashes; the bill of a box."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

LOCKS = Path(__file__).parents[2] / "firmware/system/locks"
BILL = LOCKS / "box.cdx.json"
WHOLE = "all"
SETS: dict[str, tuple[str, ...]] = {  # the extras of each lock
    "play": (),
    "box": ("mqtt", "https", "shelf"),
    "dev": ("dev",),
    "full": ("dev-all",),
    WHOLE: ("dev-all", "lab", "cad", "falls", "mqtt", "https", "shelf"),
}
ENTRY = re.compile(
    r"^(?P<name>[a-z0-9.-]+)==(?P<version>[^ ;\\]+)(?: ; (?P<mark>[^\\]+?))?(?P<hashes>(?: \\\n    --hash=\S+)+)$", re.M
)
HASH = re.compile(r"sha256:([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Locked:
    """A package of a lock, with the hashes of all its files and the marker that says where it is installed."""

    name: str
    version: str
    mark: str
    hashes: tuple[str, ...]


def locked(name: str) -> list[Locked]:
    """Read a lock."""
    text = (LOCKS / f"{name}.lock").read_text(encoding="utf-8")
    return [
        Locked(found["name"], found["version"], found["mark"] or "", tuple(HASH.findall(found["hashes"])))
        for found in ENTRY.finditer(text)
    ]


def written_bill() -> str:
    """Return the bill of materials of a box (CycloneDX 1.6, https://cyclonedx.org/docs/1.6/json/)."""
    components = [
        {
            "type": "library", "bom-ref": f"pkg:pypi/{each.name}@{each.version}", "name": each.name,
            "version": each.version, "purl": f"pkg:pypi/{each.name}@{each.version}",
        }
        for each in locked("box")
    ]  # fmt: skip
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6",
        "version": 1, "metadata": {"component": {"type": "application", "bom-ref": "umpi", "name": "umpi"}},
        "components": components,
    }  # fmt: skip
    return json.dumps(bill, indent=1) + "\n"
