"""The trade between risk and loss: which of some steps to take."""

from __future__ import annotations

import itertools
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import pandas as pd
from pydantic import Field

from discoreport.assessment.accept_settings import SettingsGiven, settings_given
from discoreport.assessment.analyses.base import Analysis, Options, file_of, in_its_place
from discoreport.assessment.analyses.count_cells import require_whole
from discoreport.assessment.analyses.mitigation.apply import Mitigated, apply
from discoreport.assessment.analyses.mitigation.before_and_after import Compared, StatesUtility
from discoreport.assessment.analyses.mitigation.steps import Step, Synthesis, steps_from
from discoreport.assessment.analyses.mitigation.steps import Steps as MitigationSteps
from discoreport.assessment.analyses.result import AnalysisResult, Finite, OneFileResult
from discoreport.assessment.analyses.utility.candidates import RiskUtility
from discoreport.assessment.formatting import counted, number, percentage
from discoreport.assessment.measure_files import warn_as_assess
from discoreport.assessment.measured import Measured
from discoreport.assessment.progress import Progress, Steps
from discoreport.assessment.provenance import Source
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.settings import Settings, Whole
from discoreport.errors import SettingsError

MOST = 64
"""Combinations that are tried unless more are asked for: all of 6 steps."""
MOST_OPTIONS = 12
"""How many choices that no other one beats get a letter."""


class Choice(Finite):
    """Some of the steps, and what they bring and cost.

    Parameters
    ----------
    steps
        Which ones, counting from 1; none for the file as it is.
    n_records
        Records of the file after them.
    repU
        After them, in percent of the original.
    DiSCO, target
        The largest over the targets after them, and of which target; None and "" without targets.
    one_way, two_way, detail_lost
        What they cost; see `discoreport.assessment.analyses.mitigation.loss.Loss`.
    efficient
        Whether no other choice is as good in repU, DiSCO, two_way and detail_lost, and better in one of them.
    utility
        How alike the file after them and the original are, and what it gives away beyond chance; None in records of
        an earlier version.
    """

    steps: tuple[int, ...]
    n_records: int
    repU: float  # noqa: N815  # published measures keep their names
    DiSCO: float | None
    target: str
    one_way: float
    two_way: float | None
    detail_lost: float
    efficient: bool = False
    utility: RiskUtility | None = None

    @property
    def loss(self) -> float:
        """How far distributions moved: of pairs of variables, or of single ones where there are no pairs."""
        return self.one_way if self.two_way is None else self.two_way

    @property
    def figures(self) -> tuple[float, ...]:
        """What is to be kept low."""
        return (self.repU, self.DiSCO or 0.0, self.loss, self.detail_lost)


@dataclass(frozen=True)
class Option:
    """Choices of steps that bring and cost the same.

    Parameters
    ----------
    letter
        What stands for it in figure and table.
    choice
        The first of them, which has fewest steps.
    n_others
        How many others there are.
    """

    letter: str
    choice: Choice
    n_others: int


class Trade(OneFileResult):
    """The trade between risk and loss; get one from `trade_off`. Aggregates only.

    Parameters
    ----------
    settings
        What was asked, targets written out.
    original, synthetic
        The files.
    steps
        What there was to choose from.
    choices
        Every combination, fewer steps first.
    """

    steps: tuple[Step, ...]
    choices: tuple[Choice, ...]

    def before(self) -> Iterator[tuple[str, str, float | None]]:
        """Give the largest DiSCO of the file as it is, and repU."""
        for one in self.choices:
            if not one.steps and one.DiSCO:  # 0 may stand for a measure that has nothing to divide by
                yield one.target, "DiSCO", one.DiSCO
            if not one.steps:
                yield "", "repU", one.repU

    def concerns(self, synthetic: Sequence[Source]) -> bool:
        """Tell whether the file is among those of an assessment."""
        return any(self.synthetic.can_be(file) for file in synthetic)

    def for_targets(self, names: Sequence[str]) -> Self | None:
        """Give the whole or nothing: which choices are efficient depends on all targets."""
        return self if set(self.settings.targets or ()) <= set(names) else None

    @property
    def entries(self) -> tuple[Choice, ...]:
        """What it has of each target: the one that a choice leaves most exposed."""
        return self.choices

    @property
    def options(self) -> tuple[Option, ...]:
        """The choices that no other one beats, the one with the least loss first; those alike once."""
        alike: dict[tuple[float, ...], list[Choice]] = {}
        for one in self.choices:
            if one.efficient:
                alike.setdefault(tuple(round(value, 9) for value in one.figures), []).append(one)
        ordered = sorted(alike.values(), key=lambda several: (several[0].loss, len(several[0].steps)))
        lettered = zip(string.ascii_uppercase[:MOST_OPTIONS], ordered, strict=False)
        return tuple(Option(letter, several[0], len(several) - 1) for letter, several in lettered)

    @property
    def table(self) -> pd.DataFrame:
        """One row a choice; ``what`` says its steps in words."""
        rows = [
            {
                **one.model_dump(exclude={"utility"}),
                **_utility_figures(one.utility),
                "steps": ", ".join(map(str, one.steps)),
                "what": "; ".join(self.steps[number - 1].words() for number in one.steps),
            }
            for one in self.choices
        ]
        table = pd.DataFrame(
            rows, columns=["what", *(name for name in Choice.model_fields if name != "utility"), *_UTILITY]
        )
        return table.astype(dict.fromkeys(("repU", "DiSCO", "one_way", "two_way", "detail_lost", *_UTILITY), "float64"))


_UTILITY = ("excess", "S_pMSE", "MabsDD")


def _utility_figures(found: RiskUtility | None) -> dict[str, float | None]:
    """Give the excess, and the means over the tables of variables."""
    tables = found and found.tables
    means = (tables.mean_S_pMSE, tables.mean_MabsDD) if tables else (None, None)
    return dict(zip(_UTILITY, (found and found.excess, *means), strict=True))


class TradeOffOptions(Options):
    """Of `trade_off`."""

    steps: MitigationSteps
    synthesis: Synthesis = 1
    most: Whole = Field(
        MOST, ge=1, le=2**MOST_OPTIONS, title="Most combinations", description="most combinations of the steps to try"
    )


def trade_off(
    original: object,
    synthetic: object,
    settings: SettingsGiven,
    steps: Sequence[object],
    *,
    most: int = MOST,
    progress: Progress | None = None,
) -> Trade:
    """Apply every combination of some steps, and set the risk that is left against the loss.

    Parameters
    ----------
    original, synthetic, settings
        As for `mitigate`.
    steps
        As for `mitigate`; a combination takes them in this order.
    most
        Most combinations to try; more are refused.
    progress
        Called with combinations tried, combinations in all, and what is tried.

    Returns
    -------
    Trade
        The file as it is, and every combination.

    Raises
    ------
    DataError, SettingsError
        As `mitigate`; and where there are too many combinations.

    Warns
    -----
    ComparisonWarning
        As `mitigate` does.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [30, 31, 41, 41, 95], "ill": ["y", "n", "n", "n", "y"]})
    >>> steps = [{"step": "remove replicated uniques"}, {"step": "limit values", "variable": "age", "top": 31}]
    >>> trade_off(frame, frame, Settings(keys=["age"]), steps).table[["steps", "repU", "DiSCO", "two_way", "efficient"]]
      steps  repU  DiSCO  two_way  efficient
    0        60.0  100.0      0.0       True
    1     1   0.0   40.0     60.0       True
    2     2  20.0   20.0     60.0       True
    3  1, 2   0.0   60.0     80.0      False
    """
    settings = settings_given(settings)
    built = steps_from(steps)
    most = require_whole(most, 1, "trade_off: most", 2**MOST_OPTIONS)
    if 2 ** len(built) > most:
        raise SettingsError(
            f"trade_off: {len(built)} steps have {2 ** len(built):,} combinations, more than most={most:,}. "
            "Give fewer steps, or raise most."
        )
    compared = Compared.open(original, synthetic, settings, "trade_off")
    numbers = range(1, len(built) + 1)
    combinations = [chosen for size in range(len(built) + 1) for chosen in itertools.combinations(numbers, size)]
    choices: list[Choice] = []
    alike = StatesUtility.of(compared, len(combinations))
    tell = Steps(progress, len(combinations))
    for chosen in combinations:
        taken = [built[number - 1] for number in chosen]
        tell.next("; ".join(step.words() for step in taken))
        choices.append(_choice(chosen, apply(compared, taken), alike))
    tell.done()
    warn_as_assess([compared.original, compared.given], compared.settings)
    return Trade(
        settings=compared.settings,
        original=Source.of(compared.original),
        synthetic=Source.of(compared.given),
        steps=built,
        choices=tuple(one.model_copy(update={"efficient": not _beaten(one, choices)}) for one in choices),
    )


def _choice(chosen: tuple[int, ...], mitigated: Mitigated, alike: StatesUtility) -> Choice:
    mitigation = mitigated.mitigation
    after = {(one.target, one.measure): one.after or 0.0 for one in mitigation.figures}
    disclosed = {target: value for (target, measure), value in after.items() if measure == "DiSCO"}
    worst = max(disclosed, key=lambda target: disclosed[target], default="")
    return Choice(
        steps=chosen,
        n_records=mitigation.steps[-1].n_left if mitigation.steps else mitigation.synthetic.n_records,
        repU=next((one.after for one in mitigation.of_keys if one.after is not None), 0.0),
        DiSCO=disclosed.get(worst),
        target=worst,
        one_way=mitigation.loss.one_way,
        two_way=mitigation.loss.two_way,
        detail_lost=mitigation.loss.detail_lost,
        utility=alike.beside(mitigated.states[-1], mitigation.figures),
    )


def _beaten(one: Choice, others: Sequence[Choice]) -> bool:
    mine = one.figures
    return any(
        all(theirs <= ours for theirs, ours in zip(other.figures, mine, strict=True)) and other.figures != mine
        for other in others
    )


def told_choices(found: Trade) -> str:
    """Write every combination of the steps: the risk that is left, and the loss."""
    steps = [f"{place}: {step.words()}" for place, step in enumerate(found.steps, start=1)]
    rows = [
        {
            "steps": ", ".join(map(str, one.steps)) or "none",
            "records": number(one.n_records),
            "repU": percentage(one.repU),
            "DiSCO": percentage(one.DiSCO),
            "of": one.target,
            "one-way loss": percentage(one.one_way),
            "two-way loss": percentage(one.two_way),
            "detail lost": percentage(one.detail_lost),
            "beaten by none": "yes" if one.efficient else "",
        }
        for one in found.choices
    ]
    return "\n".join([*steps, "", pd.DataFrame(rows).to_string(index=False)])


def _run(
    original: object,
    synthetic: Sequence[object],
    settings: Settings,
    options: TradeOffOptions,
    progress: Progress | None,
) -> AnalysisResult:
    file = file_of(synthetic, options.synthesis)
    found = trade_off(original, file, settings, options.steps, most=options.most, progress=progress)
    return found.model_copy(update={"synthetic": in_its_place(found.synthetic, options.synthesis, len(synthetic))})


def _in_short(found: Trade, _: Measured, __: Documentation) -> Iterator[str]:
    n_efficient = sum(one.efficient for one in found.choices)
    yield f"Trade-off: {n_efficient} of {counted(len(found.choices), 'combination')} of steps are beaten by no other"


def _options_from(found: Trade, assessment: Measured) -> dict[str, Any]:
    return {"steps": found.steps, "synthesis": found.places(assessment)[0], "most": len(found.choices)}


ANALYSIS = Analysis(
    name="trade_off",
    title="Risk against loss",
    question="Which changes are worth their cost?",
    tells="Every combination of some steps: the risk that is left, against what is lost.",
    options=TradeOffOptions,
    runs=_run,
    in_short=_in_short,
    options_from=_options_from,
)
