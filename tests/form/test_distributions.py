"""How numbers are spread, shown while their groups are set: nothing of what few records have."""

import numpy as np
import pandas as pd
import pytest

from discoreport import Settings
from discoreport.form.model.distributions import distribution
from discoreport.form.widgets.html import page
from tests.forms import OpenFiles

DRAWS = np.random.default_rng(7)
INCOME = [*np.round(DRAWS.lognormal(7, 0.5, 3000)).tolist(), 987_654, 3]


def found(values, **settings):
    frame = pd.DataFrame({"income": values, "k": ["a", "b"] * (len(values) // 2)})
    files = OpenFiles.open(frame, [frame])
    return distribution(files, Settings(keys=["k"], targets=["income"], **settings), "income")


def test_bars_count_each_record_once_and_tell_no_extreme():
    spread = found(INCOME)
    assert not spread.classes
    assert 10 <= len(spread.bars) <= 25
    assert sum(bar.n or 0 for bar in spread.bars) <= len(INCOME)
    assert sum(bar.n or 0 for bar in spread.bars) >= len(INCOME) - 9 * spread.n_small
    assert spread.bars[0].low is None
    assert spread.bars[-1].high is None
    shown = page("distribution", found=spread, name="income", least=10)
    assert "987" not in shown
    assert "987654" not in repr(spread)


def test_classes_are_those_that_are_counted():
    spread = found(INCOME, numeric_groups={"income": 20})
    assert spread.classes
    assert len(spread.bars) == 20
    assert sum(bar.n for bar in spread.bars) == len(INCOME)
    assert len(spread.bounds) == 19


def test_classes_of_few_records_are_neither_counted_nor_bounded():
    spread = found([*range(60)] * 2, numeric_groups={"income": (0, 10, 57, 200)})
    small = [bar for bar in spread.bars if bar.n is None]
    assert [bar.n for bar in spread.bars] == [20, 94, None]
    assert spread.n_small == len(small) == 1
    assert spread.bounds == ("10",)
    shown = page("distribution", found=spread, name="income", least=10)
    assert "begin at 10." in shown
    assert "1 class has fewer than 10 records: not shown" in shown


def test_special_codes_stand_apart():
    spread = found([*INCOME, *[-8] * 200], special_codes={"income": [-8]})
    assert sum(bar.n or 0 for bar in spread.bars) <= len(INCOME)
    assert spread.bars[0].high != "-8"


@pytest.mark.parametrize("values", [[5] * 100, [*range(20)], [None] * 98 + [1, 2]])
def test_where_there_is_nothing_to_draw_nothing_is_drawn(values):
    spread = found(values)
    assert spread.bars == ()
    assert page("distribution", found=spread, name="income", least=10).strip() == ""
