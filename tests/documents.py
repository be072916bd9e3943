"""What the project says to its users: README and the guide that comes with the package."""

# ruff: noqa: F401  # what several tests take from private modules, they take from here

from pathlib import Path

from discoreport.cli import guide
from discoreport.cli.guide import FOLDER, TITLE, TOPICS, for_terminal, pages

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DOCUMENTS = (README, *(page.path for page in pages().values() if page.path))


def readme_and_guide():
    """Give the text of README and all pages of the guide, one after the other."""
    return "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)


def document(title):
    """Give the text of the one that is called so."""
    (found,) = (text for path in DOCUMENTS if (text := path.read_text(encoding="utf-8")).startswith(f"# {title}\n"))
    return found
