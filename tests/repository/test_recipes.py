"""The recipes of the page on connecting: each program runs against a virtual box, each file can be read."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsing import Sim
from tests.kit.patience import run_to_end

PAGE = (Path(__file__).parents[2] / "firmware" / "docs" / "connected.md").read_text(encoding="utf-8")
BOX = "http://umpi.local:8000"


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.M | re.S)


@contextmanager
def running(folder: Path) -> Iterator[str]:
    sim = Sim(folder / "games.db")
    yield f"http://127.0.0.1:{sim.port}"
    sim.stop()


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("curl") or not shutil.which("jq"), reason="curl and jq are needed")
def test_the_commands_reach_a_box(tmp_path: Path) -> None:
    with running(tmp_path) as here:
        results, rematch = (each.replace(BOX, here) for each in blocks("sh"))
        done = run_to_end(["bash", "-ec", results], text=True, cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        done = run_to_end(["bash", "-ec", rematch], text=True, cwd=tmp_path)
        assert "not paired" in json.loads(done.stdout)["error"]


@pytest.mark.slow
def test_the_python_program_follows_a_box(tmp_path: Path) -> None:
    with running(tmp_path) as here:
        program = blocks("python")[0].replace(BOX, here) + "            break\n"
        done = run_to_end([sys.executable, "-c", program], text=True)
        assert (done.stdout, done.stderr) == ("None\n", "")


def test_the_flow_of_node_red_is_wired() -> None:
    flow: list[Any] = json.loads(blocks("json")[0])
    nodes = {node["id"] for node in flow}
    wires = {target for node in flow for output in node.get("wires", []) for target in output}
    assert wires <= nodes
    assert next(node["topic"] for node in flow if node["type"] == "mqtt in") == "umpi/+/result"
