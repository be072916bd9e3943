"""What the notebooks say in figures, and what each is computed from (sentences.toml)."""

import json
import re
import tomllib
from pathlib import Path

SENTENCES = tomllib.loads((Path(__file__).parent / "sentences.toml").read_text(encoding="utf-8"))
_NOT_PROSE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)\n]*\)|^#[^\n]*$|^ *\d+\. ", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"\{[^{}]*\}")
_NUMBER = r"-?\d[\d,]*(?:\.\d+)*"
FIGURE = re.compile(
    r"\d|\b(half|third|quarters?|fifths?|sixth|tenth|twice|times as|(in|of) (three|four|five|ten))\b", re.IGNORECASE
)


def prose(notebook):
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def unfounded(name, text):
    """Give the figures of a text that no sentence computes, no words stand for, and nobody has named as given."""
    known = SENTENCES.get(name, {})
    for begin in known.get("blocks", ()):
        text = text.replace(block(text, begin), " ")
    for words in [*known.get("says", ()), *known.get("holds", ()), *known.get("given", ())]:
        pattern = _NUMBER.join(map(re.escape, _FIELD.split(words))).replace(r"\ ", r"\s+")
        text = re.sub(pattern, " ", text)
    text = re.sub(r"\b(UiO|repU|DiSCO)\b", " ", _NOT_PROSE.sub(" ", text))
    return [text[max(found.start() - 30, 0) : found.end() + 20] for found in FIGURE.finditer(text)]


def block(text, begin):
    """Give the table, paragraph or entry of a list that begins with some words."""
    return re.split(r"\n\n|\n- ", text[text.index(f"\n{begin}") + 1 :], maxsplit=1)[0]


def lines(name):
    """Write the code that computes a notebook's sentences at its end, and prints them and what doesn't hold."""
    known = SENTENCES.get(name, {})
    said = ", ".join(_filled(sentence) for sentence in known.get("says", ()))
    holds = ", ".join(f"{words!r}: bool({when})" for words, when in known.get("holds", {}).items())
    return f"{known.get('fetch', '')}\nimport json\nprint(json.dumps([[{said}], {{{holds}}}]))"


def _filled(sentence):
    """Write a sentence as an expression: a format and its values, as Python 3.11 takes no quotes in fields."""
    fields = [field[1:-1] for field in _FIELD.findall(sentence)]
    split = [(value, f":{form}" if colon else "") for value, colon, form in map(_parted, fields)]
    pattern = _FIELD.sub("{}", sentence)
    for _, form in split:
        pattern = pattern.replace("{}", "{" + (form or "!s") + "}", 1)
    values = ", ".join(value for value, _ in split)
    return f"{pattern!r}.format({values})"


def _parted(field):
    """Tell the value of a field from its form, which begins at a colon outside brackets."""
    found = re.fullmatch(r"(.*?)(?:(:)([,.\d]*[fd]?))?", field)
    return found[1], found[2], found[3]


def wrong(text, printed):
    """Give the sentences that a text doesn't have, and the words that aren't true."""
    said, holds = json.loads(printed)
    text = " ".join(text.split())
    return [one for one in said if one not in text] + [
        words for words, true in holds.items() if not true or words not in text
    ]
