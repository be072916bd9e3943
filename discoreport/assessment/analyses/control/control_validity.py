"""Is a file a control? It has people of the original's population who took no part in the synthesis."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from discoreport.assessment.analyses.count_cells import of_files
from discoreport.assessment.copy_findings import Copies, compared, count_copies
from discoreport.assessment.engine_choice import MemoryFiles
from discoreport.assessment.evaluate_measures import differ
from discoreport.assessment.formatting import listed, percentage
from discoreport.assessment.prepare import PreparedFiles, PreparedVariable
from discoreport.data.coding import Variable, code_variable, level_numbers
from discoreport.data.findings.comparison import LOW_OVERLAP
from discoreport.data.findings.finding import Finding
from discoreport.data.table import Table, readable_name, shared_columns
from discoreport.measures.key_index import combine
from discoreport.measures.memory_engine import Counter

SURELY = 0.99
"""Confidence at which a control is doubted, over all that is looked at together."""
SMALL_EFFECT = 0.1
"""Differences below this are trifles however many records show them (Cohen, "Statistical power analysis", 1988)."""
_CLASSES, _CLASSES_OF_PAIRS = 10, 5
_FEWEST = 10
"""Cells with fewer records of both files together are put together."""
_NAMED = 4

_TOOK_PART = "Records that took part in the synthesis are no control, and hide the excess"
_SYNTHETIC = (
    "every combination of keys and target occurs in the control just as often as in this synthetic file: is it that "
    "file? A control has records of people, who took no part in the synthesis"
)
_COPY = (
    "every combination of keys and target occurs in the control just as often as in the original: is it a copy? "
    + _TOOK_PART
)


def with_control(prepared: PreparedVariable, tables: Sequence[Table], control: Table) -> Variable:
    """Add the control's codes to a variable, as a further file, without letting it change levels or groups.

    A level that only the control has is in a class by its number where the variable is grouped; else it is the
    level `unknown`, which nothing meets.
    """
    variable, grouping = prepared.variable, prepared.grouping
    together = code_variable(variable.name, [*tables, control])
    unknown = variable.n_levels
    code_of = np.full(together.n_levels + 1, unknown, np.int32)
    if grouping and grouping.labels:
        numbers = level_numbers(together)
        known = np.isfinite(numbers)
        code_of[:-1][known] = np.searchsorted(grouping.breaks, numbers[known], side="right")
    for all_codes, codes in zip(together.codes, variable.codes, strict=False):
        code_of[all_codes] = codes
    code_of[-1] = unknown + 1
    shifted = [np.where(codes == unknown, np.int32(unknown + 1), codes) for codes in variable.codes]
    of_control: npt.NDArray[np.int32] = code_of[together.codes[-1]]
    name = "\0"
    while name in variable.level_texts:
        name += "\0"
    return dataclasses.replace(
        variable,
        codes=(*shifted, of_control),
        numbers=None,
        texts=(*variable.level_texts, name),
        has_missing=variable.has_missing or bool((of_control == unknown + 1).any()),
    )


def doubts(variables: Mapping[str, Variable], coded: PreparedFiles, control: Table) -> tuple[list[Finding], int | None]:
    """Look for what makes a file no control, and count its records that are in the original.

    Parameters
    ----------
    variables
        Keys and targets with the control as a further, last file; what only the control has is one level.
    coded
        The other files.
    control
        The file.

    Returns
    -------
    list of Finding, number of its records that equal an original record or None where nothing can be compared
    """
    original, shared = coded.tables[0], shared_columns([*coded.tables, control])
    copies = copies_of(original, control, [name for name in shared if name != coded.settings.unit])
    findings = [finding for variable in variables.values() for finding in _badly_matched(variable)]
    if _is_copy(variables, coded, 0):
        findings.append(Finding("", 0, "control_is_copy", "warning", _COPY))
    else:
        findings += _took_part(copies)
    for synthesis in range(1, len(coded.tables)):
        if _is_copy(variables, coded, synthesis):
            findings.append(Finding("", synthesis, "control_is_synthetic", "warning", _SYNTHETIC))
    unmatched = {finding.variable for finding in findings}
    matched = [code_variable(name, [original, control]) for name in variables if name not in unmatched]
    findings += _other_population(matched, coded.settings.keys)
    return findings, copies.matches.synthetic_records if copies else None


def copies_of(original: Table, control: Table, names: Sequence[str]) -> Copies | None:
    """Count the control's records that the original has, too, over variables that identify nobody."""
    files = MemoryFiles([original, control])
    return next(iter(count_copies(files, [compared(files.code(name)) for name in names])), None)


def _took_part(copies: Copies | None) -> Iterator[Finding]:
    """Warn where more of the control's records are in the original than chance gives: few will do."""
    found = copies and copies.matches
    if found and (found.exceeds(found.usual, confidence=SURELY) or found.were_dealt):
        detail = (
            f"{found.synthetic_records:,} of the control's records ({percentage(100 * found.share)} %) occur in the "
            f"original with all their values, of which {percentage(100 * found.usual)} % might by chance: are they "
            f"part of it? {_TOOK_PART}"
        )
        yield Finding("", 0, "control_in_original", "warning", detail, None, found.synthetic_records, 100 * found.share)


def _badly_matched(variable: Variable) -> Iterator[Finding]:
    """Warn where most values of the control occur in no other file."""
    counts = variable.counts[-1]
    present, unknown = int(counts[:-1].sum()), int(counts[-2])
    if present and 100 * unknown / present > 100 - LOW_OVERLAP:
        percent = 100 * (present - unknown) / present
        detail = f"only {percent:.1f} % of the control's records have a value that the other files have, too"
        yield Finding(variable.name, 0, "control_low_overlap", "warning", detail, None, present - unknown, percent)


def _is_copy(variables: Mapping[str, Variable], coded: PreparedFiles, file: int) -> bool:
    """Tell whether the control has each combination of keys and target just as often as a file."""
    files = (file, len(coded.tables))
    counter = Counter(combine([of_files(variables[name], files) for name in coded.settings.keys]))
    targets = [of_files(variables[name], files) for name in coded.settings.targets or ()]
    cells = [cells for target in targets for cells in counter.of_target(target)]
    return not any(differ(one.alike) for one in cells or counter.of_keys())


def _other_population(variables: Sequence[Variable], keys: Sequence[str]) -> Iterator[Finding]:
    """Warn where variables, or keys and another variable together, are distributed otherwise than in the original.

    Chi-square of homogeneity in at most ten classes (five of each of two variables), at one level for all together,
    and only where the difference is more than a trifle.
    """
    pairs = [(a, b) for a, b in itertools.combinations(variables, 2) if a.name in keys or b.name in keys]
    beyond = NormalDist().inv_cdf(1 - (1 - SURELY) / max(len(variables) + len(pairs), 1))
    alone = {one.name: of_classes(one, _CLASSES) for one in variables}
    found = {name: _difference(*classes) for name, classes in alone.items()}
    odd = [name for name, (z, effect) in found.items() if z > beyond and effect > SMALL_EFFECT]
    said = [readable_name(name) for name in odd]
    few = {one.name: of_classes(one, _CLASSES_OF_PAIRS) for one in variables}
    for a, b in pairs:
        if a.name not in odd and b.name not in odd:
            both = [x * (_CLASSES_OF_PAIRS + 2) + y for x, y in zip(few[a.name], few[b.name], strict=True)]
            z, effect = _difference(*both)
            if z > beyond and effect > SMALL_EFFECT:
                said.append(f"{readable_name(a.name)} with {readable_name(b.name)}")
    if said:
        detail = (
            f"the control's records are distributed otherwise than the original's ({listed(said, _NAMED)}): "
            "are they of the same population, time and coding? Else the excess mixes both"
        )
        yield Finding("", 0, "control_differs", "warning", detail)


def of_classes(variable: Variable, most: int) -> list[npt.NDArray[np.int64]]:
    """Put the levels of two files into a few classes of about equal size; missing values apart.

    Numbers stay in their order; of other levels the most frequent ones are classes of their own, as far as they go.
    """
    counts = variable.counts.sum(axis=0)[:-1]
    order = np.arange(len(counts)) if variable.kind == "number" else np.argsort(-counts, kind="stable")
    upto = np.cumsum(counts[order]) - counts[order] / 2
    classes = np.empty(len(counts) + 1, np.int64)
    if variable.kind == "number" and len(counts) > most:
        classes[order] = np.minimum(upto * most // max(int(counts.sum()), 1), most - 1)
    else:
        classes[order] = np.minimum(np.arange(len(counts)), most)
    classes[-1] = most + 1
    return [classes[codes] for codes in variable.codes]


def _difference(ours: npt.NDArray[np.int64], theirs: npt.NDArray[np.int64]) -> tuple[float, float]:
    """Compare two files by their classes: standard deviations beyond chance, and the size of the effect (Cohen's w).

    The chi-square's distribution is approximated by the normal one of its cube root (Wilson and Hilferty 1931).
    """
    n_classes = int(max(ours.max(), theirs.max())) + 1
    a, b = (np.bincount(one, minlength=n_classes).astype(float) for one in (ours, theirs))
    few = a + b < _FEWEST
    a, b = (np.append(one[~few], one[few].sum()) for one in (a, b))
    kept = a + b > 0
    a, b, freedom = a[kept], b[kept], int(kept.sum()) - 1
    if freedom < 1:
        return 0.0, 0.0
    ratio = np.sqrt(b.sum() / a.sum())
    square = float((((a * ratio - b / ratio) ** 2) / (a + b)).sum())
    spread = 2 / (9 * freedom)
    z = ((square / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5
    effect = max(square - freedom, 0) * (1 / a.sum() + 1 / b.sum())
    return z, effect**0.5


def below_nothing(
    excesses: Sequence[tuple[str, int, str, float, float | None]], confidence: float
) -> Iterator[Finding]:
    """Warn where a control is given away more surely than the original: intervals wholly below 0, all together.

    Parameters
    ----------
    excesses
        Target, synthesis, measure, excess and the upper end of its interval.
    confidence
        Of each interval.
    """
    ends = [(target, excess, high) for target, _, _, excess, high in excesses if high is not None]
    if not ends:
        return
    one, together = (NormalDist().inv_cdf(1 - (1 - confidence) / 2 / n) for n in (1, len(ends)))
    odd = dict.fromkeys(target for target, excess, high in ends if excess + (high - excess) * together / one < 0)
    if odd:
        names = [readable_name(name) if name else "the keys" for name in odd]
        detail = (
            f"the synthetic file gives away more about the control than about the original ({listed(names, _NAMED)}): "
            "was it made from the control, or are files exchanged?"
        )
        yield Finding("", 0, "control_above_original", "warning", detail)
