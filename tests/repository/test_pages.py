"""Every page of the repository: its links lead somewhere, and its commands work.

The commands are the lines of code blocks in every page, except the README of cli: ./scripts/dev man-page writes it, and
tests/cli tests it. Those that begin with `umpi` are run in
bash, in the order of the page, in a folder with a journal of three matches, and must end with exit status 0. These are
only parsed, which holds every word and option to the parser:

- `umpi run`, `umpi sim` without a script, `umpi doctor`, `umpi update`, `umpi network` without --dry-run: they serve
  until they are stopped, or need the devices, the card or the network of a Raspberry Pi;
- `umpi mqtt` and `umpi club`: they need a broker, and tests/mqtt and tests/club run them;
- `umpi check`: it takes ten seconds and more, and tests/conformance runs it;
- `umpi profile`: it needs the form of a measured board, and tests/games tests it;
- whatever begins with sudo: it needs root, or the user of an installed box;
- lines with a game that the page before has installed (snake-eyes): tests/conformance installs and plays it.

Of scripts the file must be there and executable, and name each option: they take minutes, serve, or need root.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from itertools import dropwhile
from pathlib import Path

import pytest

from scripts import pages
from scripts.__main__ import COMMANDS
from scripts.docs import config_page
from tests.kit.served import served
from umpi import conformance, kernel
from umpi.box.identity import read_identity
from umpi.box.signing import read_key
from umpi.cli import build_parser
from umpi.journal import Journal
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header
from umpi.kernel.registry import find

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "firmware"
ROOMS = [folder for folder in sorted((FIRMWARE / "umpi").iterdir()) if (folder / "__init__.py").exists()]
ALL = pages()
PARSED = {
    "run", "doctor", "network", "update", "check", "profile", "sim", "lab", "mqtt", "club", "shelf", "install",
    "publish",
}  # fmt: skip
DEVELOPERS = {command.name: ROOT / "scripts" / command.file for command in COMMANDS}
TOOLS = {
    "apt", "cd", "cp", "curl", "eepflash.sh", "git", "journalctl", "lint-imports", "mpremote", "mypy", "nano", "nmcli",
    "pip", "python3", "raspi-config", "ruff", "systemctl", "tee",
}  # fmt: skip
STARTS = re.compile(
    r"(sudo\b|umpi(?=\s|$)|git\b|(\./)?scripts/|(\.\./)*\.venv/|\. \.venv|systemctl|journalctl|pip\b|ruff|mypy|lint-)"
)
INSTALLED_GAME = re.compile(r"snake[-_]eyes")
UMPI = next(action.choices for action in build_parser()._actions if isinstance(action.choices, dict))
OPTIONS_WITH_A_VALUE = {
    "--config", "--export", "--import", "--log-level", "--option", "--records", "--script", "--session", "--snapshot",
}  # fmt: skip


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def prose(page: Path) -> str:
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def code(page: Path) -> list[str]:
    """The lines of indented and of fenced code that are for a shell."""
    lines, fence = [], ""
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            fence = "" if fence else line
        elif (not fence and line.startswith("    ")) or fence in ("```", "```sh", "```bash"):
            lines.append(line.strip())
    return lines


def commands(page: Path) -> list[str]:
    """The commands of a page without their comments; `a && b` are two."""
    found = [re.sub(r"\s+#.*$", "", line) for line in code(page) if STARTS.match(line)]
    return [command for line in found for command in line.split(" && ")]


def words_of(command: str) -> list[str]:
    """The words of a command without sudo and its user, and without what is redirected."""
    words = shlex.split(re.sub(r"\s[<>]\s*\S+", "", command))
    if words[0] == "sudo":
        words = words[3:] if words[1] == "-u" else words[1:]
    return list(dropwhile(lambda word: "=" in word, words))  # settings for the command


def is_run(command: str) -> bool:
    words = shlex.split(command)
    if words[0] != "umpi" or INSTALLED_GAME.search(command.replace("new-game snake-eyes", "")):
        return False
    return words[1] not in PARSED or "--script" in words or "--dry-run" in words


def slug(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")


def test_every_link_leads_somewhere() -> None:
    lost = []
    for page in ALL:
        for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
            path, _, anchor = link.partition("#")
            if re.match(r"\w+:", link):
                continue
            target = (page.parent / path).resolve() if path else page
            headings = re.findall(r"^#+ (.*)$", prose(target), re.M) if anchor and target.exists() else []
            if not target.exists() or (anchor and anchor not in map(slug, headings)):
                lost.append(f"{name_of(page)}: {link}")
    assert lost == []


def test_every_path_that_is_named_is_there() -> None:
    assert [
        f"{name_of(page)}: {path}"
        for page in ALL
        for path in re.findall(r"`(?:\./)?((?:firmware|scripts|tests|hardware)/[\w./-]*)[`\s]", prose(page))
        if not (ROOT / path).exists()
    ] == []


def test_every_command_of_umpi_is_parsed(capsys: pytest.CaptureFixture[str]) -> None:
    """Those in sentences, too: `umpi doctor --guide lamps`. There, `umpi replay` may be the bare name of a command."""
    parser, refused = build_parser(), []
    for page in ALL:
        typed = [words_of(part) for command in commands(page) for part in command.split(" | ")]
        typed = [words[1:] for words in typed if words[0] in ("umpi", ".venv/bin/umpi") and words[1:] != ["--help"]]
        for command in re.findall(r"`((?:sudo -u umpi )?umpi [^`]*)`", prose(page)):
            words = words_of(command)[1:]
            if len(words) > 1 and words[-1] not in OPTIONS_WITH_A_VALUE:
                typed.append(words)
            elif words[0] not in UMPI:
                refused.append(f"{name_of(page)}: {command}")
        for words in typed:
            try:
                parser.parse_args(words)
            except SystemExit:
                refused.append(f"{name_of(page)}: umpi {shlex.join(words)}: {capsys.readouterr().err}")
    assert refused == []


def test_every_script_is_there_and_names_its_options() -> None:
    """The options are those in code: one in a sentence may be cut short."""
    wrong = []
    for page in ALL:
        inline = re.findall(r"`((?:sudo )?(?:\./)?scripts/[^`]*)`", prose(page))
        for command in [*inline, *commands(page)]:
            words = words_of(command)
            if not re.match(r"(\./)?scripts/", words[0]):
                continue
            script = ROOT / words[0]
            known, parts = script.exists() and (bool(script.suffix) or os.access(script, os.X_OK)), [script]
            if script.name == "dev" and words[1:]:
                known, parts = known and words[1] in DEVELOPERS, []
                if known:
                    parts = [each for each in DEVELOPERS[words[1]].parent.iterdir() if each.is_file()]
            options = [] if command in inline else [word for word in words[1:] if word.startswith("--")]
            text = "".join(part.read_text(encoding="utf-8") for part in parts if options)
            if not known or [option for option in options if option not in text]:
                wrong.append(f"{name_of(page)}: {command}")
    assert wrong == []


def test_other_commands_are_known() -> None:
    """A new tool in a page is a choice: it belongs into TOOLS, and into what a reader must have."""
    assert [
        f"{name_of(page)}: {command}"
        for page in ALL
        for command in commands(page)
        if (tool := Path(words_of(command)[0]).name) not in TOOLS | {"umpi", "."}
        if not (ROOT / "scripts" / tool).exists()
    ] == []


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder of a box with three matches, the last with an announcement; and an environment with `umpi`."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "tests").symlink_to(ROOT / "tests")
    (folder / "data" / "umpi").mkdir(parents=True)
    journal = Journal(folder / "data" / "umpi" / "games.db")
    read_identity(folder / "data" / "umpi")
    read_key(folder / "data" / "umpi", make=True)
    match = play_out(find("dodeka"), ("Ann", "Ben"), {"target": 10, "parts": 1}, 1)
    header, *lines = Header(match.game, match.players, match.options).line(), *(act.line() for act in match.acts)
    for _ in range(3):
        number = journal.begin(header)
        journal.append(number, lines, "panel")
        journal.close_match(number)
    trace = next(iter(sorted((ROOT / "tests" / "records" / "traces").glob("*.jsonl"))))
    journal.keep_trace(number, trace.read_text(encoding="utf-8").splitlines())
    journal.close()
    with served(tmp_path_factory.mktemp("bin")) as umpi:
        path = f"{umpi.parent}{os.pathsep}{os.environ['PATH']}"
        yield folder, {**os.environ, "PATH": path, "XDG_DATA_HOME": str(folder / "data")}


RUN = [page for page in ALL if any(map(is_run, commands(page)))]


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_the_commands_of_a_page_run(page: Path, table: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    folder, environment = table
    for name in ("tests", "data"):
        (tmp_path / name).symlink_to(folder / name)
    for command in filter(is_run, commands(page)):
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def first_line(module: Path) -> str:
    """Return the first line of a module's docstring."""
    return (ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def test_the_architecture_says_of_every_room_what_its_docstring_says() -> None:
    page = (FIRMWARE / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\w+)\]\(\.\./umpi/(\w+)/\) \| (.*) \|$", page, re.M)
    assert sorted(rows) == [(room.name, room.name, first_line(room / "__init__.py")) for room in ROOMS]


def test_the_list_of_files_for_authors_names_all_that_they_import() -> None:
    page = (FIRMWARE / "docs" / "how-do-i.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[`(\w+)/(\w+)\.py`\]\(\.\./umpi/\1/\2\.py\) \| (.*) \|$", page, re.M)
    listed = {(f"umpi.{room}.{file}", name) for room, file, names in rows for name in re.findall(r"`(\w+)`", names)}
    assert listed == {
        (part.module, each.name)
        for package in (kernel, conformance)
        for part in ast.parse(Path(package.__file__).read_text(encoding="utf-8")).body
        if isinstance(part, ast.ImportFrom)
        for each in part.names
        if each.name in package.__all__
    }


def test_the_layers_of_the_architecture_are_those_of_the_contract() -> None:
    page = (FIRMWARE / "docs" / "architecture.md").read_text(encoding="utf-8")
    contract = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    layers = re.findall(r'^    "([\w |]+)",$', contract.partition("layers = [")[2].partition("]")[0], re.M)
    drawn = page.partition("## Layers")[2].partition("## ")[0]
    assert re.findall(r"^    (.+)$", drawn, re.M) == [layer for layer in layers if layer != "__main__"]


def test_the_configuration_page_is_that_of_the_key_table() -> None:
    assert config_page.PAGE.read_text(encoding="utf-8") == config_page.page()
