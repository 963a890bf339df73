"""Debian's archive: which one, what it offers now, and the three sets of packages that a card is made from."""

from __future__ import annotations

import re
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from scripts import REPO
from scripts.card.tools import Fault, run

CARD = REPO / "firmware" / "card"
SUITE = "trixie"
BASE_EPOCH_S = 1_763_856_000  # the time of the files of the packages: one for all builds, so that they can be kept
EMULATE = REPO / "scripts" / "debian" / "emulate-arm64"
LEFT_OUT = ("man", "locale", "info", "doc")  # of /usr/share


@dataclass(frozen=True, slots=True)
class Archive:
    """A mirror of Debian, and one of its security updates."""

    mirror: str
    security: str

    @property
    def sources(self) -> str:
        """The lines for apt."""
        where = ((self.mirror, SUITE), (self.mirror, f"{SUITE}-updates"), (self.security, f"{SUITE}-security"))
        return "".join(f"deb {url} {suite} main non-free-firmware\n" for url, suite in where)

    def state(self) -> bytes:
        """Return the signed lists of contents: they change when, and only when, the archive does. Raises Fault."""
        found = b""
        with tempfile.TemporaryDirectory() as name:
            for number, line in enumerate(self.sources.splitlines()):
                _, url, suite, *_ = line.split()
                file = Path(name, str(number))
                run(["/usr/lib/apt/apt-helper", "download-file", f"{url.rstrip('/')}/dists/{suite}/InRelease", file])
                found += file.read_bytes()
        return found


def this_machines(mirror: str | None, security: str | None) -> Archive:
    """Return the archive that is named, or else the one that this machine's apt uses. Raises Fault."""
    listed = run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]).split()
    main = mirror or next((url for url in listed if re.search(r"/debian/?$", url)), None)
    safe = security or next((url for url in listed if re.search(r"debian-security/?$", url)), None)
    if not main or not safe:
        raise Fault("apt knows no archive of Debian here: name one with --mirror and --security")
    return Archive(main, safe)


def names_in(file: str) -> list[str]:
    """Return the names that a file of firmware/card lists."""
    lines = (CARD / file).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def emulate_arm64() -> str:
    """Let this machine start programs for arm64, in a root of their own as well; return why it cannot, or nothing."""
    done = subprocess.run([str(EMULATE)], capture_output=True, text=True)
    return done.stderr.strip() if done.returncode else ""


def unpack(archive: Archive, packages: list[str], architecture: str, out: Path) -> None:
    """Write a tar of the files of packages and of all they need. Nothing is configured, so it takes seconds."""
    _mmdebstrap(archive, packages, architecture, out, ["--variant=extract"])


def install(archive: Archive, packages: list[str], out: Path) -> None:
    """Write a tar of a configured Debian for arm64 with packages: some 15 minutes, as each script is emulated."""
    left_out = [f"--dpkgopt=path-exclude=/usr/share/{each}/*" for each in LEFT_OUT]
    left_out.append("--dpkgopt=path-include=/usr/share/doc/*/copyright")
    _mmdebstrap(archive, packages, "arm64", out, ["--variant=essential", *left_out])


def _mmdebstrap(archive: Archive, packages: list[str], architecture: str, out: Path, words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        sources = Path(name, "sources.list")
        sources.write_text(archive.sources, encoding="utf-8")
        run(
            ["mmdebstrap", *words, f"--architectures={architecture}", "--format=tar",
             '--aptopt=APT::Install-Recommends "false"', f"--include={','.join(packages)}", SUITE, out, sources],
            environment={"SOURCE_DATE_EPOCH": str(BASE_EPOCH_S)},
        )  # fmt: skip


def unfold(tar: Path, folder: Path, below: str = "") -> None:
    """Unpack a tar, or what is below a folder of it, as files and links of whoever runs this; without devices."""
    with tarfile.open(tar) as opened:
        for each in opened:
            if not each.name.removeprefix("./").startswith(below):
                continue
            if each.isreg() or each.isdir() or each.issym() or each.islnk():
                each.mode |= 0o700 if each.isdir() else 0o600
                opened.extract(each, folder, set_attrs=True, filter="tar")
