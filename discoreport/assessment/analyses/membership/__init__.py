"""Membership: how well somebody tells from the synthetic file who was in the original."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Self

import numpy as np
from pydantic import Field

from discoreport.assessment.accept_settings import SettingsGiven, names_given, require_no_unit, settings_given
from discoreport.assessment.analyses.base import Analysis, Options, Variables, with_options
from discoreport.assessment.analyses.control.control_validity import below_nothing, doubts, with_control
from discoreport.assessment.analyses.count_cells import require_whole
from discoreport.assessment.analyses.membership.results import Called, Membership
from discoreport.assessment.engine_choice import MemoryFiles, read_all
from discoreport.assessment.formatting import counted, of_file, percent, points
from discoreport.assessment.measure_files import warn_as_assess
from discoreport.assessment.measured import Measured
from discoreport.assessment.prepare import prepare
from discoreport.assessment.progress import Progress, Steps
from discoreport.assessment.provenance import Source
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.settings import Real, Settings, Whole
from discoreport.data.coding import Variable
from discoreport.data.engine.open_tables import is_expression
from discoreport.data.level_text import number_of
from discoreport.data.missing_values import marked
from discoreport.data.readers.read import read
from discoreport.data.table import require_columns
from discoreport.errors import DataError, SettingsError, require_kind
from discoreport.measures.intervals import CONFIDENCE
from discoreport.measures.near_records import distances, n_joins

DIFFERING = 2
"""A synthetic record may differ in up to this many variables, unless another number is asked for."""
MOST_DIFFERING = 9
MOST_JOINS = 10_000
"""Over so many subsets of variables records are joined at most: with 2 differing, of 140 variables."""


class MembershipOptions(Options):
    """Of `membership`."""

    control: Any = Field(
        title="Others, for membership",
        description="file with records of the same population that were not in the original",
    )
    variables: Variables = Field(
        (), title="Known of somebody", description="variables whose values somebody knows; by default the keys"
    )
    differing: Whole = Field(
        DIFFERING,
        ge=0,
        le=MOST_DIFFERING,
        title="Differing variables",
        description="in up to how many of them a synthetic record may differ",
    )
    base_rate: Annotated[Real, Field(gt=0)] | None = Field(
        None,
        title="Base rate",
        description="the share of the population that is in the original, below 1, or the size of the population; "
        "by default as documented (source.population)",
    )

    def as_said(self, documentation: Documentation) -> Self:
        """Give the same with what is said of the population, where nothing was chosen."""
        said = documentation.source.population
        return self if self.base_rate or not said else self.model_copy(update={"base_rate": base_rate_in(said)})


_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?%?")


def base_rate_in(text: str) -> float:
    """Read what is said of the population: its size, or the share of it that is in the original.

    Raises
    ------
    SettingsError
        Where it is neither.

    Examples
    --------
    >>> base_rate_in("1,200,000"), base_rate_in("5 %"), base_rate_in("0.05")
    (1200000.0, 0.05, 0.05)
    """
    plain = text.replace("_", "").replace("\N{NO-BREAK SPACE}", "").replace(" ", "")
    if _THOUSANDS.fullmatch(plain):  # other commas stand for decimals, or for nothing that can be told
        plain = plain.replace(",", "")
    number = number_of(plain.removesuffix("%"))
    if number is None or number <= 0:
        raise SettingsError(
            f"source.population: give the size of the population, such as 68000, or the share of it that is in the "
            f"original, such as 0.05 or 5 % (got '{text}')."
        )
    return float(number) / 100 if plain.endswith("%") else float(number)


def membership(
    original: object,
    synthetic: object,
    settings: SettingsGiven,
    *,
    control: object,
    variables: Sequence[str] | str | None = None,
    differing: int = DIFFERING,
    base_rate: float | None = None,
    progress: Progress | None = None,
) -> Membership:
    """Measure how well somebody tells from the synthetic file who was in the original.

    Being in a file can itself be the secret: of patients, of suspects, of those in debt. Somebody knows a person's
    values, and says "was in it" where a synthetic record differs in at most h of them.

    Parameters
    ----------
    original, synthetic
        As for `assess`, in memory; one synthetic file or a list of them.
    settings
        As for `assess_with`; numbers are grouped as they say. Exclusions don't count here, and a missing value is a
        value like others. Records are looked for one by one, whatever unit they belong to.
    control
        Records of the same population that were not in the original, of any number. Without them there is nothing to
        measure.
    variables
        Those whose values somebody knows; by default the keys. The unit of the settings can't be among them.
    differing
        The largest h: all from 0 on are measured.
    base_rate
        The share of the population that is in the original, above 0 and below 1; or the size of the population. By
        default the original's share among both files, which is seldom what it is in the population.
    progress
        Called with steps done, steps in all, and what comes next.

    Returns
    -------
    Membership
        Its `table` has a row for each synthesis and h.

    Raises
    ------
    DataError, SettingsError
        As `assess`; and where there is no control, it lacks a column, or an option won't do.

    Warns
    -----
    ComparisonWarning
        As `excess_over_control` does.

    Notes
    -----
    TPR is the share of the original records that are called members, FPR that of the control records; the advantage is
    the first less the second, with Newcombe's interval, which takes records for independent draws. At the base rate r,
    precision is r TPR / (r TPR + (1 - r) FPR): the share of those called members who are. F1 is the harmonic mean of
    precision and recall (TPR), relative F1 what it adds to that of calling everybody a member, 2 r / (1 + r), as a part
    of what could be added. An original record counts as found whatever record it is that is near it.

    References
    ----------
    El Emam, Mosquera and Fang, "Validating a membership disclosure metric for synthetic health data", JAMIA Open 5,
    2022, doi 10.1093/jamiaopen/ooac083.

    Examples
    --------
    >>> import pandas as pd
    >>> original = pd.DataFrame({"sex": ["f", "f", "m", "m"], "age": [30, 31, 41, 42]})
    >>> control = pd.DataFrame({"sex": ["f", "m", "m", "m"], "age": [30, 31, 43, 44]})
    >>> settings = Settings(keys=["sex", "age"])
    >>> found = membership(original, original[:3], settings, control=control, differing=1, base_rate=0.1)
    >>> found.table[["differing", "TPR", "FPR", "advantage", "precision"]].round(1).to_numpy().tolist()
    [[0.0, 75.0, 25.0, 50.0, 25.0], [1.0, 100.0, 100.0, 0.0, 10.0]]
    """
    if control is None:
        raise SettingsError(
            "membership is not measured without a control file: give records of the same population that were not in "
            "the original (control=...)."
        )
    settings = settings_given(settings)
    differing = require_whole(differing, 0, "membership: differing", MOST_DIFFERING)
    given = (original, *(synthetic if isinstance(synthetic, list | tuple) else (synthetic,)), control)
    if any(map(is_expression, given)):
        raise DataError(
            "membership compares records over many subsets of variables, in memory: give files or frames instead of "
            "Ibis tables, with the variables that somebody knows, and the keys and targets. A million records a side, "
            "of 8 variables, take about a minute and 0.7 GB; joins in DuckDB take as much of both."
        )
    tables = read_all(original, synthetic)
    of_control = read(control, "control")
    coded = prepare(MemoryFiles(tables), settings)
    named = () if variables is None else names_given(variables, "membership: variables")
    names = named or coded.settings.keys
    _require(names, differing, coded.settings)
    _require_base_rate(base_rate, tables[0].n_records)
    require_columns(names, tables)
    require_columns([*coded.names, *names], [of_control])
    *tables, of_control = marked([*tables, of_control], settings.missing_values)
    of_all = dict.fromkeys((*coded.names, *names))
    coded_alike = {name: with_control(coded.variable(name), tables, of_control) for name in of_all}
    called = tuple(_called([coded_alike[name] for name in names], differing, progress))
    findings, _ = doubts(coded_alike, coded, of_control)
    result = Membership(
        settings=coded.settings,
        original=Source.of(tables[0]),
        control=Source.of(of_control),
        synthetic=tuple(Source.of(table) for table in tables[1:]),
        variables=named,
        differing=differing,
        base_rate=None if base_rate is None else float(base_rate),
        called=called,
    )
    advantages = [("membership", one.synthesis, "advantage", one.advantage, one.high) for one in result.guesses]
    findings += below_nothing(advantages, CONFIDENCE)
    warn_as_assess(tables, coded.settings, findings=findings)
    return result.model_copy(update={"findings": tuple(findings)})


def _require(names: Sequence[str], differing: int, settings: Settings) -> None:
    require_no_unit(settings, names, "membership")
    joins = n_joins(len(names), differing)
    if joins > MOST_JOINS:
        raise SettingsError(
            f"membership: with {len(names)} variables of which {differing} may differ, records would be joined "
            f"{joins:,} times, and {MOST_JOINS:,} are the most. Name fewer variables, or let fewer differ."
        )


def _require_base_rate(base_rate: float | None, n_original: int) -> None:
    """Refuse what is neither a share below 1 nor the size of a population larger than the original."""
    if base_rate is None:
        return
    require_kind(base_rate, int | float, "membership: base_rate must be a number")
    if isinstance(base_rate, bool) or not base_rate > 0 or base_rate == 1:
        raise SettingsError(
            f"membership: base_rate must be a share above 0 and below 1, or the size of the population (got "
            f"{base_rate})."
        )
    if 1 < base_rate <= n_original:
        raise SettingsError(
            f"membership: a population of {base_rate:,.0f} has no more people than the original has records "
            f"({n_original:,}): then everybody was in it. Give its size, or the share of it that is in the original."
        )


def _called(variables: Sequence[Variable], differing: int, progress: Progress | None) -> Iterator[Called]:
    """Count, synthesis by synthesis, the records that are called members; the control is the last file."""
    n_files = len(variables[0].codes)
    n_original = len(variables[0].codes[0])
    records = [np.concatenate([variable.codes[0], variable.codes[-1]]) for variable in variables]
    tell = Steps(progress, (n_files - 2) * (differing + 1))
    for synthesis in range(1, n_files - 1):
        found = distances(
            [variable.codes[synthesis] for variable in variables],
            records,
            differing,
            lambda h, file=synthesis: tell.next(f"synthetic file {file}, {h} differing"),  # type: ignore[misc]
        )
        for most in range(differing + 1):
            near = found <= most
            original, control = int(near[:n_original].sum()), int(near[n_original:].sum())
            yield Called(synthesis=synthesis, differing=most, original=original, control=control)
    tell.done()


def _in_short(found: Membership, _: Measured, __: Documentation) -> Iterator[str]:
    worst = found.worst
    doubt = " (in doubt: see the warnings about the control)" if found.findings else ""
    differ = f"{counted(worst.differing, 'variable')} {'differs' if worst.differing == 1 else 'differ'}"
    yield (
        f"Membership{doubt}: {percent(worst.TPR)} of the original and {percent(worst.FPR)} of the control are called "
        f"members, an advantage of {points(worst.advantage)} percentage points "
        f"({points(worst.low)} to {points(worst.high)}), where at most {differ}"
        f"{of_file(worst.synthesis, len(found.synthetic))}"
    )


ANALYSIS = Analysis(
    name="membership",
    title="Membership",
    question="Can somebody tell who was in the original?",
    tells="How many records of the original, and of people who were not in it, have a synthetic record that is near.",
    options=MembershipOptions,
    runs=with_options(membership),
    in_short=_in_short,
)
