"""Simulate how often the intervals of `uncertainty` hold what the sentence beside them says, and print tables.

    python tests/benchmarks/coverage.py             # all three, 1,000 draws a design
    python tests/benchmarks/coverage.py 200         # fewer draws

Over records, the truth is the mean of the figure over all draws of a design: key combinations, people and synthetic
files are drawn anew each time, as the sentence says. The second table draws the key combinations once, and only the
people anew. Over syntheses, the original is drawn once, and the truth is the mean over its synthetic files.
"""

import argparse
from dataclasses import dataclass, replace

import numpy as np

from discoreport import Settings
from discoreport.assessment.analyses.uncertainty import _figure, _over_records, _over_syntheses
from discoreport.measures import MEASURES
from discoreport.measures.cells import Cells, Levels
from discoreport.measures.intervals import wilson

SEED = 20261128
SHARES = ("iS", "DiS", "DiSCO", "DCAP_d", "TCAP")


@dataclass(frozen=True)
class Design:
    """How key combinations, people and synthetic files come about.

    `n_keys` key combinations, of lognormal size with `spread`; in each, `n_levels` target levels with probabilities
    from a Dirichlet distribution: the smaller `evenness` is, the more often one level has nearly all.
    """

    name: str
    n_keys: int
    n_levels: int
    evenness: float
    spread: float
    n: int
    synthesis: str = "independent"
    m: int = 1

    def population(self, random):
        sizes = random.lognormal(0, self.spread, self.n_keys)
        return (sizes / sizes.sum())[:, None] * random.dirichlet(np.full(self.n_levels, self.evenness), self.n_keys)

    def original(self, population, random):
        return random.multinomial(self.n, population.ravel()).reshape(population.shape)

    def synthetic(self, population, original, random):
        """Draw a file: from the population, as a copy, from the original's records, or half a copy."""
        if self.synthesis == "copy":
            return original
        kept = random.binomial(original, 0.5) if self.synthesis == "half a copy" else 0 * original
        weights = original / self.n if self.synthesis == "resampled" else population
        return kept + random.multinomial(self.n - kept.sum(), weights.ravel()).reshape(original.shape)


FEW = Design("12 keys, often certain", 12, 5, 0.05, 0.3, 1000)
SOME = Design("40 keys", 40, 4, 0.1, 0.7, 2000)
MANY = Design("300 keys", 300, 4, 0.2, 1.0, 3000)
SPARSE = Design("2,000 keys, 2,000 records", 2000, 5, 0.3, 1.0, 2000)
RARE = Design("300 keys, rarely certain", 300, 5, 5.0, 0.7, 3000)
COMMON = Design("300 keys, mostly certain", 300, 2, 0.05, 0.7, 3000)
NONE = Design("5 keys, never certain", 5, 4, 5.0, 0.3, 2000)
SYNTHESES = ("independent", "copy", "resampled", "half a copy")
DESIGNS = [
    replace(design, synthesis=synthesis, m=m)
    for design in (FEW, SOME, MANY, SPARSE, RARE, COMMON, NONE)
    for synthesis in SYNTHESES
    for m in (1, 5)
    if m == 1 or synthesis in {"independent", "resampled"}
]


def cells_of(original, synthetic):
    """Build the cells of two tables of records by key combination (rows) and target level (columns)."""
    held = (original + synthetic) > 0
    counts = held.sum(1)
    starts = np.append(0, np.cumsum(counts[counts > 0])[:-1])
    d, s = original[held], synthetic[held]
    of_levels = Levels(original.sum(0), synthetic.sum(0))
    return Cells(starts, d, s, d, s, int(d.sum()), int(s.sum()), of_levels, np.nonzero(held)[1])


def over_records(design, n_draws, random, *, fixed=False, measures=SHARES):
    """Give for each measure the figures and intervals of many draws; of several files those of the highest."""
    population = design.population(random)
    found = {name: [] for name in (*measures, "earlier")}
    for _ in range(n_draws):
        population = population if fixed else design.population(random)
        original = design.original(population, random)
        files = [cells_of(original, design.synthetic(population, original, random)) for _ in range(design.m)]
        for name in measures:
            figure = max((_figure(MEASURES[name], cells, None) for cells in files), key=lambda one: one.value)
            if not np.isnan(figure.value):
                told = _over_records(figure, MEASURES[name], Settings(keys=["q"]), "", 0.95)
                found[name].append((figure.value, *((np.nan, np.nan) if isinstance(told, str) else told)))
        count = max(MEASURES["DiSCO"].count(cells) for cells in files)
        low, high = wilson(count, design.n)
        found["earlier"].append((100 * count / design.n, 100 * low, 100 * high))
    return {name: np.array(rows).reshape(-1, 3) for name, rows in found.items()}


def over_syntheses(design, n_draws, random, measure="DiSCO"):
    """Give the mean over m syntheses of one original, with its interval, many times."""
    population = design.population(random)
    original = design.original(population, random)
    pool = [
        _figure(MEASURES[measure], cells_of(original, design.synthetic(population, original, random)), None)
        for _ in range(n_draws)
    ]
    rows = []
    for _ in range(4 * n_draws):
        chosen = [pool[place] for place in random.integers(0, n_draws, design.m)]
        told = _over_syntheses(chosen, MEASURES[measure], 0.95)
        mean = np.mean([one.value for one in chosen])
        rows.append((mean, *((np.nan, np.nan) if isinstance(told, str) else told)))
    return np.array(rows)


def covered(rows):
    """Give the percentages of draws with an interval, and of these with one that holds the mean of all draws."""
    if not len(rows):
        return 0.0, np.nan
    truth, given = rows[:, 0].mean(), ~np.isnan(rows[:, 1])
    held = (rows[:, 1] <= truth) & (truth <= rows[:, 2])
    return 100 * given.mean(), 100 * held[given].mean() if given.any() else np.nan


def written(rows):
    """Write how many of the given intervals hold the truth, and how many are given where not all are."""
    given, held = covered(rows)
    if given < 5:
        return "none given"
    return f"{held:.0f} %" + ("" if given > 99.5 else f" of {given:.0f} %")


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("draws", type=int, nargs="?", default=1000)
    n_draws = parser.parse_args().draws
    for fixed in (False, True):
        print(f"\nOver records, {'the same' if fixed else 'other'} key combinations\n")
        print("| design | file | m | DiSCO | earlier | " + " | ".join(SHARES) + " |\n|" + "---|" * (5 + len(SHARES)))
        for design in DESIGNS:
            found = over_records(design, n_draws, np.random.default_rng(SEED), fixed=fixed)
            held = " | ".join(written(found[name]) for name in SHARES)
            mean, earlier = found["DiSCO"][:, 0].mean(), written(found["earlier"])
            print(f"| {design.name} | {design.synthesis} | {design.m} | {mean:.1f} | {earlier} | {held} |", flush=True)
    print("\nOver syntheses\n\n| design | file | m | DiSCO | held |\n|---|---|---|---|---|")
    for design in (FEW, SOME, MANY, SPARSE, RARE, COMMON, NONE):
        for synthesis in ("independent", "resampled", "half a copy"):
            for m in (2, 5):
                rows = over_syntheses(replace(design, synthesis=synthesis, m=m), n_draws, np.random.default_rng(SEED))
                print(f"| {design.name} | {synthesis} | {m} | {rows[:, 0].mean():.1f} | {written(rows)} |", flush=True)


if __name__ == "__main__":
    main()
