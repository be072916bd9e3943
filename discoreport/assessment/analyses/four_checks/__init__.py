"""The four checks for low-fidelity synthetic data, as far as files show them: labelling and structure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from pydantic import Field

from discoreport.assessment.analyses.base import Analysis, Options
from discoreport.assessment.analyses.four_checks.results import CheckItem, FourChecks, Outcome
from discoreport.assessment.analyses.four_checks.structure import compare_structure
from discoreport.assessment.analyses.four_checks.synthetic_marks import Marks
from discoreport.assessment.analyses.result import AnalysisResult
from discoreport.assessment.engine_choice import read_all
from discoreport.assessment.formatting import counted
from discoreport.assessment.measured import Measured
from discoreport.assessment.progress import Progress
from discoreport.assessment.provenance import Source
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.settings import Names, Settings
from discoreport.data.table import Table
from discoreport.errors import SettingsError

WORDS = (
    "synthetic",
    "synth",
    "synthesised",
    "synthesized",
    "fake",
    "dummy",
    "artificial",
    "simulated",
    "fictitious",
    "made-up",
    "made up",
    "not real",
)
"""Words that say that data are synthetic, unless others are given."""


class FourChecksOptions(Options):
    """Of `four_checks`."""

    words: Names = Field(
        WORDS, min_length=1, title="Words", description="words that mark data as synthetic, in any language"
    )


def check_files(
    original: object, synthetic: object, words: Sequence[str] = WORDS, unit: str | None = None
) -> FourChecks:
    """Test labelling and structure of the files; as `four_checks`, which looks at an assessment of them, too."""
    if not words or not all(word.strip() for word in words):
        raise SettingsError("four_checks: give words that mark data as synthetic, such as 'synthetic'.")
    tables = read_all(original, synthetic)
    marks = Marks(words)
    items: list[CheckItem] = []
    for synthesis, table in enumerate(tables[1:], start=1):
        items += _labelling(tables[0], table, synthesis, marks)
    for synthesis, table in enumerate(tables[1:], start=1):
        labels = [name for name in table.columns if marks.are_said_by(table, name)]
        for name, question, bad, good in compare_structure(tables[0], table, labels, unit):
            items.append(
                CheckItem(
                    check="structure",
                    item=name,
                    synthesis=synthesis,
                    question=question,
                    outcome="no" if bad else "yes",
                    detail=bad or good,
                )
            )
    return FourChecks(
        original=Source.of(tables[0]),
        synthetic=tuple(Source.of(table) for table in tables[1:]),
        words=tuple(words),
        items=tuple(items),
    )


def _labelling(original: Table, table: Table, synthesis: int, marks: Marks) -> Iterator[CheckItem]:
    def item(name: str, question: str, outcome: Outcome, detail: str) -> CheckItem:
        return CheckItem(
            check="labelling", item=name, synthesis=synthesis, question=question, outcome=outcome, detail=detail
        )

    question = "Does the file's name say that it is synthetic?"
    if table.path is None:
        yield item("file_name", question, "unknown", "a frame has no file name")
    else:
        marked = marks.are_in(PurePath(table.path).name)
        yield item("file_name", question, "yes" if marked else "no", PurePath(table.path).name)
    own = [name for name in table.columns if name not in original.columns]
    telling = [name for name in own if marks.are_said_by(table, name)]
    yield item(
        "variable",
        "Does a variable say so in every record?",
        "yes" if telling else "no",
        ", ".join(telling) or "no variable that the original lacks says so",
    )
    unmarked = [name for name in table.columns if not marks.are_in(name)]
    yield item(
        "names",
        "Do the names of all variables say so?",
        "no" if unmarked else "yes",
        f"{len(unmarked)} of {len(table.columns)} names don't" if unmarked else "all do",
    )


def _run(
    original: object, synthetic: Sequence[object], settings: Settings, options: FourChecksOptions, _: Progress | None
) -> AnalysisResult:
    return check_files(original, list(synthetic), options.words, settings.unit)


def _in_short(found: FourChecks, _: Measured, __: Documentation) -> Iterator[str]:
    yield f"Four checks: {len(found.open)} of {counted(len(found.items), 'question')} on the files need a look"


ANALYSIS = Analysis(
    name="four_checks",
    title="The four checks",
    question="Is the file marked as synthetic, and built as it should be?",
    tells="Labelling and structure, tested on the files, and a note for users.",
    options=FourChecksOptions,
    runs=_run,
    in_short=_in_short,
)
