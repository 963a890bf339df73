"""The units of a card, the order of its start, and what its root contains in place of scripts/install."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from umpi.appliance.__main__ import main
from umpi.appliance.start import BINDS, SEALED
from umpi.appliance.update import HEALTHY_S, TRIAL_S
from umpi.service.card_line import SOCKET

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "firmware/card/root/etc/systemd/system"
NAMES = sorted(each.name for each in UNITS.iterdir())
SERVICES = [name for name in NAMES if name.endswith(".service")]
PYTHON = "/opt/umpi/venv/bin/python"
analysed = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is needed")


@analysed
@pytest.mark.parametrize("name", NAMES)
def test_systemd_takes_the_units(tmp_path: Path, name: str) -> None:
    text = (UNITS / name).read_text(encoding="utf-8").replace(PYTHON, "/bin/true")
    (tmp_path / name).write_text(text)
    if name.endswith(".socket"):
        (tmp_path / "umpi-card@.service").write_text("[Service]\nExecStart=/bin/true\n")
    done = subprocess.run(["systemd-analyze", "verify", str(tmp_path / name)], capture_output=True, text=True)
    assert [line for line in done.stderr.splitlines() if name in line] == []


@pytest.mark.parametrize("name", SERVICES)
def test_each_unit_calls_a_part_of_the_start(name: str) -> None:
    line = re.findall(r"^ExecStart=(.*)$", (UNITS / name).read_text(), re.M)
    part = name.removesuffix(".service").removeprefix("umpi-").removesuffix("@")
    assert line == [f"{PYTHON} -P -m umpi.appliance {part}"]


def test_another_word_is_refused_with_the_words_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strat"]) == 2
    assert "start | settle | card" in capsys.readouterr().err


def test_the_settings_come_before_everything_that_uses_them() -> None:
    before = re.findall(r"^Before=(.*)$", (UNITS / "umpi-start.service").read_text(), re.M)[0].split()
    assert {"umpi.service", "umpi-network.service", "NetworkManager.service", "avahi-daemon.service"} <= set(before)
    service = (ROOT / "firmware/system/umpi.service").read_text()
    assert f"/var/lib/{re.findall(r'^StateDirectory=(.*)$', service, re.M)[0]}" in [
        place for place, *_ in BINDS.values()
    ]


def test_a_start_that_hangs_ends_and_no_match_is_kept_in_memory() -> None:
    unit = (UNITS / "umpi-start.service").read_text()
    assert re.search(r"^TimeoutStartSec=\d+min$", unit, re.M), "a unit of this type has no limit of its own"
    journal = BINDS["umpi"][0]
    ((place, options),) = re.findall(
        r"^tmpfs (\S+) tmpfs (\S+) ", (ROOT / "firmware/card/root/etc/fstab").read_text(), re.M
    )
    assert place == journal
    assert set(options.split(",")) - {"nosuid", "nodev", "noexec", "nofail"} == set(SEALED.split(","))
    after = re.findall(r"^After=(.*)$", unit, re.M)[0].split()
    assert f"{journal.strip('/').replace('/', '-')}.mount" in after, "the state is put above it"


def test_a_watch_over_a_trial_that_hangs_is_ended_after_the_trial() -> None:
    (minutes,) = re.findall(r"^RuntimeMaxSec=(\d+)min$", (UNITS / "umpi-settle.service").read_text(), re.M)
    assert int(minutes) * 60 > TRIAL_S + HEALTHY_S


def test_the_users_of_a_card_are_those_of_the_script() -> None:
    users = (ROOT / "firmware/card/sysusers.conf").read_text()
    script = (ROOT / "scripts/install").read_text()
    made = set(re.findall(r"^[ug] (\S+)", users, re.M))
    assert set(re.findall(r"--shell /usr/sbin/nologin (\S+?)$", script, re.M)) <= made
    groups = re.findall(r"for group in ([a-z0-9 ]+); do\n  id -nG umpi", script)[0].split()
    assert set(re.findall(r"^m umpi (\S+)", users, re.M)) == set(groups)


def test_nobody_logs_in_with_a_password() -> None:
    lines = (ROOT / "firmware/card/root/etc/ssh/sshd_config.d/umpi.conf").read_text().splitlines()
    assert {"PasswordAuthentication no", "PermitRootLogin no"} <= set(lines)


def test_only_the_service_may_ask_the_card() -> None:
    text = (UNITS / "umpi-card.socket").read_text()
    assert dict(re.findall(r"^(ListenStream|SocketUser|SocketMode)=(.*)$", text, re.M)) == {
        "ListenStream": str(SOCKET), "SocketUser": "umpi", "SocketMode": "0600",
    }  # fmt: skip
    assert not re.search(r"^User=(?!umpi)", (ROOT / "firmware/system/umpi.service").read_text(), re.M)
