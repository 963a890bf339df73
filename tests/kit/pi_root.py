"""A Raspberry Pi's file system in a folder, with scripts/install and scripts/uninstall moved into it.

What only root can do (users, packages, systemd) is noted down and remembered instead.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from tests.kit.patience import run_to_end

ROOT = Path(__file__).parents[2]
BOOT = "boot/firmware/config.txt"
STOCK = b"# For more options\n#dtparam=i2c_arm=on\ndtparam=audio=on\n[cm5]\ndtoverlay=dwc2"
PLACES = r"(?<![\w.$/}])/(?=(?:etc|opt|var/lib|boot|usr/local|run|dev/i2c)\b)"  # where a path begins that is moved

FAKE = r"""#!/usr/bin/env bash
name=${0##*/}
case $name in id | getent | dpkg | dpkg-query | stat) ;; # these only ask
  *) { printf %s "$name"; printf ' %q' "$@"; echo; } >>"$HERE/log" ;;
esac
PATH=$REAL
case "$name $*" in
  'id -u') echo "${AS:-0}" ;;
  'id -nG '*) cat "$HERE/groups" ;;
  id\ *) test -e "$HERE/user-${!#}" ;;
  'getent group '*) grep -qx "$2" "$HERE/known" ;;
  getent\ *) test -e "$HERE/user-$2" && echo "$2:x:9:9::$LIVES${2#umpi}" ;;
  groupadd\ *) echo "$2" >>"$HERE/known" ;;
  usermod\ *) echo "$2" >>"$HERE/groups" ;;
  useradd\ *) touch "$HERE/user-${!#}" ;;
  userdel\ *) rm "$HERE/user-${!#}"; : >"$HERE/groups" ;;
  dpkg\ *) echo "${BITS:-arm64}" ;;
  dpkg-query\ *) echo install ok installed ;;
  stat\ *) test -d "${!#}" && echo umpi 750 ;;
  'python3 -m venv '*) mkdir -p "$4/bin"; for each in python umpi; do cp "$HERE/fakes/venv" "$4/bin/$each"; done ;;
  'python -m pip install '*) test -z "${NO_NETWORK:-}" ;;
  python*|umpi*) echo Python 3.11.2 ;;
  'systemctl is-enabled '*) test ! -e "$HERE/on" || echo enabled ;;
  'systemctl enable '*) touch "$HERE/on" ;;
  'systemctl disable '*) rm -f "$HERE/on" ;;
  'install -d '*) mkdir -p "${!#}" ;;
  'install -m 644 -o '*) exec install -m 644 "${@: -2}" ;;
  install\ * | cp\ * | mv\ * | rm\ * | rmdir\ * | mkdir\ * | ln\ * | touch\ *) exec "$name" "$@" ;;
esac
"""
FAKED = (
    "id getent groupadd useradd userdel usermod dpkg dpkg-query apt-get stat chown python3 venv systemctl udevadm "
    "install cp mv rm rmdir mkdir ln touch"
).split()


class Pi:
    """The file system is in `root`, the scripts beside it; `done` is the result of the last one."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root = folder, folder / "root"
        for made in ("etc", "usr/local/bin", BOOT):
            (self.root / made).parent.mkdir(parents=True, exist_ok=True)
        (self.root / "usr/local/bin").mkdir()
        (self.root / BOOT).write_bytes(STOCK)
        self.is_of("debian", "bookworm")
        (folder / "known").write_text("dialout\n")
        (folder / "groups").touch()
        (folder / "fakes").mkdir()
        for name in FAKED:
            (folder / "fakes" / name).write_text(FAKE)
            (folder / "fakes" / name).chmod(0o755)
        for file in ("pyproject.toml", "README.md", "LICENSE", "firmware/umpi/service/run.py"):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, folder / file)
        shutil.copytree(ROOT / "firmware/system", folder / "firmware/system")
        (folder / "scripts").mkdir()
        for script in ("scripts/install", "scripts/uninstall", "firmware/system/steps.sh"):
            text = (ROOT / script).read_text(encoding="utf-8")
            (folder / script).write_text(re.sub(PLACES, f"{self.root}/", text), encoding="utf-8")

    def is_of(self, system: str, codename: str) -> None:
        """Be this system."""
        (self.root / "etc").mkdir(exist_ok=True)
        (self.root / "etc/os-release").write_text(f"ID={system}\nVERSION_CODENAME={codename}\n")

    def run(self, script: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run one of the scripts, as root unless AS says otherwise."""
        (self.folder / "log").write_text("")
        setting = {
            **os.environ, "PATH": f"{self.folder}/fakes:{os.environ['PATH']}", "REAL": os.environ["PATH"],
            "LC_ALL": "C.UTF-8", "HERE": str(self.folder), "LIVES": f"{self.root}/var/lib/umpi", **environment,
        }  # fmt: skip
        command = ["bash", str(self.folder / "scripts" / script), *words]
        return run_to_end(command, text=True, env=setting)

    @property
    def done(self) -> list[str]:
        """The commands of the last run that change something."""
        asked = ("systemctl is-", "python3 -VV", "python -VV", "umpi --version", "python -m pip --version")
        return [line for line in (self.folder / "log").read_text().splitlines() if not line.startswith(asked)]

    @property
    def boot(self) -> bytes:
        """The Pi's config.txt."""
        return (self.root / BOOT).read_bytes()

    def tree(self) -> dict[str, bytes | int]:
        """All files of the root with what is in them, and all folders and links with when they changed."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            if path.is_file() and not path.is_symlink()
            else path.lstat().st_mtime_ns
            for path in self.root.rglob("*")
        }

    def files(self) -> dict[str, bytes]:
        """The files alone."""
        return {path: content for path, content in self.tree().items() if isinstance(content, bytes)}
