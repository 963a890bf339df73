"""What is run in the repository: at the top what users run, in packages what developers start with ./scripts/dev."""

from pathlib import Path

REPO = Path(__file__).resolve().parents[1]
