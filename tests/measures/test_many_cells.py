"""Files with more cells than are worked on at a time, against the same figures from grouped frames."""

import numpy as np
import pandas as pd
import pytest

from discoreport import Settings, assess, pooled

pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")

KEYS, N = ["postcode", "income", "sex"], 100_000
SHAPES = {"nearly unique": (5_000, 1_000), "many records each": (90, 200)}


def draw(shape, seed):
    """Draw records; whether somebody smokes goes with the postcode, mostly, so that pairs are flagged."""
    random = np.random.default_rng(seed)
    postcodes, incomes = SHAPES[shape]
    postcode = random.integers(0, postcodes, N)
    smokes = np.where(random.random(N) < 0.95, postcode % 2, random.integers(0, 6, N))
    others = {"income": random.integers(0, incomes, N), "sex": random.integers(0, 2, N)}
    return pd.DataFrame({"postcode": postcode, **others, "smokes": smokes})


def cells_of(original, synthetic):
    """Count the records of both by keys and target, and by the keys alone."""
    counts = {"d": original, "s": synthetic}
    cells = pd.DataFrame({name: file.groupby([*KEYS, "smokes"]).size() for name, file in counts.items()}).fillna(0)
    by_key = cells.groupby(KEYS)
    return cells.assign(
        d_q=by_key["d"].transform("sum"),
        s_q=by_key["s"].transform("sum"),
        levels=(cells["s"] > 0).groupby(KEYS).transform("sum"),
    )


def percent(cells, where):
    return 100 * cells["d"][where].sum() / N


def told_of(cells):
    """Find the cells that DiS and DiSCO count, and the key combinations that repU does."""
    return {
        "DiS": cells["levels"] == 1,
        "DiSCO": (cells["s"] > 0) & (cells["s"] == cells["s_q"]),
        "repU": (cells["d_q"] == 1) & (cells["s_q"] == 1),
    }


@pytest.mark.parametrize("shape", SHAPES)
def test_figures_are_those_of_grouped_frames(shape):
    original, synthetic = draw(shape, 1), draw(shape, 2)
    found = assess(original, synthetic, keys=KEYS, two_way_threshold=(1, 90))
    cells = cells_of(original, synthetic)
    expected = {name: percent(cells, where) for name, where in told_of(cells).items()}
    expected |= {
        "Dorig": percent(cells, (cells["d"] > 0) & (cells["d"] == cells["d_q"])),
        "iS": percent(cells, cells["s_q"] > 0),
        "UiO": percent(cells, cells["d_q"] == 1),
        "UiOiS": percent(cells, (cells["d_q"] == 1) & (cells["s_q"] > 0)),
    }
    (result,) = found.outcome.results
    assert {name: result.values[name] for name in expected} == pytest.approx(expected, rel=1e-12)

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
        for one in found.outcome.two_way
    }  # fmt: skip
    assert shown == flagged
    assert shown


@pytest.mark.parametrize("shape", SHAPES)
def test_several_files_together_are_those_of_frames_put_together(shape):
    original, *files = (draw(shape, seed) for seed in range(3))
    found = pooled(original, files, Settings(keys=KEYS))
    by_file = [told_of(cells_of(original, file)) for file in files]
    cells = cells_of(original, pd.concat(files))
    together = told_of(cells)
    held = cells.index[cells["d"] > 0]
    for measure, target in {"DiS": "smokes", "DiSCO": "smokes", "repU": ""}.items():
        told = pd.DataFrame([one[measure].reindex(held) for one in by_file])
        figure = found.figure(measure, target)
        of_any, of_all = (percent(cells.loc[held], where) for where in (told.any(), told.all()))
        assert (figure.any, figure.all) == pytest.approx((of_any, of_all), rel=1e-12)
        assert figure.together == pytest.approx(percent(cells, together[measure]), rel=1e-12)


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
