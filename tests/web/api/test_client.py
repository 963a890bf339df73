"""A client that a generator makes from the description of the API: it pairs, starts a game, plays, undoes and reads."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.kit.at_table import DEAL, HERE, Table
from tests.kit.rig import Rigs

pytestmark = pytest.mark.slow  # it generates 150 files

PACKAGE = "generated_umpi_client"
PLAYERS = [{"button": "red", "name": "Ann"}, {"button": "blue", "name": "Ben"}]


class Generated:
    """The generated package, which asks the web application of a table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._client = self._module("client").Client(base_url=HERE)
        transport = httpx.ASGITransport(table.app, client=("192.168.4.30", 50_000))
        self._client.set_async_httpx_client(httpx.AsyncClient(transport=transport, base_url=HERE))

    def ask(self, tag: str, operation: str, body: Any = None, **values: Any) -> Any:
        """Ask, and let the referee look until there is an answer. Return the document."""
        asked = self._module(f"api.{tag}.{operation}").asyncio_detailed
        if body is not None:
            model = getattr(self._module("models"), f"{operation.capitalize()}Body")
            umpi = getattr(self._module("models"), f"{operation.capitalize()}Umpi")
            values |= {"body": model.from_dict(body), "umpi": umpi("1")}
        answer = self._table.rig.run(self._table.answered(asked(client=self._client, **values)))
        assert answer.status_code == 200, answer
        return answer.parsed

    def _module(self, name: str) -> Any:
        return importlib.import_module(f"{PACKAGE}.{name}")


def test_a_generated_client_plays_a_turn(rigs: Rigs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openapi_python_client")
    table = Table(rigs())
    description = table.phone().get("/api/1/openapi.json").json()
    (tmp_path / "openapi.json").write_text(json.dumps(description))
    made = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json", "--meta", "none",
         "--output-path", PACKAGE], cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "will not be generated" not in made.stdout
    operations = {path.stem for path in (tmp_path / PACKAGE / "api").glob("*/*.py")} - {"__init__"}
    asked = {each["operationId"] for methods in description["paths"].values() for each in methods.values()}
    assert {name.rstrip("_") for name in operations} == asked

    monkeypatch.syspath_prepend(tmp_path)
    client = Generated(table)
    code, _ = table.codes.make_code(None, table.rig.now_ns)
    client.ask("pairing", "pair", {"code": str(code)})
    assert client.ask("pairing", "me").who.role == "referee"
    client.ask("start", "start", {"game": "dodekka", "rules": "", "players": PLAYERS})
    state = client.ask("table", "state")
    assert [player.name for player in state.match.players] == ["Ann", "Ben"]
    client.ask("moves", "act", {"question": state.question.id, "act": DEAL})
    state = client.ask("table", "state")
    card = next(option.value for option in state.question.asks[-1].fields[0].options if not option.off)
    client.ask("moves", "act", {"question": state.question.id, "act": {"do": "turn", "card": card}})
    assert [entry.line.do for entry in client.ask("table", "history")][:2] == ["deal", "turn"]
    client.ask("moves", "undo", {"question": client.ask("table", "state").question.id, "count": 1})
    assert client.ask("table", "state").match.acts == 1
    assert client.ask("past", "results")[0].game == "dodekka"
    assert client.ask("box", "box").api == 1
    assert all(path.startswith(("/api/1/", "/healthz", "/metrics")) for path in description["paths"])
