"""Measure how fast the engine in memory counts, against Polars, and how its cost grows.

    python -m tests.benchmarks.engine               # a million records, then how cost grows
    python -m tests.benchmarks.engine ratios        # a million records alone
    python -m tests.benchmarks.engine ratios --shape sparse --kind text
    python -m tests.benchmarks.engine growth        # how cost grows alone
    python -m tests.benchmarks.engine --runs 11     # more rounds; at least seven

What is compared runs in turn, in every second round in the opposite order, after a round that is not counted. Of each
is printed the median with the least and the most; a ratio is taken within a round, to one Polars
``group_by(keys + [target]).len()`` on both files, and printed in the same way. Growth is the slope of the logarithm of
the least time over the logarithm of the size: 1 means linear.
"""

import argparse
import math
import statistics
import time
import warnings

import numpy as np
import pandas as pd
import polars as pl

from discoreport import ComparisonWarning, assess

KEYS = ["region", "age_class", "sex", "occupation"]
SHAPES = {
    "sparse": {"region": 12, "age_class": 7, "sex": 2, "occupation": 19},
    "many cells": {"region": 120, "age_class": 90, "sex": 2, "occupation": 19},
    "unique": {"region": 5_000, "age_class": 100, "sex": 2, "occupation": 1_000},
}
"""Levels of the keys; with six levels of a target, a million records fill 19,000 cells, 820,000, or one each."""
KINDS = ("whole numbers", "categories", "text")
FEWEST_RUNS = 7


def draw(n, levels, kind, seed, n_targets=1):
    """Draw n records of independent variables: keys with so many levels, and targets t0, t1, ... with six."""
    random = np.random.default_rng(seed)
    drawn = {name: random.integers(0, most, n) for name, most in levels.items()}
    frame = pd.DataFrame(drawn | {f"t{place}": random.integers(0, 6, n) for place in range(n_targets)})
    if kind == "whole numbers":
        return frame
    text = pd.DataFrame({name: name + " " + frame[name].astype(str) for name in frame})
    return text.astype("category") if kind == "categories" else text


def alternate(calls, runs):
    """Run what is compared in turn, and give for each its seconds, round by round."""
    for call in calls.values():
        call()
    seconds = {name: [] for name in calls}
    for round_ in range(runs):
        for name in list(calls) if round_ % 2 else [*calls][::-1]:
            start = time.perf_counter()
            calls[name]()
            seconds[name].append(time.perf_counter() - start)
    return seconds


def spread(values, digits=2, unit=""):
    """Write a median with its least and most."""
    return f"{statistics.median(values):.{digits}f}{unit} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def ratios(runs, shapes=tuple(SHAPES), kinds=KINDS, n=1_000_000):
    """Measure one target, a further one and five synthetic files, in each shape and kind of file."""
    print(f"{n:,} records on each side, 4 keys, {runs} rounds: median (least to most)\n")
    print("| files | Polars | 1 target | ratio | of each further target | of 5 targets | 5 syntheses to one |")
    print("|---|---|---|---|---|---|---|")
    for shape in shapes:
        for kind in kinds:
            levels = SHAPES[shape]
            original, *synthetic = (draw(n, levels, kind, seed, 20 if shape == "sparse" else 5) for seed in range(6))
            polars = [pl.from_pandas(frame[[*KEYS, "t0"]]) for frame in (original, synthetic[0])]

            def of(n_targets, n_files=1, original=original, synthetic=synthetic):
                columns = [*KEYS, *(f"t{place}" for place in range(n_targets))]
                files = [frame[columns] for frame in synthetic[:n_files]]
                return lambda: assess(original[columns], files, keys=KEYS)

            most = 20 if shape == "sparse" else 5
            calls = {"polars": lambda polars=polars: [one.group_by([*KEYS, "t0"]).len() for one in polars]}
            seconds = alternate(calls | {"one": of(1), "five": of(5), "most": of(most), "files": of(1, 5)}, runs)
            base = seconds["polars"]
            to_one = [one / polar for one, polar in zip(seconds["one"], base, strict=True)]
            rounds = zip(seconds["most"], seconds["one"], base, strict=True)
            further = [(many - one) / (most - 1) / polar for many, one, polar in rounds]
            five = [five / polar for five, polar in zip(seconds["five"], base, strict=True)]
            files = [five / one for five, one in zip(seconds["files"], seconds["one"], strict=True)]
            times = [spread(base, 3, " s"), spread(seconds["one"], 3, " s")]
            cells = [*times, *map(spread, (to_one, further, five, files))]
            print(f"| {shape}, {kind} | {' | '.join(cells)} |", flush=True)


def growth(runs):
    """Measure how cost grows with records, cells, targets, synthetic files and variables."""
    few = SHAPES["sparse"]

    def records(n):
        frames = [draw(n, few, "whole numbers", seed) for seed in (1, 2)]
        return lambda: assess(*frames, keys=KEYS)

    def cells(n):
        wide = few | {"region": n // (6 * math.prod(few[name] for name in KEYS[1:]))}
        frames = [draw(1_000_000, wide, "whole numbers", seed) for seed in (1, 2)]
        return lambda: assess(*frames, keys=KEYS)

    def targets(n):
        frames = [draw(100_000, few, "whole numbers", seed, n) for seed in (1, 2)]
        return lambda: assess(*frames, keys=KEYS)

    def files(n):
        original, *synthetic = (draw(100_000, few, "whole numbers", seed) for seed in range(n + 1))
        return lambda: assess(original, synthetic, keys=KEYS)

    def variables(n):
        frames = [draw(5_000, few, "whole numbers", seed, n) for seed in (1, 2)]
        return lambda: assess(*frames, keys=KEYS, targets=["t0"])

    sizes = {
        records: [125_000, 250_000, 500_000, 1_000_000, 2_000_000],
        cells: [20_000, 80_000, 320_000, 1_280_000],
        targets: [5, 10, 20, 40, 80],
        files: [2, 4, 8, 16],
        variables: [50, 100, 200, 400, 800],
    }
    print("\n| what grows | from, to | exponent | least seconds |")
    print("|---|---|---|---|")
    for make, tried in sizes.items():
        seconds = alternate({n: make(n) for n in tried}, runs)
        least = [min(seconds[n]) for n in tried]
        slope = np.polyfit(np.log(tried), np.log(least), 1)[0]
        written = ", ".join(f"{one:.3f}" for one in least)
        print(f"| {make.__name__} | {tried[0]:,} to {tried[-1]:,} | {slope:.2f} | {written} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", choices=["ratios", "growth"])
    parser.add_argument("--runs", type=int, default=FEWEST_RUNS)
    parser.add_argument("--shape", choices=SHAPES, action="append", help="of the ratios, this shape of files alone")
    parser.add_argument("--kind", choices=KINDS, action="append", help="of the ratios, this kind of columns alone")
    chosen = parser.parse_args()
    if chosen.runs < FEWEST_RUNS:
        parser.error(f"a figure needs its spread: at least {FEWEST_RUNS} rounds")
    warnings.simplefilter("ignore", ComparisonWarning)
    if chosen.part in (None, "ratios"):
        ratios(chosen.runs, chosen.shape or tuple(SHAPES), chosen.kind or KINDS)
    if chosen.part in (None, "growth"):
        growth(chosen.runs)
