"""What the form has found, in a few figures; those of the keys are counted without any target."""

from __future__ import annotations

from dataclasses import dataclass

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.evaluate_measures import measure_keys
from discoreport.assessment.formatting import counted, number, percent, points
from discoreport.assessment.formatting import name as written_name
from discoreport.assessment.prepare import marked_files, missing_keys_of
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.results import EXCESS, ClassSize, Result
from discoreport.assessment.settings import Settings
from discoreport.form.model.draft_settings import Draft
from discoreport.form.model.open_files import OpenFiles
from discoreport.measures.exclusions import Rules
from discoreport.report.internal_edition import InternalEdition


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
    found = measure_keys(prepared.files.count(keys, prepared.unit).of_keys(), rules)
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


def in_force(draft: Draft, documentation: Documentation) -> str:
    """Say what is left out or was changed, with figures or without them; "" where nothing is."""
    n_rules, n_steps = len(draft.exclude), len(documentation.mitigation)
    parts = []
    if n_rules:
        parts.append(counted(n_rules, "exclusion"))
    if draft.without_missing:
        parts.append(f"missing values left out of {counted(len(draft.without_missing), 'variable')}")
    if draft.max_denominator is not None:
        parts.append(f"cells of more than {counted(draft.max_denominator, 'record')} left out")
    if n_steps:
        parts.append(f"the synthetic file was changed or recoded after the synthesis ({counted(n_steps, 'step')})")
    return "; ".join(parts)


def _of_keys(keys: KeyFigures | None) -> tuple[Headline, Headline]:
    if keys is None:
        return (
            Headline("Unique in the original (UiO)", "–", "no keys yet", "original"),
            Headline("Replicated uniques (repU)", "–", "no keys yet", "synthetic"),
        )
    n = keys.n_original
    unique = keys.results[0].values["UiO"]
    repeated = max((result.values["repU"] or 0.0 for result in keys.results), default=None)
    file = "the synthetic file" if len(keys.results) == 1 else f"the worst of {len(keys.results)} files"
    return (
        Headline(
            "Unique in the original (UiO)",
            percent(unique),
            f"of {counted(n, 'record')}, {counted(keys.n_combinations, 'combination')} of keys",
            "original",
        ),
        Headline("Replicated uniques (repU)", percent(repeated), f"unique in {file}, too", "synthetic"),
    )


def _of_targets(assessment: Assessment | None) -> tuple[Headline, Headline]:
    if assessment is None:
        why = "not run yet"
        return Headline("Most exposed target (DiSCO)", "–", why, "synthetic"), Headline("Thresholds", "–", why)
    edition = InternalEdition(assessment)
    return _worst(edition), _thresholds(edition)


def _worst(edition: InternalEdition) -> Headline:
    label = "Most exposed target (DiSCO)"
    if not edition.targets:
        return Headline(label, "–", "no target", "synthetic")
    worst = edition.targets[0]
    more = [f"{written_name(worst.name)}; original: {percent(worst.shares['Dorig'].percent)}"]
    beyond = worst.figures[EXCESS]
    if beyond is not None:
        more.append(f"beyond chance: {points(beyond)} points")
    if edition.excludes:
        before = edition.without_exclusions.targets[0]
        of = "" if before.name == worst.name else f" ({written_name(before.name)})"
        more.append(f"with nothing left out: {percent(before.shares['DiSCO'].percent)}{of}")
    if edition.follows:
        name, value = edition.follows
        more.append(f"for whoever recodes alike: {percent(value)} ({written_name(name)})")
    return Headline(label, percent(worst.shares["DiSCO"].percent), "; ".join(more), "synthetic")


def _thresholds(edition: InternalEdition) -> Headline:
    if not edition.policy.thresholds:
        return Headline("Thresholds", "none set", edition.policy.called or "the policy in force sets none")
    n_above, n_unknown, n = len(edition.above), len(edition.not_comparable), len(edition.compared)
    value = f"{number(n_above)} above" if n_above or not n_unknown else "can't be compared"
    hue = "synthetic" if n_above or n_unknown else ""
    more = [f"of {counted(n, 'figure')}"]
    if n_unknown:
        more.append(f"{number(n_unknown)} can't be compared")
    first = next(iter(edition.above), None)
    if first is not None:
        of = f" of {written_name(first.place)}" if first.place else ""
        more.append(
            f"{first.threshold.measure}{of}: {percent(first.value)}, threshold {percent(first.threshold.limit)}"
        )
    return Headline("Thresholds", value, "; ".join(more), hue)
