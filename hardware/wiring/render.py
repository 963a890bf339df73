"""Make everything that depends on wiring.toml: schematics, harnesses, and the tables of the pages."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from hardware.wiring import circuits, harness
from hardware.wiring.model import BUILDS, read_wiring
from hardware.wiring.tables import filled, tables

HERE = Path(__file__).parent
PAGES = (HERE.parent / "README.md", HERE / "README.md")
MADE_FROM = "made-from.json"  # digests of the harnesses' sources, for machines without Graphviz


def render(folder: Path = HERE / "out") -> list[Path]:
    """Draw everything into `folder`, the harnesses only if Graphviz is installed; write the tables of the pages."""
    wiring = read_wiring()
    folder.mkdir(parents=True, exist_ok=True)
    made = circuits.save(wiring, folder)
    digests = _read(folder / MADE_FROM)
    for build in BUILDS:
        source = folder / f"harness-{build}.yml"
        if drawn := harness.save(wiring, build, source, folder):
            digests[source.name] = digest(source.read_text(encoding="utf-8"))
        made += [source, *drawn]
    (folder / MADE_FROM).write_text(json.dumps(digests, indent=2) + "\n", encoding="utf-8")
    if folder == HERE / "out":
        for page in PAGES:
            page.write_text(filled(page.read_text(encoding="utf-8"), tables(wiring)), encoding="utf-8")
    return [*made, folder / MADE_FROM]


def digest(text: str) -> str:
    """Return the digest of a text."""
    return sha256(text.encode()).hexdigest()


def _read(path: Path) -> dict[str, str]:
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}
