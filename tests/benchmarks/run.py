"""Measure how fast the engine and the report are, and print a table.

    python -m tests.benchmarks.run            # all
    python -m tests.benchmarks.run engine     # the engine alone; tests/benchmarks/engine.py compares it with Polars
    python -m tests.benchmarks.run asked      # subsets of keys, groups, control, mitigation, membership
    python -m tests.benchmarks.run utility    # 20 variables, 190 pairs
    python -m tests.benchmarks.run wide       # 600 columns; 50,000 records of 14 columns
    python -m tests.benchmarks.run --large    # 10 million records, too

Times are wall clock after reading, best of three (large ones: one run). Machines are noisy, so the
comparison that counts is the ratio within one run: one Polars ``group_by(keys + [target]).len()`` on
both frames. Memory is the peak above what the process held before `assess`.
"""

import argparse
import itertools
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl

from discoreport import (
    ComparisonWarning,
    Report,
    Settings,
    assess,
    examples,
    excess_over_control,
    groups,
    membership,
    mitigate,
    sensitivity,
    utility,
)
from discoreport.assessment.python_warnings import unwarned
from discoreport.charts.drawing.to_svg import _converted
from tests.benchmarks.engine import KEYS, SHAPES, draw

LEVELS = {"region": 18, "age_class": 12, "sex": 2, "occupation": 19, "health": 6, "income_class": 9}
ORACLE = Path(__file__).parents[3] / "shared" / "oracle"


def made_up(n, kind, seed):
    """Draw n records of independent variables, stored as whole numbers, categories or text."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({name: random.integers(0, n_levels, n) for name, n_levels in LEVELS.items()})
    if kind == "whole numbers":
        return frame
    named = frame.apply(
        lambda column: pd.Categorical.from_codes(column, [f"{column.name} {i}" for i in range(LEVELS[column.name])])
    )
    return named if kind == "categories" else named.astype(str)


def timed(call, runs=3):
    """Give the shortest of several runs in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def peak_above(call):
    """Give the peak of the process's memory during a call, in MB above what it held before."""
    status, reset = Path("/proc/self/status"), Path("/proc/self/clear_refs")
    if not status.exists():
        call()
        return float("nan")

    def kilobytes(name):
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith(name))

    reset.write_text("5")
    before = kilobytes("VmRSS")
    call()
    return (kilobytes("VmHWM") - before) / 1024


def row(what, seconds, **more):
    extra = "  ".join(f"{name.replace('_', ' ')} {value}" for name, value in more.items())
    print(f"{what:<58}{seconds:>9.3f} s   {extra}", flush=True)


def engine_on_real_data():
    if not ORACLE.is_dir():
        print("SD2011 and Adult: the reference data are not here")
        return
    original, synthetic = (pd.read_csv(ORACLE / "sd2011" / f"{name}.csv.gz") for name in ("original", "s1"))
    seconds = timed(lambda: assess(original, synthetic, keys=["sex", "age", "region", "placesize"]), 10)
    row("SD2011, 5,000 records, 4 keys, 5 targets", seconds)
    original, synthetic = (pd.read_csv(ORACLE / "adult" / f"{name}.csv.gz") for name in ("original", "synthetic"))
    seconds = timed(lambda: assess(original, synthetic, keys=["age", "occupation", "race", "sex"]))
    row("Adult, 48,842 records, 4 keys, 10 targets", seconds)


def engine_on_made_up_data(n):
    """Say how much memory the engine takes above the data; how fast it is, `tests/benchmarks/engine.py` measures."""
    for shape, levels in SHAPES.items():
        frames = [draw(n, levels, "whole numbers", seed) for seed in (1, 2)]
        peak = peak_above(lambda frames=frames: assess(*frames, keys=KEYS, targets=["t0"]))
        seconds = timed(lambda frames=frames: assess(*frames, keys=KEYS, targets=["t0"]), 1)
        row(f"{n:,} records each, {shape}, 4 keys, 1 target", seconds, memory=f"{peak:.0f} MB")


CANDIDATES = {"k1": 18, "k2": 12, "k3": 2, "k4": 19, "k5": 6, "k6": 9, "k7": 5, "k8": 80, "k9": 3, "k10": 2, "k11": 7}
CANDIDATES |= {"k12": 4}


def every_pair(n, n_variables=20, runs=3):
    """Compare files in all pairs of variables, and count the same pairs with Polars."""
    frames = []
    for seed in (1, 2):
        random = np.random.default_rng(seed)
        drawn = {f"v{place}": random.integers(0, 2 + place % 9, n) for place in range(n_variables)}
        frames.append(pd.DataFrame(drawn).astype(str).astype("category"))
    settings = Settings(keys=["v0"], targets=[])
    polars = [pl.from_pandas(frame) for frame in frames]
    pairs = list(itertools.combinations(frames[0].columns, 2))
    seconds = timed(lambda: utility(*frames, settings), runs)
    grouped = timed(lambda: [frame.group_by(pair).len() for pair in pairs for frame in polars], runs)
    peak = peak_above(lambda: utility(*frames, settings))
    with unwarned():  # as where an assessment has looked for copies already
        alone = timed(lambda: utility(*frames, settings), runs)
    row(
        f"{n:,} records each, utility of {n_variables} variables, {len(pairs)} pairs", seconds,
        without_warnings=f"{alone:.3f} s", polars=f"{grouped:.3f} s",
        ratio=f"{seconds / grouped:.2f}", memory=f"{peak:.0f} MB",
    )  # fmt: skip


def every_subset_of_keys(n):
    """Draw independent candidates, the hardest case: nearly nobody shares more than a few keys with anybody."""
    frames = []
    for seed in (1, 2):
        random = np.random.default_rng(seed)
        drawn = {name: random.integers(0, n_levels, n) for name, n_levels in (CANDIDATES | {"health": 6}).items()}
        frames.append(pd.DataFrame(drawn))
    settings = Settings(keys=list(CANDIDATES), targets=["health"])
    seconds = timed(lambda: sensitivity(*frames, settings), 1)
    row(f"{n:,} records each, 12 candidates, 4,095 subsets, 1 target", seconds)


def what_an_approver_asks(n, kind):
    original, synthetic, control = (made_up(n, kind, seed) for seed in (1, 2, 3))
    settings = Settings(keys=KEYS, targets=["health"])
    row(f"{n:,} records each, {kind}, groups", timed(lambda: groups(original, synthetic, settings)))
    row(
        f"{n:,} records each, {kind}, control",
        timed(lambda: excess_over_control(original, synthetic, settings, control=control)),
    )
    steps = [{"step": "remove replicated uniques"}, {"step": "merge levels", "variable": "region", "fewer_than": 99}]
    row(f"{n:,} records each, {kind}, mitigation", timed(lambda: mitigate(original, synthetic, settings, steps), 1))


def who_was_in_it(n):
    """Look for each record among the synthetic ones that differ in at most two of eight variables."""
    random = np.random.default_rng(4)
    files = [made_up(n, "whole numbers", seed) for seed in (1, 2, 3)]
    files = [file.assign(year=random.integers(0, 80, n), rooms=random.integers(1, 9, n)) for file in files]
    original, synthetic, control = files
    settings = Settings(keys=list(original.columns.drop("health")), targets=["health"])
    start = time.process_time()
    peak = peak_above(
        lambda: membership(original, synthetic, settings, control=control, variables=list(original), differing=2)
    )
    row(
        f"{n:,} records each, membership, 2 of 8 differing",
        time.process_time() - start,
        memory=f"{peak:.0f} MB",
        of="the processor",
    )


def of_a_survey(n, n_columns, seed):
    """Draw what surveys ask: codes, ages, amounts, text, gaps."""
    random = np.random.default_rng(seed)
    columns = {"sex": random.integers(1, 3, n), "age": random.integers(18, 95, n), "region": random.integers(1, 17, n)}
    columns |= {"size": random.integers(1, 7, n), "education": random.integers(1, 9, n)}
    kinds = [
        lambda: random.integers(1, 6, n),
        lambda: random.choice([1, 2, 3, 4, 5, 8, 9, -9], n),
        lambda: random.lognormal(7, 1, n).round(2),
        lambda: random.choice(["yes", "no", "don't know"], n),
        lambda: np.where(random.random(n) < 0.1, np.nan, random.integers(0, 101, n)),
        lambda: random.integers(0, 2, n),
    ]
    return pd.DataFrame(columns | {f"v{place}": kinds[place % 6]() for place in range(n_columns - 5)})


def many_columns():
    keys = ["sex", "age", "region", "size", "education"]
    for n, n_columns, ending in ((5_000, 600, "csv"), (5_000, 600, "parquet"), (50_000, 14, "csv")):
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / f"{seed}.{ending}" for seed in (1, 2)]
            for seed, file in enumerate(files):
                frame = of_a_survey(n, n_columns, seed)
                frame.to_csv(file, index=False) if ending == "csv" else frame.to_parquet(file)
            for n_targets in (3, 100) if n_columns > 100 else (9,):
                targets = [f"v{place}" for place in range(n_targets)]
                seconds = timed(lambda files=files, targets=targets: assess(*files, keys=keys, targets=targets))
                peak = peak_above(lambda files=files, targets=targets: assess(*files, keys=keys, targets=targets))
                what = f"{n:,} records of {n_columns} columns in {ending}, 5 keys, {n_targets} targets"
                row(what, seconds, memory=f"{peak:.0f} MB")


def report():
    assessment = assess(examples.path("original"), examples.path("synthetic_1"), **examples.SETTINGS)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        drawn = Report(assessment)
        drawn.write(Path(folder) / "report.html")
        html = time.perf_counter() - start
        drawn.write(Path(folder) / "report.pdf")
        row(
            "demo report, HTML, first in the process",
            html,
            size=f"{(Path(folder) / 'report.html').stat().st_size:,} bytes",
        )
        row("demo report, PDF from the same page", time.perf_counter() - start - html)
        _converted.cache_clear()
        row("demo report, HTML, again, every figure drawn anew", timed(lambda: Report(assessment).html, 1))
        drawn = Report(assessment)
        row("demo report, HTML, again, figures known", timed(lambda: drawn.html, 1))
        row("demo report, PDF, again", timed(lambda: drawn.pdf, 1))
        row(
            "demo report, the other files of the bundle", timed(lambda: (drawn.figures, drawn.tables, drawn.summary), 1)
        )
        row("demo report, external edition, HTML", timed(lambda: Report(assessment, edition="external").html, 1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", choices=["engine", "asked", "report", "utility", "wide"])
    parser.add_argument("--large", action="store_true")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore", ComparisonWarning)
    if chosen.part in (None, "asked"):
        every_subset_of_keys(50_000)
        what_an_approver_asks(1_000_000, "whole numbers")
        what_an_approver_asks(1_000_000, "text")
        who_was_in_it(50_000)
        who_was_in_it(1_000_000)
    if chosen.part in (None, "engine"):
        engine_on_real_data()
        engine_on_made_up_data(1_000_000)
        if chosen.large:
            engine_on_made_up_data(10_000_000)
    if chosen.part in (None, "utility"):
        every_pair(50_000)
        if chosen.large:
            every_pair(1_000_000, runs=1)
    if chosen.part in (None, "wide"):
        many_columns()
    if chosen.part in (None, "report"):
        report()
