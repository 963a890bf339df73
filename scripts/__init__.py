"""What is run in the repository: at the top what users run, in packages what developers start with ./scripts/dev."""

from pathlib import Path

REPO = Path(__file__).resolve().parents[1]
WITH_PAGES = ("firmware", "hardware", "scripts", "tests")


def pages() -> list[Path]:
    """List every page of the repository, without those of the packages that are installed in it."""
    return sorted([*REPO.glob("*.md"), *(page for folder in WITH_PAGES for page in (REPO / folder).rglob("*.md"))])
