"""The guide: pages of Markdown that come with the package, and one made from docstrings; in the terminal or as HTML."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rich.console import Console

from discoreport.cli.messages import tell, tell_lines
from discoreport.errors import SettingsError
from discoreport.files import write_file

FOLDER = Path(__file__).parents[1] / "guide"
TOPICS = (
    "own-files", "numbers", "questions", "report", "form", "notebooks", "pipelines", "exit-codes", "large-files",
    "offline", "templates", "synthpop", "cite", "reference",
)  # fmt: skip
"""The pages in their order, by the names of their files; the last has none."""
TITLE = "The guide to discoreport"
_WIDEST = 110
_LINK = re.compile(r"(!?)\[([^\]]+)\]\((?!https?:|#)([^)\s]+)\)")
"""A link or a picture that leads to a file."""
_HEAD = re.compile(r"# (?P<title>.+)\n\n\*(?P<about>.+)\*\n")


@dataclass(frozen=True)
class Page:
    """A page of the guide: its title, what it is about in one line, and its file, if it has one."""

    title: str
    about: str
    path: Path | None

    @property
    def text(self) -> str:
        """All of it as Markdown."""
        if self.path is not None:
            return self.path.read_text(encoding="utf-8")
        from discoreport.cli.api_reference import reference

        return f"# {self.title}\n\n*{self.about}*\n\n{reference()}"


@cache
def pages() -> dict[str, Page]:
    """Find the pages, by topic."""
    paths = {topic: FOLDER / f"{topic}.md" for topic in TOPICS[:-1]}
    heads = {topic: _HEAD.match(path.read_text(encoding="utf-8")) for topic, path in paths.items()}
    found = {topic: Page(head["title"], head["about"], paths[topic]) for topic, head in heads.items() if head}
    return found | {TOPICS[-1]: Page("Reference", "Every public name of the package, from its docstring.", None)}


def run(parsed: argparse.Namespace) -> int:
    """List the topics, show one, or write all of them as a page."""
    if parsed.html:
        if parsed.topic:
            raise SettingsError("--html writes the whole guide: leave the topic out.")
        tell(str(write_file(parsed.html, as_html().encode("utf-8"), new=True)))
    elif parsed.topic:
        _show(for_terminal(pages()[parsed.topic].text))
    else:
        wide = max(map(len, TOPICS))
        tell_lines("\n".join(f"{topic:{wide}}  {page.about}" for topic, page in pages().items()))
        tell_lines("\ndiscoreport guide TOPIC shows a page, discoreport guide --html FILE writes all of them as one.")
    return 0


def for_terminal(text: str) -> str:
    """Say in words where links lead, and what pictures show."""

    def told(found: re.Match[str]) -> str:
        picture, words, address = found.groups()
        if picture:
            return f"(a picture, which --html shows: {words})"
        topic = address.removesuffix(".md")
        return f"{words} (discoreport guide {topic})" if topic in TOPICS else words

    return re.sub(r"<sub>(.*?)</sub>", r"_\1", _LINK.sub(told, text))


def _show(text: str) -> None:
    """Lay a page out on a terminal; elsewhere it stays Markdown."""
    console = Console(highlight=False)
    if console.is_terminal:
        from rich.markdown import Markdown  # every command would import it, for this one

        console.print(Markdown(text, hyperlinks=False), width=min(console.width, _WIDEST))
    else:
        tell_lines(text)


def as_html() -> str:
    """Write all pages as one that fetches nothing, in the look of the report."""
    from nbformat.v4 import new_markdown_cell, new_notebook

    from discoreport.notebook.exporters import DiscoReportHTML

    cells = [new_markdown_cell(_in_one_page(page.text)) for page in pages().values()]
    about = {"path": str(FOLDER), "name": "guide"}
    notebook = new_notebook(cells=cells, metadata={"title": TITLE})
    exporter = DiscoReportHTML()  # type: ignore[no-untyped-call]  # as nbconvert has it
    return str(exporter.from_notebook_node(notebook, {"metadata": about})[0])


def _in_one_page(text: str) -> str:
    """Let links to other pages lead to their headings, and those to files of the repository nowhere."""

    def led(found: re.Match[str]) -> str:
        picture, words, address = found.groups()
        page = pages().get(address.removesuffix(".md"))
        return found[0] if picture else f"[{words}](#{page.title.replace(' ', '-')})" if page else words

    return _LINK.sub(led, text)
