"""Checks of the exercises' answers: the mistake that gives a wrong one is named, and nothing is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from discoreport.errors import DataError, suggest
from discoreport.examples import SETTINGS, read

KEYS: list[str] = SETTINGS["keys"]
_LIMIT = 0.25
"""The share above which the office wants a reason for a target: that of `policy.toml`."""
_ROUNDED = 0.051
"""How far a percentage with one decimal may be from the whole figure."""


@dataclass(frozen=True)
class Figure:
    """A number of records, and out of how many it is a share."""

    n: int
    of: int

    def given_by(self, answer: float) -> bool:
        """Tell whether an answer is this number, or this share in percent."""
        return answer == self.n or abs(answer - 100 * self.n / self.of) < _ROUNDED


@dataclass(frozen=True)
class Task:
    """What is right, and for each place which mistakes give what."""

    right: tuple[Figure, ...]
    mistakes: tuple[tuple[int, Figure, str], ...]


def check(task: str, *answer: float) -> str:
    """Say whether an answer is right, or which mistake it comes from.

    Parameters
    ----------
    task
        Such as "1b".
    *answer
        Its figures, or the first of them, each as a number of records or in percent with one decimal.

    Returns
    -------
    str
        A line for each figure that isn't right; it is computed from the survey, and nothing is kept of it.

    Raises
    ------
    DataError
        Where there is no such task.

    Examples
    --------
    >>> check("1b", 5000)
    'Figure 1: not yet. Every record has a key combination; count those whose combination is on one record.'
    """
    if task not in _TASKS:
        raise DataError(f"No task '{task}' that can be checked. {suggest(task, tuple(_TASKS))}")
    known = _TASKS[task]()
    asked = f"{len(known.right)} figure{'s' * (len(known.right) > 1)}"
    if not 0 < len(answer) <= len(known.right):
        return f"Task {task} asks for {asked} (got {len(answer)})."
    given = [_number(one) for one in answer]
    lines = [
        f"Figure {place + 1}: {_named(known, place, one)}"
        for place, one in enumerate(given)
        if not known.right[place].given_by(one)
    ]
    if lines or len(answer) == len(known.right):
        return "\n".join(lines) or "Right."
    return f"Right so far: {len(answer)} of {asked}."


def _number(answer: object) -> float:
    try:
        return float(str(answer).replace("%", "").strip())
    except ValueError:
        raise DataError(f"An answer is a number of records, or a percentage such as 12.3 (got {answer!r}).") from None


def _named(task: Task, place: int, given: float) -> str:
    for where, figure, words in task.mistakes:
        if where == place and figure.given_by(given):
            return f"not yet. {words}"
    if 0 < given < 1 and task.right[place].given_by(100 * given):
        return f"right, but a share of one. Write it in percent: {100 * given:.1f}."
    return "not yet, and none of the usual mistakes. Which records are counted, and out of which?"


def _sizes(name: str) -> Any:
    return read(name).groupby(KEYS, dropna=False).size()


def _alone() -> Task:
    sizes, other = _sizes("original"), _sizes("synthetic_1")
    n, unique = int(sizes.sum()), int((sizes == 1).sum())
    combinations = len(sizes)
    return Task(
        (Figure(unique, n),),
        (
            (0, Figure(n, n), "Every record has a key combination; count those whose combination is on one record."),
            (
                0,
                Figure(combinations, n),
                "That counts every combination (`>= 1`). Alone is exactly one record (`== 1`).",
            ),
            (0, Figure(n - unique, n), "Those are the people who share their keys."),
            (
                0,
                Figure(int((other == 1).sum()), n),
                "That is the synthetic file. The people to protect are in the original.",
            ),
            (0, Figure(unique, combinations), "That divides by the combinations. Out of all records of the original."),
        ),
    )


def _replicated(name: str) -> Task:
    original = _sizes("original")
    every = _sizes(name)
    synthetic = every.reindex(original.index).fillna(0)
    n, n_synthetic = int(original.sum()), int(every.sum())
    both = int(((original == 1) & (synthetic == 1)).sum())
    found = int(((original == 1) & (synthetic >= 1)).sum())
    shared = int(((original >= 1) & (synthetic == 1)).sum())
    all_synthetic = int((every == 1).sum())
    return Task(
        (Figure(both, n),),
        (
            (0, Figure(found, n), "That counts `>= 1` in the synthetic file, where `== 1` is asked for."),
            (0, Figure(shared, n), "That counts combinations that several people of the original share."),
            (
                0,
                Figure(all_synthetic, n),
                "Those are all uniques of the synthetic file. Which of them are unique in the original, too?",
            ),
            (0, Figure(both, n_synthetic), "That divides by the synthetic records. Out of the people to protect."),
            (0, Figure(both, all_synthetic), "That divides by the synthetic uniques. Out of the people to protect."),
            (
                0,
                Figure(both, int((original == 1).sum())),
                "That divides by the unique people. Out of all of the original.",
            ),
        ),
    )


def _one_key_less() -> Task:
    original = read("original")
    n, right, mistakes = len(original), [], []
    for place, key in enumerate(KEYS):
        sizes = original.groupby([one for one in KEYS if one != key], dropna=False).size()
        unique = int((sizes == 1).sum())
        right.append(Figure(unique, n))
        mistakes.append((place, Figure(n - unique, n), f"Those share their keys without `{key}`. How many are alone?"))
        mistakes.append((place, Figure(len(sizes), n), "That counts every combination. Alone is exactly one record."))
    return Task(tuple(right), tuple(mistakes))


def _whose() -> Task:
    original, synthetic = _sizes("original"), _sizes("synthetic_1")
    alone = synthetic[synthetic == 1]
    people = original.reindex(alone.index).fillna(0)
    n = len(alone)
    one, several, nobody = int((people == 1).sum()), int((people > 1).sum()), int((people == 0).sum())
    of_all = "Of the combinations that are unique in the synthetic file."
    return Task(
        (Figure(one, n), Figure(several, n), Figure(nobody, n)),
        (
            (0, Figure(int((original == 1).sum()), n), f"Those are all who are unique in the original. {of_all}"),
            (0, Figure(one, int(original.sum())), f"That divides by the people of the original. {of_all}"),
            (1, Figure(one + several, n), "That is one or several. Several is more than one (`> 1`)."),
            (1, Figure(int(people[people > 1].sum()), n), "Those are the people. How many combinations do they share?"),
            (2, Figure(several + nobody, n), "That is all that isn't one person's. Nobody's is 0 in the original."),
        ),
    )


def _said(name: str, target: str) -> pd.DataFrame:
    """Set beside each record of the original what the synthetic records with its keys say, and how many things."""
    original, synthetic = read("original"), read(name)
    answers = synthetic.groupby(KEYS)[target].agg(["nunique", "first", set])
    joined = original[[*KEYS, target]].join(answers, on=KEYS)
    joined["found"] = joined["nunique"].notna()
    joined["certain"] = joined["nunique"] == 1
    joined["true"] = joined["first"] == joined[target]
    joined["among"] = [
        isinstance(said, set) and is_so in said for said, is_so in zip(joined["set"], joined[target], strict=True)
    ]
    return joined


def _steps() -> Task:
    said = _said("synthetic_1", "employment")
    n = len(said)
    found, certain = int(said["found"].sum()), int(said["certain"].sum())
    right = int((said["certain"] & said["true"]).sum())
    every = _sizes("synthetic_1")
    combinations, of_certain, of_right = (
        said[chosen].groupby(KEYS).ngroups
        for chosen in (said["found"], said["certain"], said["certain"] & said["true"])
    )
    people = "That counts combinations. Count the people of the original who have them."
    return Task(
        (Figure(found, n), Figure(certain, n), Figure(right, n)),
        (
            (0, Figure(combinations, n), people),
            (0, Figure(len(every), n), people),
            (1, Figure(of_certain, n), people),
            (1, Figure(certain, found), "That divides by those found. Out of all of the original."),
            (
                1,
                Figure(int(said["among"].sum()), n),
                "That takes any record that is right. Certain is: all say the same, true or not.",
            ),
            (1, Figure(found, n), "Those are found. Certain is: all of what is found says the same."),
            (2, Figure(int(said["among"].sum()), n), "That takes any record that is right, where all must be."),
            (2, Figure(int(said["true"].sum()), n), "That takes the first record found, whatever the others say."),
            (2, Figure(of_right, n), people),
            (2, Figure(right, certain), "That divides by the certain ones (TCAP). Out of all of the original."),
            (2, Figure(right, found), "That divides by those found. Out of all of the original."),
        ),
    )


def _left() -> Task:
    said = _said("synthetic_1", "worked_abroad")
    told = said["certain"] & (said["first"] == "Yes")
    yes = said["worked_abroad"] == "Yes"
    among = said["set"].map(lambda one: isinstance(one, set) and "Yes" in one)
    n = len(said)
    return Task(
        (Figure(int(told.sum()), n), Figure(int((told & yes).sum()), n)),
        (
            (
                0,
                Figure(int((said["certain"] & yes).sum()), n),
                "Those have worked abroad. Count those of whom the file says so.",
            ),
            (
                0,
                Figure(int((said["first"] == "Yes").sum()), n),
                "That takes the first record found. All with these keys must say Yes.",
            ),
            (0, Figure(int(among.sum()), n), "That takes any Yes among what is found. All must say so."),
            (0, Figure(int((told & yes).sum()), n), "Those are the right ones. How many are told, right or wrong?"),
            (1, Figure(int(told.sum()), n), "Those are all who are told Yes. Of how many is it true?"),
            (1, Figure(int(yes.sum()), n), "That is everybody who has worked abroad."),
            (
                1,
                Figure(int((told & yes).sum()), int(told.sum())),
                "That is how often it is true of those who are told so. Set it beside the base rate; here, how many?",
            ),
        ),
    )


def _above() -> Task:
    original, synthetic = (read(name).astype("string").fillna("missing") for name in ("original", "synthetic_1"))
    certain, right = 0, 0
    for target in ("marital", "education", "employment", "wellbeing", "smoker", "worked_abroad"):
        joined = original.join(synthetic.groupby(KEYS)[target].agg(["nunique", "first"]), on=KEYS)
        sure = joined["nunique"] == 1
        certain += int(sure.mean() > _LIMIT)
        right += int((sure & (joined["first"] == joined[target])).mean() > _LIMIT)
    n = len(original.columns) - len(KEYS)
    replicated = _replicated("synthetic_1")
    return Task(
        (*replicated.right, Figure(right, n)),
        (
            *replicated.mistakes,
            (1, Figure(right + 1, n), "That counts `repU`, which is about keys. How many targets?"),
            (
                1,
                Figure(certain, n),
                "That is where the file is certain (`DiS`). The policy is about certain and right.",
            ),
        ),
    )


_TASKS: dict[str, Callable[[], Task]] = {
    "1b": _alone,
    "1c": _one_key_less,
    "1d": lambda: _replicated("synthetic_1"),
    "1e": lambda: _replicated("synthetic_small"),
    "1f": _whose,
    "2b": _steps,
    "2d": _left,
    "3b": _above,
}
