"""Texts of several files -> texts that are equal where the levels are: types, value labels, numerals."""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from discoreport.data.level_text import ValueKind, text_as_boolean, text_as_date, text_as_number


@dataclass(frozen=True)
class Repair:
    """What was read differently so that the levels of a variable meet. File 0 is the original.

    Parameters
    ----------
    file
        In which.
    what
        In words.
    merges
        Whether levels that the file tells apart became one, although nothing in it says that they are.
    """

    file: int
    what: str
    merges: bool = False


def agree(
    texts: list[list[str]], kinds: list[ValueKind], labels: list[Mapping[str, str]]
) -> tuple[list[list[str]], tuple[Repair, ...]]:
    """Rewrite the texts of some files so that levels that denote the same meet.

    Parameters
    ----------
    texts
        For each file, the original first, the texts of one variable's distinct values.
    kinds
        What the values of each file are.
    labels
        For each file its value labels by text; empty where it has none.

    Returns
    -------
    list of list of str
        The texts as they are to be compared; places as they were.
    tuple of Repair
        What was rewritten, file by file.
    """
    repairs: list[Repair] = []
    present = {kind for kind, of_file in zip(kinds, texts, strict=True) if of_file}

    def rewrite(file: int, how: Callable[[str], str], what: str, *, known: bool = False) -> None:
        after = [how(text) for text in texts[file]]
        if after != texts[file]:
            merged = len(set(texts[file])) - len(set(after))
            also = f"; {merged} of its levels became one with another" if merged else ""
            repairs.append(Repair(file, what + also, merged > 0 and not known))
            texts[file] = after

    by_label = codes_by_label(labels)
    shared = {label for of_file in labels for label in of_file.values()} - by_label.keys()
    unlabelled = [file for file, kind in enumerate(kinds) if kind == "text" and not labels[file]]
    if any(shared.intersection(texts[file]) for file in unlabelled):
        for file, of_file in enumerate(labels):
            what = "codes replaced by their value labels, which several codes share"
            rewrite(file, partial(_label, of_file), what, known=True)
            kinds = [*kinds[:file], "text", *kinds[file + 1 :]] if of_file else kinds
        by_label = {}
    for file, kind in enumerate(kinds):
        if file in unlabelled and any(text in by_label for text in texts[file]):
            rewrite(file, lambda text: by_label.get(text, text), "levels matched by the value labels of another file")
        if kind == "text" and "number" in present:
            rewrite(file, text_as_number, "text read as numbers")
        if kind == "text" and "date" in present:
            rewrite(file, text_as_date, "text read as dates")
        if "boolean" in present and (kind == "text" or (kind == "number" and set(texts[file]) <= {"0", "1"})):
            rewrite(file, text_as_boolean, f"{kind} read as true or false")
    if present == {"text"}:
        for how, what in ((text_as_number, "text read as numbers"), (text_as_date, "text read as dates")):
            if _agree_better(texts, how):
                for file in range(len(texts)):
                    rewrite(file, how, what)
    return texts, tuple(repairs)


def _label(labels: Mapping[str, str], text: str) -> str:
    return labels.get(text, text)


def codes_by_label(labels: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Tell for each value label which value it stands for; labels that stand for several are left out."""
    pairs = {(label, text) for of_file in labels for text, label in of_file.items()}
    times = collections.Counter(label for label, _ in pairs)
    return {label: text for label, text in pairs if times[label] == 1}


def _agree_better(texts: list[list[str]], how: Callable[[str], str]) -> bool:
    """Tell whether "57" in one file meets "57.0" in another when read so, unless a file tells the two apart itself."""
    before = [set(of_file) for of_file in texts]
    after = [{how(text) for text in of_file} for of_file in before]
    told_apart = any(len(new) < len(old) for new, old in zip(after, before, strict=True))
    meets_more = any(len(new & after[0]) > len(old & before[0]) for new, old in zip(after[1:], before[1:], strict=True))
    return meets_more and not told_apart
