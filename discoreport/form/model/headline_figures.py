"""What the form has found, in four figures. No widgets."""

from __future__ import annotations

from dataclasses import dataclass

from discoreport.assessment.results import average
from discoreport.assessment.writing import counted, number, percent
from discoreport.assessment.writing import name as written_name
from discoreport.form.model.key_figures import KeyFigures
from discoreport.form.model.state import FormState


@dataclass(frozen=True)
class Headline:
    """One figure of the strip: its label, its value, a second line, and the hue of the file it is about."""

    label: str
    value: str
    more: str
    hue: str = ""


def headlines(state: FormState, keys: KeyFigures | None) -> tuple[Headline, ...]:
    """Give the figures of the strip.

    Parameters
    ----------
    state
        The form.
    keys
        What the keys as they are now show; None where they can't be counted.
    """
    return (*_of_keys(keys), *_of_targets(state))


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


def _of_targets(state: FormState) -> tuple[Headline, Headline]:
    assessment = state.assessment
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
