"""What the form proposes, each with its reason: keys, variables to watch, special codes, groups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from discoreport.data.coding import SMALL_CELL, Variable, level_numbers
from discoreport.data.level_text import level_text
from discoreport.form.model.likely_keys import known_to_others, says_unit
from discoreport.form.model.open_files import Facts

FEW_LEVELS = 100
"""Up to so many levels somebody could well have the value at hand."""
MANY_LEVELS = 20
"""From more numbers than this on, grouping is offered."""
USUAL_GROUPS = 20
MANY_SHARE = 0.5
"""A variable with more levels than this share of the records tells nearly every record apart."""
WIDE_GAP = 1.5
"""A code of nines lies at least this many times above the largest ordinary number."""

_NINES = re.compile(r"9{2,9}")


@dataclass(frozen=True)
class Hint:
    """What the form has to say of a variable.

    Parameters
    ----------
    kind
        "key" (likely known to others), "unit" (likely says which records belong together), "watch" (look before you
        use it), or "" (nothing to say).
    reason
        Why, in a sentence.
    """

    kind: Literal["", "key", "unit", "watch"]
    reason: str


def hint(facts: Facts, *, grouped: bool = False) -> Hint:
    """Say what to think of before giving a variable a role.

    Parameters
    ----------
    facts
        The variable in the original.
    grouped
        Whether its numbers are already put into classes.

    Examples
    --------
    >>> hint(Facts("sex", "", "text", 2, 5000, 0.0)).kind
    'key'
    >>> hint(Facts("person_id", "", "number", 5000, 5000, 0.0)).reason
    'Every record has a value of its own: an identifier? Leave it aside.'
    """
    if facts.problem:
        return Hint("watch", facts.problem)
    if facts.percent_missing == 100:
        return Hint("watch", "Every value is missing.")
    if facts.n_levels == facts.n_records:
        if facts.kind == "number":
            advice = "an identifier? Leave it aside." if not grouped else "it is counted in classes."
            return Hint("watch", f"Every record has a value of its own: {advice}")
        return Hint("watch", "Every record has a value of its own: an identifier? Leave it aside.")
    if says_unit(facts.name, facts.label, facts.n_levels, facts.n_records):
        return Hint("unit", "Several records share a value: the number of a household or person? Choose it below.")
    if not grouped and facts.n_levels > MANY_SHARE * facts.n_records:
        advice = "put its numbers into groups" if facts.kind == "number" else "leave it aside, or merge its levels"
        return Hint("watch", f"{facts.n_levels:,} distinct values in {facts.n_records:,} records: {advice}.")
    known = known_to_others(facts.name, facts.label, facts.looks)
    if known and (grouped or facts.n_levels <= FEW_LEVELS):
        return Hint("key", known)
    if not grouped and facts.kind == "number" and facts.n_levels > FEW_LEVELS:
        return Hint("watch", f"{facts.n_levels:,} distinct numbers: think of groups under Settings.")
    return Hint("", "")


def codes_seen(variable: Variable) -> tuple[str, ...]:
    """Find numbers that look like codes for "no answer": -8 among positive numbers, 999 far above the rest.

    Parameters
    ----------
    variable
        Coded, not grouped. Only numbers that many records have are named.

    Returns
    -------
    tuple of str
        Level texts, rising; empty where nothing looks like a code.
    """
    if variable.kind != "number" or type(variable) is not Variable or variable.n_levels < 3:
        return variable.declared
    numbers = level_numbers(variable)
    counts = variable.counts[0][:-1]
    present = np.isfinite(numbers) & (counts > 0)
    places = [int(place) for place in np.flatnonzero(present)[np.argsort(numbers[present])]]
    seen = (variable.level_texts[place] for place in _codes(numbers, counts, places))
    return tuple(dict.fromkeys((*variable.declared, *seen)))


def _codes(numbers: Any, counts: Any, places: Sequence[int]) -> Iterator[int]:
    """Pick the places of codes; `places` are those that occur, rising by number."""
    common = [place for place in places if counts[place] >= SMALL_CELL]
    negative = [place for place in places if numbers[place] < 0]
    if len(negative) <= 5 and len(negative) < len(places) / 2:
        yield from (place for place in common if numbers[place] < 0 and float(numbers[place]).is_integer())
    nines = {place for place in common if _NINES.fullmatch(level_text(numbers[place]) or "")}
    ordinary = [numbers[place] for place in places if place not in nines]
    yield from (place for place in common if place in nines and numbers[place] >= WIDE_GAP * max(ordinary, default=0))
