"""The root of a card: a configured Debian, a kernel's modules, Umpi, and the files of firmware/card/root."""

from __future__ import annotations

import fnmatch
import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from scripts import REPO
from scripts.card.archive import CARD, names_in, unfold
from scripts.card.tools import Fault, Tools, run

PYTHON = "3.13"  # of Debian 13
MANYLINUX = ("manylinux_2_34", "manylinux_2_28", "manylinux_2_17", "manylinux2014")
SYSTEM = REPO / "firmware" / "system"
BOX_LOCK = SYSTEM / "locks" / "box.lock"
OVERLAY = CARD / "root"
NOT_AT_RUN_TIME = ("setuptools", "_distutils_hack", "distutils-precedence.pth", "pkg_resources", "bin")
VENV = "opt/umpi/venv"
SITE = f"{VENV}/lib/python{PYTHON}/site-packages"
SHARE = "usr/share/umpi"
INSTALLED = {  # of firmware/system, as scripts/install puts it onto a Pi
    "umpi.service": "etc/systemd/system/umpi.service",
    "umpi-network.service": "etc/systemd/system/umpi-network.service",
    "umpi-mqtt.service": "etc/systemd/system/umpi-mqtt.service",
    "umpi-shelf.socket": "etc/systemd/system/umpi-shelf.socket",
    "umpi-shelf@.service": "etc/systemd/system/umpi-shelf@.service",
    "avahi.service": "etc/avahi/services/umpi.service",
    "udev.rules": "etc/udev/rules.d/60-umpi.rules",
    "polkit.rules": "etc/polkit-1/rules.d/50-umpi.rules",
    "modules.conf": "etc/modules-load.d/umpi.conf",
}
STARTED = ("umpi.service", "umpi-network.service", "umpi-start.service", "umpi-settle.service")
SOCKETS = ("umpi-card.socket", "umpi-shelf.socket")
LINKS = {
    **{f"etc/systemd/system/multi-user.target.wants/{name}": f"/etc/systemd/system/{name}" for name in STARTED},
    **{f"etc/systemd/system/sockets.target.wants/{name}": f"/etc/systemd/system/{name}" for name in SOCKETS},
    **{
        f"etc/systemd/system/{name}": "/dev/null"
        for name in ("getty@.service", "serial-getty@.service", "e2scrub_all.timer", "fstrim.timer")
    },
    "etc/resolv.conf": "../run/systemd/resolve/stub-resolv.conf",
    "usr/local/bin/umpi": f"/{VENV}/bin/umpi",
    f"{VENV}/bin/python": f"/usr/bin/python{PYTHON}",
}
COMMAND = f"#!/{VENV}/bin/python\nimport sys\nfrom umpi.__main__ import main\nsys.exit(main())\n"
FOLDERS = ("boot/firmware", "dev", "state", "var/cache", "var/log", "var/lib/umpi", "etc/umpi")


def tracked(*below: str) -> list[Path]:
    """List the files of the repository that git knows, below these paths."""
    listed = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *below], cwd=REPO)
    return [REPO / name for name in listed.split("\0") if name]


def umpi_sources() -> list[Path]:
    """List what Umpi itself is built from."""
    return tracked("pyproject.toml", "README.md", "LICENSE", "firmware/umpi")


def fetch_wheels(folder: Path) -> None:
    """Fetch the wheels of a box for Debian's Python, only those whose hashes are in the lock. Raises Fault."""
    run(
        [sys.executable, "-m", "scripts.lock", "--wheels", folder, "--python", PYTHON],
        cwd=REPO, environment={"PIP_DISABLE_PIP_VERSION_CHECK": "1"},
    )  # fmt: skip


def lay_out_packages(wheels: Path, folder: Path) -> None:
    """Make the packages of a box from wheels, and Umpi from this repository, without running a program of the Pi."""
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    with tempfile.TemporaryDirectory() as name:
        copy, ours = Path(name, "umpi"), Path(name, "wheel")
        for source in umpi_sources():
            to = copy / source.relative_to(REPO)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, to)
        run([*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", ours, copy])
        for_pi = [f"--platform={system}_aarch64" for system in MANYLINUX]
        there: list[str | Path] = ["--target", folder, "--no-index", "--no-deps", "--no-compile", "--only-binary=:all:"]
        run([*pip, "install", *there, *for_pi, f"--python-version={PYTHON}", "--implementation=cp",
             f"--find-links={wheels}", "--require-hashes", "-r", BOX_LOCK])  # fmt: skip
        run([*pip, "install", *there, "--upgrade", f"--find-links={ours}", "umpi"])
    for each in NOT_AT_RUN_TIME:
        for found in (folder / each, *folder.glob(f"{each}-*.dist-info")):
            shutil.rmtree(found, ignore_errors=True) if found.is_dir() else found.unlink(missing_ok=True)


def compiled(tools: Tools, folder: Path, place: str) -> None:
    """Compile the modules of a folder that will be at `place`, so that Python never looks at their sources."""
    for old in sorted(folder.rglob("__pycache__")):
        shutil.rmtree(old)
    words = ["-P", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
    try:
        tools.run(f"bin/python{PYTHON}", *words, "-s", folder, "-p", place, folder)
    except Fault as fault:  # some packages have files that are no Python of this version, and are never imported
        if "SyntaxError" not in str(fault):
            raise


class Tree:
    """What a root will contain: a tar to read, and changes. All files get one time; the order is that of the names."""

    def __init__(self, epoch_s: int) -> None:
        self._epoch_s = epoch_s
        self._entries: dict[str, tuple[tarfile.TarInfo, bytes]] = {}
        self._without = names_in("without")

    def add_tar(self, tar: Path, below: str = "") -> None:
        """Add the entries of a tar, or those below a folder, without those that no card needs."""
        with tarfile.open(tar) as opened:
            for each in opened:
                name = each.name.removeprefix("./")
                if name in ("", ".") or not name.startswith(below) or self._left_out(name, each.isdir()):
                    continue
                file = opened.extractfile(each) if each.isreg() else None
                self._put(name, each, file.read() if file else b"")

    def add_folder(self, folder: Path, place: str) -> None:
        """Add the files of a folder; they belong to root, and whoever may execute one may be anybody."""
        for each in sorted(folder.rglob("*")):
            name = f"{place}/{each.relative_to(folder)}".lstrip("/")
            if each.is_symlink():
                self.add_link(name, str(each.readlink()))
            elif each.is_dir():
                self.add_directory(name)
            else:
                self.add_file(name, each.read_bytes(), 0o755 if each.stat().st_mode & 0o100 else 0o644)

    def add_file(self, name: str, data: bytes, mode: int = 0o644) -> None:
        """Add a file of root. A file that is there keeps its owner and mode."""
        info = tarfile.TarInfo(name)
        info.mode = mode
        if name in self._entries:
            was = self._entries[name][0]
            info.mode, info.uid, info.gid = was.mode, was.uid, was.gid
        self._put(name, info, data)

    def add_link(self, name: str, to: str) -> None:
        """Add a symbolic link."""
        info = tarfile.TarInfo(name)
        info.type, info.linkname, info.mode = tarfile.SYMTYPE, to, 0o777
        self._put(name, info, b"")

    def add_directory(self, name: str) -> None:
        """Add a folder, if it is not there."""
        if name and name not in self._entries:
            info = tarfile.TarInfo(name)
            info.type, info.mode = tarfile.DIRTYPE, 0o755
            self._put(name, info, b"")

    def read(self, name: str) -> bytes:
        """Return the bytes of a file, of a link's target as well. Raises KeyError."""
        info, data = self._entries[name]
        if info.issym():
            return self.read(str(Path(name).parent / info.linkname))
        return self.read(info.linkname.removeprefix("./")) if info.islnk() else data

    def names(self) -> Iterator[str]:
        """Yield the names of all entries."""
        yield from sorted(self._entries)

    def write(self, out: Path) -> None:
        """Write the whole as a tar: folders before what is in them, and files before the links to them."""
        order = sorted(self._entries.items(), key=lambda each: (each[1][0].islnk(), each[0]))
        with tarfile.open(out, "w", format=tarfile.PAX_FORMAT) as opened:
            for _, (info, data) in order:
                opened.addfile(info, io.BytesIO(data))

    def _left_out(self, name: str, folder: bool) -> bool:
        whole = f"{name}/" if folder else name
        return "__pycache__/" in f"{name}/" or any(fnmatch.fnmatchcase(whole, f"{each}*") for each in self._without)

    def _put(self, name: str, info: tarfile.TarInfo, data: bytes) -> None:
        parent = str(Path(name).parent)
        if parent != "." and parent not in self._entries:
            self.add_directory(parent)
        info.name, info.mtime, info.size, info.uname, info.gname = name, self._epoch_s, len(data), "", ""
        info.pax_headers = {key: value for key, value in info.pax_headers.items() if key.startswith("SCHILY.xattr.")}
        self._entries[name] = (info, data)


def kernel_of(tree: Tree) -> str:
    """Return the version of the one kernel whose modules are in a tree. Raises Fault."""
    found = {name.split("/")[3] for name in tree.names() if name.startswith("usr/lib/modules/") and name.count("/") > 3}
    if len(found) != 1:
        raise Fault(f"expected the modules of one kernel, got {sorted(found)}")
    return found.pop()


def make_root(
    tools: Tools, base: Path, kernel: Path, packages: Path, extra: Iterable[tuple[str, bytes]], out: Path
) -> None:
    """Write the root as a tar. `extra` has more files, by name: what identifies this version."""
    tree = Tree(tools.epoch_s)
    tree.add_tar(base)
    tree.add_tar(kernel, "usr/lib/modules/")
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        _add_python(tools, tree, base, packages, work)
        _add_modules(tools, tree, work)
        _add_users(tools, tree, work)
    tree.add_folder(OVERLAY, "")
    for file, place in INSTALLED.items():
        tree.add_file(place, (SYSTEM / file).read_bytes())
    # the box plays with the second one if it gets no settings of its own: without a state, or if the start hangs before
    for place in (SHARE, "etc/umpi"):
        tree.add_file(f"{place}/umpi.toml", card_config().encode())
    for name, data in extra:
        tree.add_file(name, data)
    for name, to in LINKS.items():
        tree.add_link(name, to)
    for name in FOLDERS:
        tree.add_directory(name)
    for name in ("etc/.updated", "var/.updated", "etc/machine-id"):  # else systemd does at each start what one needs
        tree.add_file(name, b"")
    tree.write(out)


def card_config() -> str:
    """Return umpi.toml of a card: that of scripts/install, with the page for phones on, as nobody has a shell there."""
    text = (SYSTEM / "umpi.toml").read_text(encoding="utf-8")
    changed = text.replace("\n#[desk] ", "\n[desk]  ")
    if changed == text:
        raise Fault("firmware/system/umpi.toml has no line #[desk]")
    return changed


def _add_python(tools: Tools, tree: Tree, base: Path, packages: Path, work: Path) -> None:
    """Add Umpi with its packages, and compile them and Python's own modules with the same version of Python."""
    site, standard = work / "site", f"usr/lib/python{PYTHON}"
    shutil.copytree(packages, site)
    compiled(tools, site, f"/{SITE}")
    tree.add_folder(site, SITE)
    tree.add_file(f"{VENV}/bin/umpi", COMMAND.encode(), 0o755)
    tree.add_file(
        f"{VENV}/pyvenv.cfg", f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {PYTHON}\n".encode()
    )
    unfold(base, work / "base", f"{standard}/")
    compiled(tools, work / "base" / standard, f"/{standard}")
    for each in sorted((work / "base" / standard).rglob("__pycache__/*.pyc")):
        tree.add_file(str(each.relative_to(work / "base")), each.read_bytes())


def _add_modules(tools: Tools, tree: Tree, work: Path) -> None:
    """Add the lists of modules that modprobe reads."""
    version, below = kernel_of(tree), work / "modules"
    for name in tree.names():
        if name.startswith(f"usr/lib/modules/{version}/") and (name.endswith(".ko.xz") or "/modules." in name):
            to = below / name.removeprefix("usr/")
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(tree.read(name))
    tools.run("bin/kmod", "-b", below, version, name="depmod")
    for each in sorted((below / "lib/modules" / version).glob("modules.*")):
        tree.add_file(f"usr/lib/modules/{version}/{each.name}", each.read_bytes())


def _add_users(tools: Tools, tree: Tree, work: Path) -> None:
    """Add the users and groups of a box."""
    files = ("passwd", "group", "shadow", "gshadow")
    folder = work / "users" / "etc"
    folder.mkdir(parents=True)
    for name in files:
        (folder / name).write_bytes(tree.read(f"etc/{name}"))
    tools.run("bin/systemd-sysusers", f"--root={work / 'users'}", CARD / "sysusers.conf")
    for name in files:
        tree.add_file(f"etc/{name}", (folder / name).read_bytes())


def make_erofs(tools: Tools, tar: Path, out: Path) -> None:
    """Write a tar as a read-only file system, and compare every file of it with the tar. Raises Fault.

    With -Efragments, mkfs.erofs 1.8.6 makes files of zeros from a tar.
    """
    tools.run(
        "bin/mkfs.erofs", "--quiet", "-zlz4hc,level=9", "-C65536", "-Eztailpacking",
        f"-T{tools.epoch_s}", "--all-time", "-U", "756d7069-0000-4000-8000-000000000001", "--tar=f", out, tar,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as name, tarfile.open(tar) as opened:
        tools.run("bin/fsck.erofs", f"--extract={name}", "--no-preserve", out)
        for each in opened:
            file = opened.extractfile(each) if each.isreg() else None
            if file and Path(name, each.name).read_bytes() != file.read():
                raise Fault(f"mkfs.erofs has written {each.name} wrongly")


def commit_time() -> int:
    """Return the time of the newest commit, in seconds since 1970: that of what a build writes."""
    return int(run(["git", "log", "-1", "--format=%ct"], cwd=REPO))


def commit_name() -> str:
    """Return the name of the newest commit, with a + if what a card is made from has changed since."""
    name = run(["git", "rev-parse", "--short=10", "HEAD"], cwd=REPO).strip()
    parts = ("firmware/umpi", "firmware/card", "firmware/system", "pyproject.toml", "scripts/card")
    changed = subprocess.run(["git", "diff", "--quiet", "HEAD", "--", *parts], cwd=REPO).returncode
    return name + ("+" if changed else "")
