"""Utility: what the synthetic file reproduces of the original, in every table of one and of two variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import Field

from discoreport.assessment.accept_settings import SettingsGiven, names_given, settings_given
from discoreport.assessment.analyses.base import Analysis, Options, Variables, with_options
from discoreport.assessment.analyses.count_cells import require_whole
from discoreport.assessment.analyses.utility.compared_variables import CLASSES, compared_variables
from discoreport.assessment.analyses.utility.counting import count, distribution_of
from discoreport.assessment.analyses.utility.declared import DeclaredAnalyses, declared_from
from discoreport.assessment.analyses.utility.declared_counting import count_declared
from discoreport.assessment.analyses.utility.declared_results import worst_first
from discoreport.assessment.analyses.utility.results import Utility
from discoreport.assessment.engine_choice import open_files
from discoreport.assessment.formatting import NOT_AVAILABLE, clean, counted, number, of_file, percent
from discoreport.assessment.measure_files import doubts_of
from discoreport.assessment.measured import Measured
from discoreport.assessment.prepare import prepare
from discoreport.assessment.progress import Progress
from discoreport.assessment.provenance import Source
from discoreport.assessment.python_warnings import is_unwarned, warn_of
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.settings import Whole
from discoreport.data.engine.connection import Engine, EngineName
from discoreport.errors import DataError

MOST_CLASSES = 1000
MOST_OF_THREE = 20
"""Threes are looked at of at most this many variables: 1,140 tables."""


class UtilityOptions(Options):
    """Of `utility`."""

    variables: Variables = Field(
        (), title="Variables", description="variables that are compared; by default all that can be"
    )
    classes: Whole = Field(
        CLASSES,
        ge=2,
        le=MOST_CLASSES,
        title="Classes of numbers",
        description="into how many classes numbers are put",
    )
    threes: Whole = Field(
        0,
        ge=0,
        le=MOST_OF_THREE,
        title="Threes",
        description="of how many variables, those that differ most, tables of three are looked at, too",
    )
    declared: DeclaredAnalyses = ()


def utility(
    original: object,
    synthetic: object,
    settings: SettingsGiven,
    *,
    variables: Sequence[str] | str | None = None,
    classes: int = CLASSES,
    threes: int = 0,
    declared: object = (),
    engine: EngineName = "auto",
    progress: Progress | None = None,
) -> Utility:
    """Compare the files in every table of one and of two variables.

    Parameters
    ----------
    original, synthetic
        As for `assess`; one synthetic file or a list of them.
    settings
        As for `assess_with`. Special codes and missing values are levels of their own. Numbers that it groups are
        compared in these groups.
    variables
        By default all that every file has, identifiers and texts with very many levels left out: see
        `Utility.left_out`.
    classes
        Other numbers are put into about this many classes by quantiles of type 7 over all files, or of equal width
        where fewer than 3 would result.
    threes
        Of so many variables, those with the highest S_pMSE alone, tables of three are looked at, too.
    declared
        What the requester will do with the file, one or several: ``"mean of income by region"``, ``"share of smoker =
        Yes by age, education"``, ``"count of marital by region"``, or the same as names and values: ``{"figure":
        "share", "variable": "smoker", "level": "Yes", "by": ["age"]}``. Of each, the figures and 95 % intervals of both
        files, and how far the intervals overlap.
    engine
        As for `assess`. All engines give the same figures.
    progress
        Called with steps done, steps in all, and what comes next.

    Returns
    -------
    Utility
        Its `table` has a row for each synthesis and table; `summary` the mean and the worst of each synthesis;
        `declared_table` a row for each group of each declared analysis, the least overlap first.

    Raises
    ------
    DataError, SettingsError
        As `assess`; and where a variable is named that can't be compared, or there is none to compare; where a declared
        analysis can't be read, or names a variable or a level that no file has.

    Warns
    -----
    ComparisonWarning
        As `assess` does.

    Notes
    -----
    S_pMSE is 1 on average where the synthetic file is drawn from the right distribution, whatever the size of the
    files and the number of cells. It says how certain a difference is and how large: with more records the same
    difference gives a higher figure. MabsDD says how large it is alone.

    Of declared analyses, means are of the numbers themselves, without missing values and special codes, with Student's
    interval; shares and counts are in percent, with Wilson's. Missing values are a level there unless the settings
    leave them out. Groups of fewer than ten original records are put together. An overlap is missing where a file has
    fewer than two records of a group, or all of them have the same number.

    References
    ----------
    Raab, Nowok and Dibben, "Assessing, visualizing and improving the utility of synthetic data", 2021,
    arXiv:2109.12717. Overlap: Karr, Kohnen, Oganian, Reiter and Sanil, "A framework for evaluating the utility of data
    altered to protect confidentiality", 2006; Snoke, Raab, Nowok, Dibben and Slavkovic, "General and specific utility
    measures for synthetic data", 2018.

    Examples
    --------
    >>> import pandas as pd
    >>> from discoreport import Settings
    >>> original = pd.DataFrame({"sex": ["f", "f", "m", "m"], "ill": ["y", "n", "n", "n"]})
    >>> synthetic = pd.DataFrame({"sex": ["f", "m", "m", "m"], "ill": ["y", "n", "n", "n"]})
    >>> found = utility(original, synthetic, Settings(keys=["sex"]))
    >>> found.table[["first", "second", "df", "S_pMSE", "MabsDD"]].round(2).to_numpy().tolist()
    [['sex', nan, 1, 1.07, 0.5], ['ill', nan, 1, 0.0, 0.0], ['sex', 'ill', 2, 1.2, 0.5]]
    """
    settings = settings_given(settings)
    classes = require_whole(classes, 2, "utility: classes", MOST_CLASSES)
    threes = require_whole(threes, 0, "utility: threes", MOST_OF_THREE)
    names = () if variables is None else names_given(variables, "utility: variables")
    asked = declared_from(declared)
    with open_files(original, synthetic, Engine(name=engine)) as opened:
        prepared = prepare(opened, settings)
        compared, left_out = compared_variables(prepared, names, classes)
        if not compared:
            raise DataError("utility: the files have no variable in common that can be compared.")
        tables, pair = count(prepared.files, compared, threes, progress)
        of_declared = count_declared(prepared, asked, classes, progress) if asked else ()
        prepared.files.require_unchanged()
        doubts = [] if is_unwarned() else doubts_of(opened, prepared.settings)
        result = Utility(
            settings=prepared.settings,
            original=Source.of(prepared.tables[0]),
            synthetic=tuple(Source.of(table) for table in prepared.tables[1:]),
            variables=names,
            classes=classes,
            threes=threes,
            left_out=tuple(left_out),
            distributions=tuple(distribution_of(one) for one in compared),
            tables=tables,
            pair=pair,
            declared=of_declared,
        )
    warn_of(doubts, stacklevel=2)
    return result


def _in_short(found: Utility, _: Measured, __: Documentation) -> Iterator[str]:
    tables, told = (found.of_files(2), "pairs") if found.of_files(2) else (found.of_files(1), "variables")
    worst = max(tables, key=lambda one: one.worst_S_pMSE or 0.0)
    names = " and ".join(map(clean, worst.worst))
    mean, most = number(worst.mean_S_pMSE), number(worst.worst_S_pMSE)
    file = of_file(worst.synthesis, len(found.synthetic))
    yield f"Utility: S_pMSE of {told} {mean} on average, {most} at worst ({names}){file}"
    yield from _of_declared(found)


def _of_declared(found: Utility) -> Iterator[str]:
    """Tell which declared analysis is reproduced least; its level isn't named."""
    for one in worst_first(found.declared)[:1]:
        worst = one.worst_file
        lowest = NOT_AVAILABLE if worst is None else percent(worst.lowest)
        n = f"{counted(len(found.declared), 'declared analysis', 'declared analyses')}"
        yield f"Utility: of {n}, intervals overlap least in the {clean(one.asked.without_level)} ({lowest})"


def _options_from(found: Utility, _: Measured) -> dict[str, Any]:
    return {"variables": found.variables, "classes": found.classes, "threes": found.threes} | {
        "declared": tuple(one.asked for one in found.declared)
    }


ANALYSIS = Analysis(
    name="utility",
    title="Utility",
    question="What does the file reproduce of the original?",
    tells="How far every variable and every pair of variables is distributed as in the original.",
    options=UtilityOptions,
    runs=with_options(utility),
    in_short=_in_short,
    options_from=_options_from,
)
