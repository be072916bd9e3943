"""Files with more cells than are worked on at a time, against the same figures from grouped frames."""

import numpy as np
import pandas as pd
import pytest

from discoreport import Settings, assess, pooled

pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")

KEYS, N = ["postcode", "income", "sex"], 100_000
SHAPES = {"nearly unique": (5_000, 1_000, N), "many records each": (90, 200, N), "a short file": (90, 400, N // 20)}
"""Postcodes, incomes, and records of the synthetic file."""
WITH_EXCLUSIONS = pytest.mark.parametrize(
    ("shape", "most"), [("nearly unique", None), ("many records each", 2), ("a short file", None), ("a short file", 2)]
)
"""With the most records that a cell may hold."""


def draw(shape, seed, n=N):
    """Draw records; whether somebody smokes goes with the postcode, mostly, so that pairs are flagged."""
    random = np.random.default_rng(seed)
    postcodes, incomes, _ = SHAPES[shape]
    postcode = random.integers(0, postcodes, n)
    smokes = np.where(random.random(n) < 0.95, postcode % 2, random.integers(0, 6, n))
    others = {"income": random.integers(0, incomes, n), "sex": random.integers(0, 2, n)}
    return pd.DataFrame({"postcode": postcode, **others, "smokes": smokes})


def cells_of(original, synthetic, most=None):
    """Count the records of both by keys and target, and by the keys alone; `n` is what is left of the original's."""
    counts = {"d": original, "s": synthetic}
    cells = pd.DataFrame({name: file.groupby([*KEYS, "smokes"]).size() for name, file in counts.items()}).fillna(0)
    by_key = cells.groupby(KEYS)
    return cells.assign(
        n=cells["d"] if most is None else cells["d"].where(cells["d"] <= most, 0),
        d_q=by_key["d"].transform("sum"),
        s_q=by_key["s"].transform("sum"),
        levels=(cells["s"] > 0).groupby(KEYS).transform("sum"),
    )


def percent(cells, where):
    return 100 * cells["n"][where].sum() / N


def told_of(cells):
    """Find the cells that DiS and DiSCO count, and the key combinations that repU does."""
    return {
        "DiS": cells["levels"] == 1,
        "DiSCO": (cells["s"] > 0) & (cells["s"] == cells["s_q"]),
        "repU": (cells["d_q"] == 1) & (cells["s_q"] == 1),
    }


@WITH_EXCLUSIONS
def test_figures_are_those_of_grouped_frames(shape, most):
    original, synthetic = draw(shape, 1), draw(shape, 2, SHAPES[shape][-1])
    found = assess(original, synthetic, keys=KEYS, max_denominator=most)
    cells = cells_of(original, synthetic, most)
    told = told_of(cells)
    expected = {name: percent(cells, told[name]) for name in ("DiS", "DiSCO")}
    expected |= {
        "Dorig": percent(cells, (cells["d"] > 0) & (cells["d"] == cells["d_q"])),
        "iS": percent(cells, cells["s_q"] > 0),
    }
    (result,), (of_keys,) = found.outcome.results, found.outcome.identity
    assert {name: result.values[name] for name in expected} == pytest.approx(expected, rel=1e-12)
    assert of_keys.values["repU"] == pytest.approx(percent(cells.assign(n=cells["d"]), told["repU"]), rel=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
def test_pairs_are_those_of_grouped_frames(shape):
    original, synthetic = draw(shape, 1), draw(shape, 2, SHAPES[shape][-1])
    cells = cells_of(original, synthetic)
    given_away = cells.loc[told_of(cells)["DiSCO"], "d"].reset_index()
    of_cells = cells["d"].reset_index()
    flagged = set()
    for key in KEYS:
        large = given_away[given_away["d"] > 1].groupby([key, "smokes"])["d"].sum()
        n_all = given_away.groupby([key, "smokes"])["d"].sum()
        of_pair, of_key = of_cells.groupby([key, "smokes"])["d"].sum(), of_cells.groupby(key)["d"].sum()
        for (level, smokes), n in large.items():
            both = of_pair[level, smokes]
            if 100 * both / of_key[level] > 90:
                flagged.add((key, str(level), str(smokes), n, both, of_key[level], n_all[level, smokes]))
    shown = {
        (one.key, one.key_level, one.target_level, one.disclosive, one.key_target_total, one.key_total,
         one.disclosive_total)
        for one in assess(original, synthetic, keys=KEYS, two_way_threshold=(1, 90)).outcome.two_way
    }  # fmt: skip
    assert shown == flagged
    assert shown


@WITH_EXCLUSIONS
def test_several_files_together_are_those_of_frames_put_together(shape, most):
    original, *files = draw(shape, 1), draw(shape, 2), draw(shape, 3, SHAPES[shape][-1])
    found = pooled(original, files, Settings(keys=KEYS, max_denominator=most))
    by_file = [told_of(cells_of(original, file)) for file in files]
    cells = cells_of(original, pd.concat(files), most)
    together = told_of(cells)
    held = cells.index[cells["d"] > 0]
    for measure, target in {"DiS": "smokes", "DiSCO": "smokes", "repU": ""}.items():
        counted = cells if target else cells.assign(n=cells["d"])
        told = pd.DataFrame([one[measure].reindex(held) for one in by_file])
        figure = found.figure(measure, target)
        of_any, of_all = (percent(counted.loc[held], where) for where in (told.any(), told.all()))
        assert (figure.any, figure.all) == pytest.approx((of_any, of_all), rel=1e-12)
        assert figure.together == pytest.approx(percent(counted, together[measure]), rel=1e-12)


@pytest.mark.parametrize("changed", [["sex"], ["sex", "height"], []])
def test_a_copy_in_disguise_is_found_among_some_of_many_records(changed):
    original = draw("nearly unique", 1).assign(
        height=np.random.default_rng(5).integers(140, 210, N), region=np.random.default_rng(6).integers(0, 12, N)
    )
    other = original if changed else original.apply(lambda column: column.sample(frac=1, random_state=3).to_numpy())
    other = other.sample(frac=1, random_state=4).reset_index(drop=True)
    for name in changed:
        other[name] = other[name].max() + other[name].min() - other[name]
    found = assess(original, other, keys=KEYS, targets=["smokes"]).findings
    told = [one for one in found if one.finding == "copies_in_disguise"]
    assert len(told) == bool(changed)
    for one in told:
        assert one.percent == pytest.approx(100)
        assert all(name in one.detail for name in changed)
