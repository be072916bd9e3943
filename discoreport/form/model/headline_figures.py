"""What the form has found, in four figures; those of the keys are counted without any target."""

from __future__ import annotations

from dataclasses import dataclass

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.figures_and_flags import measure_keys
from discoreport.assessment.formatting import counted, number, percent
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.prepare import marked_files, missing_keys_of
from discoreport.assessment.results import ClassSize, Result, average
from discoreport.assessment.settings import Settings
from discoreport.form.model.open_files import OpenFiles
from discoreport.measures.exclusions import Rules


@dataclass(frozen=True)
class KeyFigures:
    """Distinct combinations of keys in the original, and the identity measures of each synthetic file."""

    n_combinations: int
    n_original: int
    results: tuple[Result, ...]


def count_keys(files: OpenFiles, settings: Settings) -> KeyFigures:
    """Count the keys alone, which is quick.

    Raises
    ------
    SettingsError, DataError
        Where a key won't do.
    """
    prepared = marked_files(files, settings)
    keys = [prepared.variable(name).variable for name in settings.keys]
    rules = Rules(missing_keys=missing_keys_of(keys, settings))
    found = measure_keys(prepared.files.count(keys).of_keys(), rules)
    sizes: tuple[ClassSize, ...] = found[0][1]
    n_combinations = sum(one.n_classes for one in sizes if one.table == "original")
    return KeyFigures(n_combinations, files.tables[0].n_records, tuple(result for result, _ in found))


@dataclass(frozen=True)
class Headline:
    """One figure of the strip: its label, its value, a second line, and the hue of the file it is about."""

    label: str
    value: str
    more: str
    hue: str = ""


def headlines(assessment: Assessment | None, keys: KeyFigures | None) -> tuple[Headline, ...]:
    """Give the figures of the strip.

    Parameters
    ----------
    assessment
        The latest result.
    keys
        What the keys as they are now show; None where they can't be counted.
    """
    return (*_of_keys(keys), *_of_targets(assessment))


def _of_keys(keys: KeyFigures | None) -> tuple[Headline, Headline]:
    if keys is None:
        return (
            Headline("Unique in the original (UiO)", "–", "no keys yet", "original"),
            Headline("Replicated uniques (repU)", "–", "no keys yet", "synthetic"),
        )
    n = keys.n_original
    unique = keys.results[0].values["UiO"]
    repeated = average([result.values["repU"] for result in keys.results])
    return (
        Headline(
            "Unique in the original (UiO)",
            percent(unique),
            f"of {counted(n, 'record')}, {counted(keys.n_combinations, 'combination')} of keys",
            "original",
        ),
        Headline("Replicated uniques (repU)", percent(repeated), "unique in the synthetic file, too", "synthetic"),
    )


def _of_targets(assessment: Assessment | None) -> tuple[Headline, Headline]:
    if assessment is None or not assessment.targets:
        why = "not run yet" if assessment is None else "no target"
        return (
            Headline("Most exposed target (DiSCO)", "–", why, "synthetic"),
            Headline("Flags not answered", "–", why),
        )
    worst = str(assessment.summary.index[0])
    value = assessment.value("DiSCO", worst)
    more = f"{written_name(worst)}; original: {percent(assessment.value('Dorig', worst))}"
    n_open, n_flags = len(assessment.unanswered), len(assessment.outcome.flags)
    return (
        Headline("Most exposed target (DiSCO)", percent(value), more, "synthetic"),
        Headline("Flags not answered", number(n_open), f"of {counted(n_flags, 'flag')} in this run"),
    )
