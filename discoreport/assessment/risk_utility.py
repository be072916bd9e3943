"""Candidates for a release with risk beside utility: other releases, sizes, steps; and which no other one beats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.mitigation.results import Mitigation
from discoreport.assessment.analyses.release_size.results import ReleaseSizes
from discoreport.assessment.analyses.releases import ReleaseComparison
from discoreport.assessment.analyses.trade_off import Trade
from discoreport.assessment.analyses.utility.candidates import RiskUtility, most_beyond_chance
from discoreport.assessment.analyses.utility.results import FileUtility
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.formatting import counted, listed, number, percent, percentage, points
from discoreport.assessment.results import Figures, average, highest
from discoreport.data.findings.finding import COPYING

Risk = Literal["excess", "repU", "DiSCO"]
RISKS: tuple[Risk, ...] = get_args(Risk)
"""What utility is set beside: DiSCO beyond chance of the most exposed target, repU, and DiSCO itself."""


@dataclass(frozen=True)
class Candidate:
    """One file that could be released, or several together.

    Parameters
    ----------
    name
        What it is called.
    assessed
        Whether it is what the assessment is of.
    repU
        Of the worst file, in percent; None where it has nothing to divide by.
    excess, target
        The largest over files and targets of what DiSCO has beyond chance, in percentage points, and of which target;
        None and "" where there is none.
    tables
        The utility of the file whose mean MabsDD is highest.
    copied
        Whether it is said to have records of the original, which makes it look close to it.
    DiSCO
        The largest over files and targets, in percent; None where it isn't known.
    """

    name: str
    assessed: bool
    repU: float | None  # noqa: N815  # published measures keep their names
    excess: float | None
    target: str
    tables: FileUtility
    copied: bool = False
    DiSCO: float | None = None

    @property
    def difference(self) -> float:
        """By how much shares of cells differ from the original's, in percent: mean MabsDD over the tables.

        Unlike S_pMSE it can be compared between files of several sizes.
        """
        return 100 * self.tables.mean_MabsDD

    def risk(self, measure: Risk) -> float | None:
        """Give one of the figures on risk."""
        found: float | None = getattr(self, measure)
        return found


@dataclass(frozen=True)
class Candidates:
    """What one analysis has tried: at least two candidates."""

    analysis: str
    tried: tuple[Candidate, ...]

    @property
    def n_together(self) -> int:
        """Of how many variables the tables are."""
        return len(self.tried[0].tables.worst)

    def known(self, measure: Risk) -> tuple[Candidate, ...]:
        """Give those whose risk is known."""
        return tuple(one for one in self.tried if one.risk(measure) is not None)

    def efficient(self, measure: Risk) -> tuple[Candidate, ...]:
        """Give those that no other one beats, the closest to the original first; of those alike the first.

        A file with records of the original is none of them, however close it is. One beats another where neither risk
        nor difference is higher, and one of them is lower.
        """
        found: list[Candidate] = []
        least = float("inf")
        for one in sorted(
            (one for one in self.known(measure) if not one.copied),
            key=lambda one: (round(one.difference, 9), one.risk(measure) or 0.0),
        ):
            risk = one.risk(measure)
            if risk is not None and risk < least - 1e-9:
                found.append(one)
                least = risk
        return tuple(found)

    @property
    def decisive(self) -> Risk:
        """What is told first: DiSCO beyond chance, or repU where there is none."""
        return "excess" if self.known("excess") else "repU"

    def in_words(self, most: int = 4) -> str:
        """Say which candidates, the first of them, no other one beats."""
        measure = self.decisive
        efficient = [
            f"{one.name} ({f'{points(one.excess)} points' if measure == 'excess' else percent(one.repU)}, "
            f"{percentage(one.difference)} % from the original)"
            for one in self.efficient(measure)
        ]
        what = "DiSCO beyond chance" if measure == "excess" else "repU"
        n = counted(len(self.known(measure)), "candidate")
        copied = [one.name for one in self.known(measure) if one.copied]
        aside = f" Left aside, with records of the original: {listed(copied, most)}." if copied else ""
        least = f"no other one has less {what} and is closer to the original than {listed(efficient, most)}"
        return f"{ANALYSES[self.analysis].title}: of {n}, {least}.{aside}" if efficient else aside.strip()


def mapped(assessment: Assessment) -> tuple[Candidates, ...]:
    """Give what a map shows: of steps all combinations where they were tried, else one after the other."""
    known = {one.analysis: one for one in candidates(assessment) if one.known(one.decisive)}
    return tuple(one for name, one in known.items() if name != "mitigation" or "trade_off" not in known)


def candidates(assessment: Assessment) -> tuple[Candidates, ...]:
    """Gather what analyses have tried, where there is more than one candidate and utility was measured.

    Records of an earlier version have none.
    """
    found = assessment.analyses
    gathered: dict[str, list[Candidate]] = {
        "releases": _of_releases(found.releases, assessment) if found.releases else [],
        "mitigation": _of_steps(found.mitigation, assessment) if found.mitigation else [],
        "trade_off": _of_choices(found.trade_off) if found.trade_off else [],
        "release_size": _of_sizes(found.release_size) if found.release_size else [],
    }
    return tuple(Candidates(name, tuple(tried)) for name, tried in gathered.items() if len(tried) > 1)


def _of_releases(found: ReleaseComparison, assessment: Assessment) -> list[Candidate]:
    assessed = found.assessed(assessment)
    return [
        _candidate(
            one.name,
            one.name == assessed,
            [(figures.target, figures.values) for figures in found.results if figures.release == one.name],
            max(one.utility, key=lambda of_file: of_file.mean_MabsDD),
            copied=any(told.finding in COPYING and told.detail.startswith(f"{one.name}: ") for told in found.findings),
        )
        for one in found.releases
        if one.utility
    ]


def _of_steps(found: Mitigation, assessment: Assessment) -> list[Candidate]:
    led = found.led_to(*assessment.synthetic)
    names = ["as it was", *(f"after step {n}" for n in range(1, len(found.steps) + 1))]
    assessed = len(found.steps) if led else 0
    named = enumerate(zip(names, found.utility, strict=bool(found.utility)))
    return _of_states((name, place == assessed, one) for place, (name, one) in named)


def _of_choices(found: Trade) -> list[Candidate]:
    return _of_states((_steps_told(one.steps), not one.steps, one.utility) for one in found.choices)


def _of_states(tried: Iterable[tuple[str, bool, RiskUtility | None]]) -> list[Candidate]:
    """Give those whose utility was measured, of names and whether each is the assessed one."""
    return [
        Candidate(name, assessed, one.repU, one.excess, one.target, one.tables, DiSCO=one.most_DiSCO)
        for name, assessed, one in tried
        if one and one.tables
    ]


def _steps_told(steps: Sequence[int]) -> str:
    return f"{'steps' if len(steps) > 1 else 'step'} {' + '.join(map(str, steps))}" if steps else "as it is"


def _of_sizes(found: ReleaseSizes) -> list[Candidate]:
    several = len(found.synthetic) > 1
    sizes = dict.fromkeys((one.synthesis, one.n_synthetic) for one in found.utility)
    tried = []
    for synthesis, size in sorted(sizes, key=lambda place: place[::-1]):
        drawn = [one.tables for one in found.utility if (one.synthesis, one.n_synthetic) == (synthesis, size)]
        of_target: dict[str, list[Figures]] = {}
        for one in found.sizes:
            if (one.synthesis, one.n_synthetic) == (synthesis, size):
                of_target.setdefault(one.target, []).append(one.values)
        means = [(target, _means(values)) for target, values in of_target.items()]
        name = f"{number(size)} (file {synthesis})" if several else number(size)
        whole = size == found.synthetic[synthesis - 1].n_records
        tried.append(_candidate(name, whole and not several, means, _mean_tables(drawn)))
    return tried


def _candidate(
    name: str, assessed: bool, values: Sequence[tuple[str, Figures]], tables: FileUtility, *, copied: bool = False
) -> Candidate:
    beyond, target = most_beyond_chance(values)
    unique, disco = (highest(figures.get(measure) for _, figures in values) for measure in ("repU", "DiSCO"))
    return Candidate(name, assessed, unique, beyond, target, tables, copied, disco)


def _means(draws: Sequence[Figures]) -> Figures:
    """Give the mean over the draws of each measure; missing where it is in any."""
    return {measure: average([one[measure] for one in draws]) for measure in draws[0]}


def _mean_tables(drawn: Sequence[FileUtility]) -> FileUtility:
    """Give means over the draws; the worst table is that of the first."""
    names = [name for name in FileUtility.model_fields if name.startswith(("mean_", "worst_"))]
    return drawn[0].model_copy(update={name: average([getattr(one, name) for one in drawn]) for name in names})
