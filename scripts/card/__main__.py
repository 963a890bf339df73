"""Build the image of a card for a Raspberry Pi, boot it in QEMU, or sign an update.

Debian's packages come from the archive of this machine's apt, Umpi from this repository. Each stage is kept in
~/.cache/umpi/card until its inputs change: the first build takes a quarter of an hour, one after a change of Umpi some
minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from scripts import REPO
from scripts.card import archive, boot, boots, image, menus, phones, root
from scripts.card.archive import CARD, names_in
from scripts.card.stages import Stages, cache_folder, contents
from scripts.card.tools import Fault, Tools
from umpi import __version__
from umpi.appliance.bundle import Version, read_version, write_bundle
from umpi.appliance.slots import BoardKernel, Slot
from umpi.box.signing import SigningKey, new_secret
from umpi.journal.schema import SCHEMA

SLOW = ("tools", "kernel", "base")  # the stages that need an archive, and the last one a quarter of an hour
CANNOT = 77  # the exit status if this machine cannot build or boot a card
PROGRAMS = {"mmdebstrap": "mmdebstrap", "git": "git", "qemu-aarch64-static": "qemu-user-static"}
STAGES = 12
NO_RPI = (
    "no card with Raspberry Pi's kernel: Debian's archive does not have it, and nobody has started a card with it. "
    "With --board-kernel debian, an update whose kernel does not start is taken back by hand, in slot.txt on the card; "
    "every other fault is taken back by itself. firmware/docs/card.md has what each kernel promises"
)
NOT_BUILDING = (
    "boots",
    "cuts",
    "guest",
    "hands",
    "in_guest",
    "menus",
    "panel",
    "phones",
    "pins",
)  # modules that no stage depends on
TRIALS = ("first-start", "no-state", "cuts", "lost-in-play", "updates", "menu", "phone", "lost-in-updates", "raspi3b")


def main(words: Sequence[str] | None = None) -> int:
    """Run the part of the command that is named; return its exit status."""
    parser = argparse.ArgumentParser(prog="./scripts/dev card", description=__doc__)
    parts = parser.add_subparsers(required=True, metavar="PART")
    add_build(parts)
    add_boot(parts)
    add_check(parts)
    add_bundle(parts)
    options = parser.parse_args(words)
    try:
        status: int = options.part(options)
        return status
    except Fault as fault:
        print(f"card: {fault}", file=sys.stderr)
        return 1


def add_build(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the part that builds."""
    build = parts.add_parser("build", help="build umpi.img.xz with its checksum, its packages and its entry for Imager")
    build.add_argument("out", type=Path, metavar="OUT", help="the folder to write, outside the repository")
    build.add_argument("--mirror", metavar="URL", help="the archive of Debian (default: that of this machine's apt)")
    build.add_argument("--security", metavar="URL", help="the archive of its security updates (default: likewise)")
    build.add_argument(
        "--keep-base", action="store_true", help="keep the packages of the last build, even if there are newer ones"
    )
    build.add_argument("--plain", action="store_true", help="write umpi.img only: packing takes minutes")
    build.add_argument("--url", default="https://example.org/umpi", help="where the image will be, for Imager's entry")
    build.add_argument("--update-key", type=Path, metavar="FILE", help="the public key whose updates the box accepts")
    build.add_argument(
        "--board-kernel",
        choices=[each.value for each in BoardKernel],
        default=BoardKernel.DEBIAN.value,
        metavar="debian|rpi",
        help="whose kernel the card has (debian); rpi is refused, with the reason",
    )
    build.set_defaults(part=run_build)


def run_build(options: argparse.Namespace) -> int:
    """Build a card. Return CANNOT if this machine lacks something."""
    out: Path = options.out.resolve()
    if out.is_relative_to(REPO):
        raise Fault(f"{out} is inside the repository: name a folder outside it")
    if options.board_kernel == BoardKernel.RPI:
        raise Fault(NO_RPI)
    if why := why_not():
        print(f"card: cannot build here: {why}", file=sys.stderr)
        return CANNOT
    began = time.monotonic()
    key = options.update_key.read_bytes() if options.update_key else b""
    built = Build(archive.this_machines(options.mirror, options.security), options.keep_base, key)
    made = built.write(out, None if options.plain else options.url)
    print(f"card: {made}, {time.monotonic() - began:.0f} s")
    return 0


def add_boot(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the part that boots."""
    boots_ = parts.add_parser("boot", help="boot a card of OUT in QEMU and print what it did")
    boots_.add_argument("out", type=Path, metavar="OUT", help="the folder of a build")
    boots_.add_argument("--only", choices=TRIALS, action="append", help="only this, or these")
    boots_.add_argument("--cuts", type=int, default=5, metavar="N", help="power cuts during a match (%(default)s)")
    boots_.add_argument(
        "--lost",
        type=int,
        default=50,
        metavar="N",
        help="power cuts with lost writes, in each of both (%(default)s)",
    )
    boots_.add_argument("--seed", type=int, default=1, help="another seed chooses other moments (%(default)s)")
    boots_.set_defaults(part=run_boot)


def run_boot(options: argparse.Namespace) -> int:
    """Boot a card, and print a table. Return 1 if something is not as wanted."""
    card: Path = options.out.resolve() / "umpi.img"
    programs = Stages(cache_folder(), 0).newest("programs")
    if not card.exists() or programs is None:
        raise Fault(f"there is no {card}: ./scripts/dev card build {options.out}")
    tools, failed = Tools(programs, root.commit_time()), 0
    with tempfile.TemporaryDirectory(prefix="umpi-card-") as name:
        for trial in options.only or TRIALS:
            for found in _found(trial, tools, card, Path(name, trial), options):
                failed += not found.passed
                print(f"| {found.what} | {found.figure} | {'passed' if found.passed else 'FAILED'} |", flush=True)
    print(f"{failed} failed")
    return int(failed > 0)


def add_check(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the part that checks what there is time for."""
    check = parts.add_parser(
        "check",
        help="build a card twice from the kept packages of Debian, and boot it on QEMU's Pi 3 (77: none are kept)",
    )
    check.set_defaults(part=run_check)


def run_check(options: argparse.Namespace) -> int:
    """Build a card twice, and boot it on an emulated Pi 3. Return CANNOT if long stages would be made anew."""
    stages = Stages(cache_folder(), 0)
    missing = [name for name in SLOW if not stages.newest(name)]
    if missing:
        print(f"card: not tried: {cache_folder()} does not have {', '.join(missing)}", file=sys.stderr)
        return CANNOT
    with tempfile.TemporaryDirectory(prefix="umpi-card-") as name:
        work, source = Path(name), archive.Archive("", "")
        first = Build(source, True, b"").write(work / "first", None)
        second = Build(source, True, b"", _slow_stages(work / "cache")).write(work / "second", None)
        hashes = [image.sha256(each) for each in (first, second)]
        equal = hashes[0] == hashes[1]
        print(
            f"| two builds, one hash | {hashes[0][:16]} {hashes[1][:16]} | {'passed' if equal else 'FAILED'} |",
            flush=True,
        )
        booted = run_boot(argparse.Namespace(out=work / "first", only=["raspi3b"], cuts=0, lost=0, seed=1))
        return booted or int(not equal)


def _slow_stages(cache: Path) -> Path:
    """Make a cache that has only what comes from an archive, so that a build makes everything else anew."""
    cache.mkdir()
    for each in cache_folder().iterdir():
        if each.name.partition("-")[0] in (*SLOW, "programs", "wheels"):
            (cache / each.name).symlink_to(each)
    return cache


def _found(trial: str, tools: Tools, card: Path, work: Path, options: argparse.Namespace) -> Iterator[boots.Found]:
    match trial:
        case "first-start":
            return boots.first_start(tools, card, work)
        case "no-state":
            return boots.without_state(tools, card, work)
        case "cuts":
            return boots.power_cuts(tools, card, work, options.cuts, Random(options.seed))
        case "lost-in-play":
            return boots.lost_in_play(tools, card, work, options.lost, Random(options.seed))
        case "lost-in-updates":
            return boots.lost_in_updates(tools, card, work, options.lost, Random(options.seed))
        case "menu":
            return menus.at_the_menu(tools, card, work)
        case "phone":
            return phones.at_the_phone(tools, card, work)
        case "updates":
            return boots.updates(tools, card, work)
        case _:
            return boots.raspi3b(tools, card, work)


def add_bundle(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the part that signs updates."""
    bundle_ = parts.add_parser("bundle", help="write a signed update, umpi-VERSION.bundle, from a build")
    bundle_.add_argument("out", type=Path, metavar="OUT", help="the folder of a build")
    bundle_.add_argument(
        "--key", type=Path, required=True, metavar="FILE", help="the secret key; made if it is not there"
    )
    bundle_.set_defaults(part=run_bundle)


def run_bundle(options: argparse.Namespace) -> int:
    """Write a bundle of the newest build in OUT, and the public key beside the secret one."""
    out: Path = options.out
    if not options.key.exists():
        options.key.touch(0o600)
        options.key.write_text(new_secret() + "\n", encoding="ascii")
    key = SigningKey.of(options.key.read_text(encoding="ascii").strip())
    public = options.key.with_suffix(".pub")
    public.write_text(key.public + "\n", encoding="ascii")
    if not (out / "root.erofs").exists():
        print(f"card: {public} is the key for ./scripts/dev card build OUT --update-key {public}")
        return 0
    version = read_version(json.loads((out / "card.json").read_text()))
    file = out / f"umpi-{version.version}-{version.commit.rstrip('+')}.bundle"
    boot_files = {each.name: each for each in sorted((out / "slot").iterdir())}
    manifest = write_bundle(file, version, out / "root.erofs", boot_files, key)
    print(f"card: {file}, {manifest.size / 1e6:.0f} MB, signed by {key.public[:16]}…")
    return 0


def why_not() -> str:
    """Return why no card can be built here, or nothing."""
    missing = [package for program, package in PROGRAMS.items() if not shutil.which(program)]
    if missing:
        return f"it needs {', '.join(missing)}: sudo apt install {' '.join(missing)}"
    if os.uname().machine != "x86_64":
        return "the programs that it uses are those of x86-64"
    if why := archive.emulate_arm64():
        return f"programs for arm64 do not start: {why}"
    return ""


class Build:
    """One build: the stages in their order, each from the results of those before."""

    def __init__(self, source: archive.Archive, keep_base: bool, update_key: bytes, cache: Path | None = None) -> None:
        self._source, self._keep, self._key = source, keep_base, update_key
        self._stages = Stages(cache or cache_folder(), STAGES, lambda line: print(f"card: {line}", flush=True))
        self._state = b"" if keep_base else source.state()
        self._epoch_s = root.commit_time()
        here = Path(__file__).parent
        self._code = contents((each for each in here.glob("*.py") if each.stem not in NOT_BUILDING), REPO)

    def write(self, out: Path, url: str | None) -> Path:
        """Write the image and return its file; with `url` also everything that is published with it."""
        out.mkdir(parents=True, exist_ok=True)
        tools = Tools(self._unfolded(), self._epoch_s)
        kernel = self._packages("kernel", "kernel and firmware, unpacked", "arm64")
        base = self._base()
        wheels = self._stages.make("wheels", "wheels of Umpi's packages", [root.BOX_LOCK.read_bytes()], self._wheels)
        packages = self._stages.make(
            "umpi", "Umpi and its packages",
            [*map(_bytes, (wheels,)), *contents(root.umpi_sources(), REPO), *self._code],
            lambda new: root.lay_out_packages(wheels, new),
        )  # fmt: skip
        version = self._version()
        card = contents([*CARD.rglob("*"), *root.SYSTEM.glob("*")], REPO)
        made = [*self._code, *card, str(self._epoch_s).encode()]
        extra = [(f"{root.SHARE}/card.json", version), (f"{root.SHARE}/update.pub", self._key)]
        tar = self._stages.make(
            "root", "root", [*map(_bytes, (base, kernel, packages)), version, self._key, *made],
            lambda new: root.make_root(tools, base, kernel, packages, extra, new),
        )  # fmt: skip
        erofs = self._stages.make("erofs", "root as erofs", [_bytes(tar)], lambda new: root.make_erofs(tools, tar, new))
        slot = self._stages.make("slot", "kernel and first program", [*map(_bytes, (tar, kernel)), *made],
                                 lambda new: self._slot(tools, kernel, tar, new))  # fmt: skip
        fat = self._stages.make("boot", "boot partition", [*map(_bytes, (slot, kernel)), *made],
                                lambda new: self._boot(tools, kernel, slot, new))  # fmt: skip
        plain, packed = out / "umpi.img", out / "umpi.img.xz"
        state = self._stages.make("state", "state partition", made, lambda new: image.make_state(tools, new))
        for old in (*out.glob("umpi.img*"), *out.glob("*.bundle"), out / "os_list.json"):  # of another build
            old.unlink(missing_ok=True)
        image.assemble(fat, erofs, state, plain)
        (out / "umpi.cdx.json").write_text(image.bill_of_materials(base, kernel, json.loads(version)["version"]))
        shutil.copy(erofs, out / "root.erofs")
        (out / "card.json").write_bytes(version)
        (out / boots.PUBLIC).write_bytes(self._key)
        shutil.rmtree(out / "slot", ignore_errors=True)
        shutil.copytree(slot, out / "slot")
        if url is None:
            return plain
        done = self._stages.make("packed", "packed", [image.sha256(plain).encode(), *self._code],
                                 lambda new: image.pack(tools, plain, new))  # fmt: skip
        shutil.copy(done, packed)
        date = datetime.fromtimestamp(self._epoch_s, UTC).date().isoformat()
        _write_json(out / "os_list.json", image.os_list(plain, packed, url, date))
        (out / "umpi.img.xz.sha256").write_text(f"{image.sha256(packed)}  {packed.name}\n")
        shutil.copy(REPO / "firmware/umpi/web/page/icon-192.png", out / "umpi.png")
        return packed

    def _packages(self, name: str, about: str, architecture: str) -> Path:
        if self._keep and (newest := self._stages.newest(name)):
            return newest
        inputs = [self._source.sources.encode(), self._state, *(each.encode() for each in names_in(name))]
        return self._stages.make(
            name, about, inputs, lambda new: archive.unpack(self._source, names_in(name), architecture, new)
        )

    def _base(self) -> Path:
        if self._keep and (newest := self._stages.newest("base")):
            return newest
        packages = names_in("packages")
        inputs = [self._source.sources.encode(), self._state, *(each.encode() for each in packages)]
        return self._stages.make("base", "Debian, configured: this takes 7 to 20 minutes", inputs,
                                 lambda new: archive.install(self._source, packages, new))  # fmt: skip

    def _unfolded(self) -> Path:
        tar = self._packages("tools", "programs, unpacked", "amd64")
        return self._stages.make("programs", "programs, ready", [_bytes(tar)], lambda new: archive.unfold(tar, new))

    def _wheels(self, new: Path) -> None:
        new.mkdir()
        root.fetch_wheels(new)

    def _version(self) -> bytes:
        """Return what identifies this version on the card."""
        version = Version("umpi", __version__, root.commit_name(), self._epoch_s, BoardKernel.DEBIAN, SCHEMA)
        return json.dumps(version.as_json(), indent=1).encode()

    def _slot(self, tools: Tools, kernel: Path, tar: Path, new: Path) -> None:
        tree = root.Tree(self._epoch_s)
        tree.add_tar(tar, "usr/")
        boot.slot_files(tools, kernel, tree, new)

    def _boot(self, tools: Tools, kernel: Path, slot: Path, new: Path) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name, Slot.A).parent
            boot.boot_files(kernel, slot, folder)
            boot.make_fat(tools, folder, new)


def _bytes(result: Path) -> bytes:
    """Return the name of a stage's result, which has the hash of what it was made from."""
    return result.name.encode()


def _write_json(file: Path, value: object) -> None:
    file.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that no QEMU is left running
    sys.exit(main())
