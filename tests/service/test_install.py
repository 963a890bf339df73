"""What `scripts/install` and `scripts/uninstall` say, do, leave alone and take back, their root moved to a folder.

./scripts/dev install-in-debian does all of it on a Debian that is booted.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.pi_root import BOOT, STOCK, Pi


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


@pytest.mark.slow
def test_a_dry_run_prints_what_the_run_then_does_and_changes_nothing(pi: Pi) -> None:
    before = pi.tree()
    dry = pi.run("install", "--dry-run", AS="1000")
    assert (dry.returncode, dry.stderr) == (0, "")
    assert pi.done == []
    assert pi.tree() == before
    printed = [line[4:] for line in dry.stdout.splitlines() if line.startswith("    ")]
    done = pi.run("install")
    assert done.returncode == 0, done.stderr
    did = [line for line in pi.done if not line.startswith("mv ")]  # config.txt is shown as what changes in it
    assert [line.removeprefix(f"{pi.root}/opt/umpi/venv/bin/") for line in printed if line[0] not in "+-\\"] == did
    assert [line for line in printed if line.startswith(("+", "-"))] == [
        "-dtoverlay=dwc2",
        "+dtoverlay=dwc2",
        *(f"+{line}" for line in pi.boot.decode().splitlines()[5:]),
    ]


def test_without_root_nothing_is_installed_and_the_reason_is_printed(pi: Pi) -> None:
    for script in ("install", "uninstall"):
        done = pi.run(script, AS="1000")
        assert (done.returncode, pi.done) == (1, [])
        assert f"needs root: sudo scripts/{script}" in done.stderr


def test_it_teaches(pi: Pi) -> None:
    for script in ("install", "uninstall"):
        asked, mistaken = pi.run(script, "--help"), pi.run(script, "--dryrun")
        assert (asked.returncode, mistaken.returncode) == (0, 2)
        assert asked.stdout == mistaken.stdout
        assert f"sudo scripts/{script}" in asked.stdout
        assert "--dry-run" in asked.stdout


@pytest.mark.parametrize(
    ("system", "codename", "bits", "boot", "message"),
    [
        ("ubuntu", "noble", "arm64", True, "not Raspberry Pi OS of Bookworm or Trixie, but: ubuntu noble"),
        ("debian", "bullseye", "arm64", True, "but: debian bullseye"),
        ("raspbian", "bookworm", "armhf", True, "the 64-bit Raspberry Pi OS is needed, and this one is armhf"),
        ("debian", "trixie", "amd64", False, "this is no Raspberry Pi. To play without one: scripts/play"),
    ],
)
def test_an_unsupported_system_gets_a_reason(
    pi: Pi, system: str, codename: str, bits: str, boot: bool, message: str
) -> None:
    pi.is_of(system, codename)
    if not boot:
        (pi.root / BOOT).unlink()
    before = pi.tree()
    done = pi.run("install", BITS=bits)
    assert (done.returncode, pi.done, pi.tree()) == (1, [], before)
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    dry = pi.run("install", "--dry-run", BITS=bits)
    assert dry.returncode == 1
    assert message in dry.stderr
    assert "useradd" in dry.stdout, "what it would do is shown all the same"


@pytest.mark.slow
def test_what_the_guide_has_measured_as_the_builder_is_measured_for_the_service(pi: Pi) -> None:
    """Colours and stamps; later the service's own count."""
    (pi.folder / "user-pi").touch()
    theirs = pi.root / "var/lib/umpipi/.local/share/umpi/measured.json"  # the home of "pi" in this file system
    theirs.parent.mkdir(parents=True)
    theirs.write_text("their colours")
    own = pi.root / "var/lib/umpi/measured.json"
    (pi.root / "run/systemd/system").mkdir(parents=True)
    for measured in ("their colours", "new colours"):
        pi.run("install", SUDO_USER="pi")
        assert own.read_text() == measured
        own.write_text("new colours")


@pytest.mark.slow
def test_again_it_changes_nothing(pi: Pi) -> None:
    pi.run("install")
    before = pi.tree()
    again = pi.run("install")
    assert again.returncode == 0, again.stderr
    assert (pi.done, pi.tree()) == ([], before)


@pytest.mark.slow
def test_an_update_leaves_what_is_the_owners(pi: Pi) -> None:
    pi.run("install")
    wiring = pi.root / "etc/umpi/umpi.toml"
    wiring.write_text("[seats]\nred = 14\n")
    games = pi.root / "var/lib/umpi/games.db"
    games.write_text("games")
    (pi.folder / "firmware/umpi/service/run.py").write_text("newer\n")
    done = pi.run("install")
    assert done.returncode == 0, done.stderr
    assert any("/opt/umpi/build" in line for line in pi.done)
    assert (wiring.read_text(), games.read_text()) == ("[seats]\nred = 14\n", "games")


@pytest.mark.slow
def test_an_update_that_fails_is_made_up_for_by_the_next(pi: Pi) -> None:
    pi.run("install")
    (pi.folder / "firmware/umpi/service/run.py").write_text("newer\n")
    done = pi.run("install", NO_NETWORK="yes")
    assert done.returncode == 1
    assert "Check the network and run it again" in done.stderr
    assert pi.run("install").returncode == 0
    assert any("/opt/umpi/build" in line for line in pi.done), "it had not been installed"


@pytest.mark.slow
def test_after_an_update_that_failed_half_way_going_back_installs_too(pi: Pi) -> None:
    """Some packages may be the newer ones by then: what was installed last is not what is there."""
    pi.run("install")
    older = (pi.folder / "firmware/umpi/service/run.py").read_text()
    (pi.folder / "firmware/umpi/service/run.py").write_text("newer\n")
    pi.run("install", NO_NETWORK="yes")
    (pi.folder / "firmware/umpi/service/run.py").write_text(older)
    assert pi.run("install").returncode == 0
    assert any("/opt/umpi/build" in line for line in pi.done)


@pytest.mark.slow
def test_uninstall_takes_everything_back_but_the_games(pi: Pi) -> None:
    before = pi.files()
    pi.run("install")
    games = pi.root / "var/lib/umpi/games.db"
    games.write_text("games")
    dry, there = pi.run("uninstall", "--dry-run"), pi.tree()
    assert (dry.returncode, pi.done, pi.tree()) == (0, [], there)
    done = pi.run("uninstall")
    assert done.returncode == 0, done.stderr
    assert f"the games stay in {pi.root}/var/lib/umpi" in done.stdout
    assert "userdel umpi" in pi.done
    left = pi.files()
    assert left.pop(f"{BOOT}.before-umpi") == STOCK, "a line break has come to config.txt, so what it was is kept"
    assert left == {**before, BOOT: STOCK + b"\n", "var/lib/umpi/games.db": b"games"}
    assert pi.run("install").returncode == 0
    assert games.read_text() == "games"
    assert pi.run("uninstall", "--games-too").returncode == 0
    assert not games.exists()


@pytest.mark.slow
def test_uninstall_keeps_a_wiring_that_was_changed_and_a_user_that_is_a_persons(pi: Pi) -> None:
    pi.run("install")
    wiring = pi.root / "etc/umpi/umpi.toml"
    wiring.write_text("[seats]\nred = 14\n")
    done = pi.run("uninstall", LIVES="/home/umpi")
    assert wiring.exists()
    assert f"your {wiring} stays" in done.stdout
    assert not any(line.startswith("userdel") for line in pi.done)


@pytest.mark.slow
@pytest.mark.parametrize("stock", [STOCK, STOCK + b"\n", STOCK.replace(b"\n", b"\r\n"), b"", b"\n\n"])
def test_config_txt_gets_our_lines_once_and_loses_only_them(pi: Pi, stock: bytes) -> None:
    (pi.root / BOOT).write_bytes(stock)
    pi.run("install")
    first = pi.boot
    assert first.startswith(stock)
    assert first.endswith(b"[all]\ndtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\n# END umpi\n")
    (pi.root / BOOT).write_bytes(first.replace(b"400000", b"100000") + b"dtparam=spi=on\n")
    pi.run("install")
    assert pi.boot == first + b"dtparam=spi=on\n", "ours stand where they stood, what is below holds"
    pi.run("uninstall")
    assert pi.boot == stock + b"\n" * (stock[-1:] not in (b"", b"\n")) + b"dtparam=spi=on\n"


@pytest.mark.slow
def test_config_txt_with_half_of_our_lines_is_left_alone(pi: Pi) -> None:
    """Somebody has taken the last one out: all below it would go with them."""
    broken = STOCK + b"\n# BEGIN umpi: ours\n[all]\ndtparam=spi=on\n"
    (pi.root / BOOT).write_bytes(broken)
    for script in ("install", "uninstall"):
        done = pi.run(script)
        assert done.returncode == 1
        assert "Remove what is left of them" in done.stderr
        assert pi.boot == broken


@pytest.mark.slow
def test_a_box_gets_the_versions_and_hashes_of_the_lock(pi: Pi) -> None:
    pi.run("install")
    fetched, built = (line for line in pi.done if "-m pip install" in line)
    assert "--only-binary :all: --require-hashes" in fetched
    assert fetched.endswith("firmware/system/locks/box.lock")
    assert "--no-deps --no-build-isolation" in built, "what builds Umpi is not fetched without a hash"
