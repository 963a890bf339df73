"""The settings of a broker: written by one command, again for another box, and never over somebody else's."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")

from tests.kit.brokers import Mosquitto, needs_mosquitto
from tests.kit.patience import wait_for
from umpi.cli import main
from umpi.club.make_broker import make_broker
from umpi.mqtt.broker import Broker, BrokerPlan

ONE, OTHER = "0123456789ab", "3f9ac1d20b7e"


def test_a_box_that_comes_later_leaves_the_passwords_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "conf.d").mkdir()
    first = make_broker(tmp_path, 1883, [ONE])
    was = {user: file.read_text() for user, file in first.logins.items()}
    again = make_broker(tmp_path, 1883, [OTHER])
    assert list(again.logins) == ["club", ONE, OTHER]
    assert {user: again.logins[user].read_text() for user in was} == was
    assert len({file.read_text() for file in again.logins.values()}) == 3
    assert {file.stat().st_mode & 0o777 for file in again.logins.values()} == {0o600}
    assert again.settings == tmp_path / "conf.d" / "umpi.conf"
    assert all(line.split(":")[1].startswith("$7$") for line in (tmp_path / "umpi.passwords").read_text().splitlines())


@pytest.mark.parametrize(
    ("spoil", "boxes", "reason"),
    [
        (lambda folder: (folder / "umpi.acl").write_text("topic read #\n"), ONE, "umpi.acl is not from this command"),
        (lambda folder: None, "BOX", "--boxes BOX: expected the id of a box"),
        (lambda folder: folder.rmdir(), ONE, "No such file or directory"),
    ],
)
def test_what_cannot_be_done_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], spoil: object, boxes: str, reason: str
) -> None:
    folder = tmp_path / "mosquitto"
    folder.mkdir()
    spoil(folder)  # type: ignore[operator]
    before = sorted(tmp_path.rglob("*"))
    assert main(["club", "--make-broker", str(folder), "--boxes", boxes]) == 2
    assert reason in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.slow
@needs_mosquitto
def test_each_side_warns_of_a_broker_that_lets_in_strangers(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One that asks for users, one that does not, and one that this side enters without a user itself."""
    for name, users, user, warned in (
        ("asks", {"umpi": "secret"}, "umpi", False), ("open", None, "umpi", True), ("nobody", None, "", True),
    ):  # fmt: skip
        (folder := tmp_path / name).mkdir()
        mosquitto = Mosquitto(folder, users=users)
        caplog.clear()
        caplog.set_level("INFO")
        broker = Broker(BrokerPlan("127.0.0.1", mosquitto.port, user=user, password="secret"), lambda event: None)
        broker.start()
        wait_for(lambda: "lets in " in caplog.text)
        broker.stop()
        assert ("lets in everybody" in caplog.text) == warned, name
        mosquitto.kill()
