"""Release size: how the measures change when fewer synthetic records are released."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import BeforeValidator, Field

from discoreport.assessment.accept_settings import SettingsGiven, settings_given
from discoreport.assessment.analyses.base import Analysis, Options, several, with_options
from discoreport.assessment.analyses.count_cells import count_cells, require_whole
from discoreport.assessment.analyses.release_size.results import ReleaseSize, ReleaseSizes, SizeUtility
from discoreport.assessment.analyses.result import named
from discoreport.assessment.analyses.utility.candidates import n_in_a_table, utilities, variables_of
from discoreport.assessment.engine_choice import MemoryFiles, read_all
from discoreport.assessment.formatting import of_file, percent
from discoreport.assessment.measure_files import warn_as_assess
from discoreport.assessment.measured import Measured
from discoreport.assessment.prepare import prepare
from discoreport.assessment.progress import Progress, Steps
from discoreport.assessment.provenance import Source
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.settings import Whole
from discoreport.data.coding import Variable
from discoreport.errors import SettingsError
from discoreport.measures.key_index import combine
from discoreport.measures.memory_engine import Counter
from discoreport.measures.registry import measures_for

SHARES = (0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
"""Sizes that are looked at by default, as shares of the synthetic file."""
DRAWS, SEED = 5, 1
"""How many times parts are drawn by default, and from which random numbers."""
MOST_DRAWS, MOST_SIZES, MOST_SEED = 1_000, 100, 2**64 - 1
MOST_DRAWN = 10**8
"""Records that are drawn in all."""
AT_ONCE = 5 * 10**6
"""Records that are counted at once: memory holds their keys."""


class ReleaseSizeOptions(Options):
    """Of `release_size`."""

    sizes: Annotated[tuple[Whole, ...], BeforeValidator(several)] = Field(
        (),
        max_length=MOST_SIZES,
        title="Sizes",
        description="numbers of records to release; by default from a twentieth of the file to all of it",
    )
    draws: Whole = Field(
        DRAWS, ge=1, le=MOST_DRAWS, title="Draws", description="how many times parts of each size are drawn"
    )
    seed: Whole = Field(SEED, ge=0, le=MOST_SEED, title="Seed", description="the same seed draws the same parts")


def release_size(
    original: object,
    synthetic: object,
    settings: SettingsGiven,
    *,
    sizes: Sequence[int] | None = None,
    draws: int = DRAWS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> ReleaseSizes:
    """Evaluate every measure for smaller and smaller parts of a synthetic file.

    Parameters
    ----------
    original
        A path or a frame, as for `assess`, in memory.
    synthetic
        One file: random subsets of it are drawn, the smaller ones within the larger ones. Or a list
        of files of several sizes: each is taken as it is.
    settings
        As for `assess_with`. Numeric variables are grouped once, over the whole files.
    sizes
        Numbers of records; by default `SHARES` of the file. Not with a list of files.
    draws
        How many times the subsets are drawn.
    seed
        Starts the random numbers: the same seed gives the same subsets.
    progress
        Called with parts counted, parts in all, and what comes next.

    Returns
    -------
    ReleaseSizes
        Every measure for each target, draw and size; without targets, those of the keys.

    Raises
    ------
    SettingsError
        Where a size isn't a whole number, is smaller than 1 or larger than the file, or sizes go with a list of files;
        and where the settings name a unit and there is one file: its units would be taken apart.

    Warns
    -----
    ComparisonWarning
        As `assess` does.

    References
    ----------
    Raab, Nowok and Dibben, "Practical privacy metrics for synthetic data", section 3.3.2.

    Examples
    --------
    >>> import pandas as pd
    >>> from discoreport import Settings
    >>> frame = pd.DataFrame({"age": [30, 31, 41, 42], "ill": ["y", "n", "n", "n"]})
    >>> found = release_size(frame, frame, Settings(keys=["age"]), sizes=[1, 4], draws=1)
    >>> found.table[["target", "n_synthetic", "repU", "DiSCO"]]  # everybody is alone, and found where released
      target  n_synthetic   repU  DiSCO
    0    ill            1   25.0   25.0
    1    ill            4  100.0  100.0
    """
    settings = settings_given(settings)
    tables = read_all(original, synthetic)
    several = len(tables) > 2
    if settings.unit is not None and not several:
        raise SettingsError(
            f"release_size: records are drawn one by one, which would take the units of '{settings.unit}' apart, so "
            "that what is known of their members changes. Give a list of files of several sizes, or leave out the unit."
        )
    if not several:
        chosen, random = _chosen(tables[1].n_records, sizes, draws, seed)
        parts, n_parts = _drawn(tables[1].n_records, chosen, draws, random), draws * len(chosen)
    elif sizes is None:
        parts = (_Part(file, table.n_records) for file, table in enumerate(tables[1:], start=1))
        n_parts = len(tables) - 1
    else:
        raise SettingsError("release_size: give sizes for one synthetic file, or a list of files, not both.")
    coded = prepare(MemoryFiles(tables), settings)
    targets, measures = coded.targets, measures_for(coded.targets)
    tell = Steps(progress, n_parts * max(len(coded.settings.targets or ()), 1))
    compared = variables_of(coded)
    n_drawn = sum(table.n_records for table in tables[1:]) if several else draws * sum(chosen)
    together = n_in_a_table(len(compared), n_parts, tables[0].n_records + n_drawn)
    found: dict[str, list[ReleaseSize]] = {}
    alike: list[SizeUtility] = []
    for piece in _pieces(parts):
        index = combine([_parted(key, piece) for key in coded.keys], coded.unit and _parted(coded.unit, piece))
        for counted in count_cells(Counter(index), (_parted(target, piece) for target in targets), coded.settings):
            part = piece[counted.synthesis - 1]
            tell.next(f"{counted.target or 'keys'}, {part.n_records:,} records")
            found.setdefault(counted.target, []).append(
                ReleaseSize(target=counted.target, values=counted.values(measures), **part.told)
            )
        for part, one in zip(piece, utilities([_parted(one, piece) for one in compared], together), strict=False):
            of_file = one.model_copy(update={"synthesis": part.synthesis})
            alike.append(SizeUtility(**part.told, tables=of_file))
    tell.done()
    warn_as_assess(tables, coded.settings)
    return ReleaseSizes(
        settings=coded.settings,
        original=Source.of(tables[0]),
        synthetic=tuple(Source.of(table) for table in tables[1:]),
        seed=None if several else seed,
        sizes=tuple(itertools.chain.from_iterable(found.values())),
        utility=tuple(alike),
    )


@dataclass(frozen=True)
class _Part:
    """Some records of a synthetic file; all of them where there is no `order`, else the first ones of it."""

    synthesis: int
    n_records: int
    draw: int = 1
    order: npt.NDArray[np.int64] | None = None

    @property
    def told(self) -> dict[str, int]:
        """Which it is, as results have it."""
        return {"synthesis": self.synthesis, "n_synthetic": self.n_records, "draw": self.draw}

    def of(self, variable: Variable) -> Any:
        """Give their codes."""
        codes = variable.codes[self.synthesis]
        return codes if self.order is None else codes[self.order[: self.n_records]]


def _pieces(parts: Iterable[_Part]) -> Iterator[list[_Part]]:
    """Put parts together that are counted at once: so few that memory holds them, so many that little is done twice."""
    piece: list[_Part] = []
    for part in parts:
        if piece and sum(one.n_records for one in piece) + part.n_records > AT_ONCE:
            yield piece
            piece = []
        piece.append(part)
    yield piece


def usual_sizes(n_records: int) -> tuple[int, ...]:
    """Give the sizes that are looked at by default, rising."""
    return tuple(sorted({max(1, round(share * n_records)) for share in SHARES}))


def _chosen(
    n_records: int, sizes: Sequence[int] | None, draws: int, seed: int
) -> tuple[list[int], np.random.Generator]:
    """Give the sizes, rising, and what draws; refuse what won't do."""
    draws = require_whole(draws, 1, "release_size: draws", MOST_DRAWS)
    given = usual_sizes(n_records) if sizes is None else sizes
    chosen = sorted({require_whole(size, 1, "release_size: a size") for size in given})
    if chosen[-1:] > [n_records]:
        raise SettingsError(f"release_size: {chosen[-1]:,} records can't be drawn from {n_records:,}.")
    if len(chosen) > MOST_SIZES or draws * sum(chosen) > MOST_DRAWN:
        raise SettingsError(
            f"release_size: {draws:,} draws of {len(chosen):,} sizes are {draws * sum(chosen):,} records. "
            f"Ask for at most {MOST_SIZES} sizes, and {MOST_DRAWN:,} records in all: fewer draws, or smaller sizes."
        )
    return chosen, np.random.default_rng(require_whole(seed, 0, "release_size: seed", MOST_SEED))


def _drawn(n_records: int, sizes: Sequence[int], draws: int, random: np.random.Generator) -> Iterator[_Part]:
    """Draw parts, the smaller ones within the larger ones; an order is held for as long as its parts are."""
    for draw in range(1, draws + 1):
        order = random.permutation(n_records)[: sizes[-1]].copy()
        for size in sizes:
            yield _Part(1, size, draw, order)


def _parted(variable: Variable, parts: Sequence[_Part]) -> Variable:
    """Put parts of the synthetic files in their place."""
    return dataclasses.replace(variable, codes=(variable.codes[0], *(part.of(variable) for part in parts)))


def _in_short(found: ReleaseSizes, assessment: Measured, _: Documentation) -> Iterator[str]:
    if found.sizes:
        measure, target = found.decisive(assessment)
        sizes = sorted({found.n_records[0], found.n_records[-1]})
        told = ", ".join(
            f"{percent(found.value(measure, size, target))} with {size:,} records"
            f"{of_file(found.file(measure, size, target), len(found.synthetic), worst=False)}"
            for size in sizes
        )
        yield f"Release size: {named(measure, target)} {told}"


def _options_from(found: ReleaseSizes, _: Measured) -> dict[str, Any]:
    if len(found.synthetic) > 1:  # taken as they are
        return {}
    usual = found.n_records == usual_sizes(found.synthetic[0].n_records)
    seed = {} if found.seed is None else {"seed": found.seed}
    return {"sizes": () if usual else found.n_records, "draws": found.n_draws, **seed}


ANALYSIS = Analysis(
    name="release_size",
    title="Release size",
    question="What changes when fewer synthetic records are released?",
    tells="The measures for random parts of the synthetic file, or for synthetic files of several sizes.",
    options=ReleaseSizeOptions,
    runs=with_options(release_size),
    in_short=_in_short,
    options_from=_options_from,
)
