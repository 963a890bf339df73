"""The settings of a broker: written by one command, again for another box, and never over somebody else's."""

from __future__ import annotations

from base64 import b64decode, b64encode
from hashlib import pbkdf2_hmac
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")

from tests.kit.brokers import Mosquitto, needs_mosquitto
from tests.kit.patience import wait_for
from tests.kit.seen import check_seen
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


def test_a_box_that_comes_later_leaves_the_users_and_rights_that_somebody_has_added(tmp_path: Path) -> None:
    """Home Assistant, for example."""
    added = "user homeassistant\ntopic read umpi/#\ntopic write umpi/+/start\n"
    make_broker(tmp_path, 1884, [ONE])
    for file, more in (("umpi.passwords", "homeassistant:$7$1000$c2FsdA==$aGFzaA==\n"), ("umpi.acl", added)):
        with (tmp_path / file).open("a") as out:
            out.write(more)
    (tmp_path / "umpi-logins" / "phone").write_text("a user with a login here\n")
    for _ in range(2):
        assert main(["club", "--make-broker", str(tmp_path), "--boxes", OTHER, "--broker", "club.local"]) == 0
    made = make_broker(tmp_path, None, [])
    assert (tmp_path / "umpi.passwords").read_text().count("phone:") == 1
    assert (tmp_path / "umpi.passwords").read_text().count("homeassistant:$7$1000$c2FsdA==$aGFzaA==\n") == 1
    rights = (tmp_path / "umpi.acl").read_text()
    assert rights.endswith(added)
    assert [rights.count(each) for each in (added, f"user {ONE}\n", f"user {OTHER}\n", "user club\n")] == [1] * 4
    assert made.port == 1884
    assert "listener 1884\n" in made.settings.read_text()


def test_the_files_of_a_broker_are_as_somebody_has_read_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A password is kept as Mosquitto says: $7$, iterations, salt and PBKDF2 with SHA-512."""
    monkeypatch.setattr("umpi.club.make_broker.secrets.token_urlsafe", lambda size: f"{size} letters")
    made = make_broker(tmp_path, 1884, [ONE, OTHER, ONE])
    lines = []
    for file in sorted(each for each in tmp_path.rglob("*") if each.is_file()):
        lines += [f"== {file.relative_to(tmp_path)}, {file.stat().st_mode & 0o777:o}"]
        for line in file.read_text(encoding="utf-8").splitlines():
            user, _, known = line.partition(":$7$")
            if known:
                rounds, salt, kept = known.split("$")
                again = pbkdf2_hmac("sha512", b"18 letters", b64decode(salt, validate=True), int(rounds))
                right = b64encode(again).decode() == kept
                line = f"{user}, {rounds} iterations, salt of {len(b64decode(salt))}, right: {right}"
            lines.append(line.replace(str(tmp_path), "FOLDER"))
    lines += [
        f"made {made.settings.relative_to(tmp_path)}, {[*made.logins]}",
        f"{made.logins['club'].parent.stat().st_mode & 0o777:o}",
    ]
    check_seen(Path(__file__).with_name("broker.txt"), lines)


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
