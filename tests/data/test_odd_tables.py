"""Odd tables, made up at random: every engine finds the same levels, figures and differences, or refuses in words."""

import datetime
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discoreport import ComparisonWarning, DiscoReportError, assess
from tests.engines import assert_same

NUMERALS = ["1", "1.0", "2", "02", "-0", "0", "1e+05", "3E1", "30", ".5", "5.", "1,5", "NA", "", "nan", "100000", "+1"]
WORDS = ["a", "A", "a ", "a\r\nb", "a\nb", 'say "a"', "a, b", "true", "TRUE", "False", "2011-05-01", "null", "é", ""]
BYTES = [16.799999237060547, 0.10000000149011612, 2.5, 1e300, float("inf"), float("nan"), -0.0, 0.1]
DAY = datetime.date(2011, 5, 1)


def column(random):
    """Make up what a column of a text file holds: a function of the number of records."""
    pool = [NUMERALS, WORDS, NUMERALS + WORDS][random.integers(3)]
    some = random.choice(pool, random.integers(1, 5))
    return lambda n: random.choice(some, n)


def typed(random):
    """Make up what a column of a file with types holds: a function of the number of records."""
    texts = column(random)
    kinds = [
        lambda n: pa.array(random.choice([1, 2, 2**53 + 1], n), pa.int64()),
        lambda n: pa.array(random.choice(BYTES, n), pa.float64()),
        lambda n: pa.array(random.choice(BYTES[:3], n), pa.float64()),
        lambda n: pa.array(random.choice(BYTES[:3], n).astype(np.float32), pa.float32()),
        lambda n: pa.array(random.choice([True, False], n), pa.bool_()),
        lambda n: pa.array(random.choice([1, 90_061_000, 86_400_000], n), pa.duration("ms")),
        lambda n: pa.array([DAY + datetime.timedelta(int(day)) for day in random.integers(0, 3, n)], pa.date32()),
        lambda n: pa.array(random.choice([0, 1_000_000_007, 86_400_000_000], n), pa.timestamp("us")),
        lambda n: pa.array(texts(n).tolist(), pa.string()),
        lambda n: pa.array(random.choice(["x", "y"], n).tolist(), pa.string()).dictionary_encode(),
    ]
    return kinds[random.integers(len(kinds))]


def files(random, folder, alike=False):
    """Write an original and one or two synthetic files of a few odd columns, in `alike` files of the same kinds."""
    names = [f"v{number}" for number in range(random.integers(2, 5))]
    is_text = random.integers(3) > 0
    made, columns = [], {}
    for file in range(random.integers(2, 4)):
        n = int(random.integers(1, 30))
        as_text = is_text or (not alike and random.integers(4) == 0)
        if not (alike and columns):
            columns = {name: (column if as_text else typed)(random) for name in names}
        held = {name: columns[name](n) for name in names}
        if as_text:
            path = folder / f"{file}.csv"
            end = ["\n", "\r\n"][random.integers(2)]
            pd.DataFrame(held).to_csv(
                path, index=False, lineterminator=end, quoting=int(random.integers(2)), sep=",;"[random.integers(2)]
            )
        else:
            path = folder / f"{file}.parquet"
            pq.write_table(pa.table(held), path)
        made.append(path)
    return names, made


def tried(engine, names, paths):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        try:
            return assess(paths[0], paths[1:], keys=names[:-1], targets=names[-1], engine=engine)
        except DiscoReportError as error:
            return str(error)


def compare(seed, folder, engine):
    random = np.random.default_rng(seed)
    folder.mkdir()
    names, paths = files(random, folder)
    one, other = (tried(name, names, paths) for name in ("memory", engine))
    if isinstance(one, str) or isinstance(other, str):
        assert one == other, seed
    else:
        assert_same(one, other)
        assert one.findings == other.findings, seed


SEEDS = [
    pytest.param(range(1, 6), marks=pytest.mark.slow, id="some"),
    *(pytest.param(range(n - 80, n), marks=pytest.mark.generated, id=f"to {n - 1}") for n in (86, 166)),
]
"""A hundred tables take a minute and a half."""


@pytest.mark.parametrize("seeds", [pytest.param(range(1), id="one"), *SEEDS])
def test_engines_agree_on_odd_tables(seeds, tmp_path):
    for seed in seeds:
        compare(seed, tmp_path / str(seed), "duckdb")


@pytest.mark.parametrize("seeds", SEEDS)
def test_figures_are_the_same_where_values_stay_in_the_engine_or_it_says_why_not(seeds, tmp_path, most_values):
    most_values(1)
    n_same = 0
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        names, paths = files(np.random.default_rng(seed), folder, alike=True)
        one, other = (tried(name, names, paths) for name in ("memory", "duckdb"))
        if isinstance(other, str) or any("true or false" in finding.detail for finding in one.findings):
            continue  # two levels beside many, which is no repair of an engine's
        pd.testing.assert_frame_equal(one.attribute, other.attribute)
        n_same += 1
    assert n_same > len(seeds) / 4
