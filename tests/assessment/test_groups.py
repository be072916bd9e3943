"""Who is at risk: groups counted by hand and by an intruder, and the file that lists records."""

import csv
import resource
import stat
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport import Settings, assess, examples, groups, write_records_at_risk
from discoreport.errors import ConfidentialityWarning, DataError, OutputError, SettingsError
from tests.assessment.test_sensitivity import settings_of
from tests.intruder import Attack, Rules
from tests.measures.test_brute_force import attacks, rules_for
from tests.strategies import often, problems, sometimes

# Files this small leave many levels out, which is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")


def at_risk(problem, records, target):
    """For each original record what an intruder finds of it: unique, replicated, determined, disclosed."""
    attack = Attack(problem.original, records, problem.keys, target, rules_for(problem, target))
    of_keys = Rules(without_missing_keys=attack.rules.without_missing_keys)
    keys = Attack(problem.original, records, problem.keys, target, of_keys)
    found = []
    for (q, t), why, why_key in zip(attack.d.records, attack.d.reasons, keys.d.reasons, strict=True):
        unique = why_key is None and keys.d.n_left[q] == 1
        found.append(
            (
                unique,
                unique and keys.s.n_left[q] == 1,
                why is None and attack.d.is_certain_of(q, t),
                why is None and attack.s.is_certain_of(q, t),
            )
        )
    return found


@pytest.mark.slow
@often
@given(problems(), st.data())
def test_every_group_is_what_an_intruder_counts_in_it(problem, data):
    hidden = data.draw(st.lists(st.sampled_from(["a", "b", None]), min_size=1, max_size=20))
    problem.original = [
        {**record, "group": hidden[place % len(hidden)]} for place, record in enumerate(problem.original)
    ]
    original, synthetic = problem.frames()
    original["group"] = [record["group"] for record in problem.original]
    by = [*problem.keys, *problem.targets, "group"]
    found = groups(original, synthetic, settings_of(problem), by=by, smallest=1)
    rows = {(one.variable, one.level, one.target, one.synthesis): one for one in found.groups}
    assert len(rows) == len(found.groups)
    expected = 0
    for target in problem.targets:
        for synthesis, records in enumerate(problem.synthetic, start=1):
            risks = at_risk(problem, records, target)
            for name in by:
                for level in {record[name] for record in problem.original}:
                    mine = [risk for record, risk in zip(problem.original, risks, strict=True) if record[name] == level]
                    row = rows[name, level, target, synthesis]
                    counted = (row.n_unique, row.n_replicated, row.n_determined, row.n_disclosed)
                    assert counted == tuple(sum(column) for column in zip(*mine, strict=True))
                    assert row.n_records == len(mine)
                    assert row.flag == ("all exposed" if all(risk[3] for risk in mine) else "")
                    expected += 1
    assert len(rows) == expected


@pytest.mark.slow
@sometimes
@given(problems(), st.integers(1, 12))
def test_groups_add_up_to_the_whole_file_however_they_are_merged(problem, smallest):
    original, synthetic = problem.frames()
    found = groups(original, synthetic, settings_of(problem), smallest=smallest)
    assessment = assess(original, synthetic, **settings_of(problem).model_dump(exclude_unset=True))
    n = len(original)
    sums = found.table.groupby(["variable", "target", "synthesis"])[
        ["n_records", "n_unique", "n_replicated", "n_determined", "n_disclosed"]
    ].sum()
    for (_, target, synthesis), row in sums.iterrows():
        identity = assessment.outcome.identity[synthesis - 1].values
        values = assessment.attribute.loc[(target, synthesis)]
        assert row["n_records"] == n
        figures = [100 * row[name] / n for name in ("n_unique", "n_replicated", "n_determined", "n_disclosed")]
        assert figures == pytest.approx([identity["UiO"], identity["repU"], values["Dorig"], values["DiSCO"]])
    for (_, target, synthesis), average in found.table.groupby(["variable", "target", "synthesis"])["average"]:
        assert set(average.round(6)) == {round(assessment.attribute.loc[(target, synthesis), "DiSCO"], 6)}


@sometimes
@given(problems(), st.integers(1, 12))
def test_no_group_is_smaller_than_may_be_shown(problem, smallest):
    original, synthetic = problem.frames()
    found = groups(original, synthetic, settings_of(problem), smallest=smallest)
    assert all(one.n_records >= min(smallest, len(original)) for one in found.groups)
    named = {one.variable: set() for one in found.groups}
    for one in found.groups:
        if one.merged:
            assert one.level is None
        else:
            named[one.variable].add(one.level)
    for name, levels in named.items():
        for level in levels:
            size = sum(1 for record in problem.original if record[name] == level)
            assert size >= min(smallest, len(original))


def test_a_small_group_that_is_fully_exposed_is_flagged():
    original = pd.DataFrame({"age": [*range(30), *[50] * 70], "isle": [*["Skerry"] * 12, *["Main"] * 88]})
    original["ill"] = ["y", "n"] * 50
    found = groups(original, original, Settings(keys=["age"], targets=["ill"]), by="isle")
    table = found.table.set_index("level")
    assert table.loc["Skerry", ["n_records", "DiSCO", "average", "flag"]].to_list() == [12, 100, 30, "all exposed"]
    assert table.loc["Main", "flag"] == ""


def test_small_levels_are_put_together_but_their_exposure_is_told():
    original = pd.DataFrame({"age": [*range(8), *[50] * 92], "isle": [*"aaaabbcc", *["Main"] * 40, *["South"] * 52]})
    original["ill"] = ["y", "n"] * 50
    found = groups(original, original, Settings(keys=["age"], targets=["ill"]), by="isle")
    assert [(one.level, one.n_levels, one.n_records) for one in found.groups] == [("South", 1, 52), (None, 4, 48)]
    merged = found.groups[-1]
    assert (merged.n_levels_exposed, merged.flag) == (3, "some levels all exposed")
    assert found.table["level"].to_list() == ["South", "4 levels put together"]
    assert "a" not in set(found.table["level"])


def test_groups_of_the_survey_without_targets_and_with_classes():
    settings = Settings(**{**examples.SETTINGS, "targets": []})
    found = groups(examples.path("original"), examples.path("synthetic_1"), settings)
    assessment = assess(
        examples.path("original"), examples.path("synthetic_1"), **settings.model_dump(exclude_unset=True)
    )
    sums = found.table.groupby("variable")["n_replicated"].sum()
    assert (100 * sums / 5000).to_list() == pytest.approx([assessment.value("repU")] * 4)
    assert found.table["DiSCO"].isna().all()
    settings = Settings(**{**examples.SETTINGS, "targets": ["income"]})
    found = groups(examples.path("original"), examples.path("synthetic_1"), settings, by=["income"])
    assert found.table["level"].to_list()[-2:] == ["-8", "(missing)"]


def test_larger_files_with_few_and_many_key_combinations():
    random = np.random.default_rng(3)
    for n_levels in (3, 10_000):
        original, synthetic = (
            pd.DataFrame({"k": random.integers(0, n_levels, 900), "t": random.integers(0, 2, 900), "g": [*"xyz"] * 300})
            for _ in range(2)
        )
        found = groups(original, synthetic, Settings(keys=["k"], targets=["t"]), by="g").table
        assessment = assess(original, synthetic, keys="k", targets="t")
        assert found["n_disclosed"].sum() / 9 == pytest.approx(assessment.value("DiSCO", "t"))
        assert found["n_replicated"].sum() / 9 == pytest.approx(assessment.value("repU"))


def test_wrong_names_and_sizes_are_refused():
    frame = pd.DataFrame({"age": [1, 2], "ill": ["y", "n"]})
    with pytest.raises(DataError, match="No column 'isle'"):
        groups(frame, frame, Settings(keys=["age"]), by="isle")
    with pytest.raises(SettingsError, match="from 1"):
        groups(frame, frame, Settings(keys=["age"]), smallest=0)


def test_results_hold_no_rows_and_survive_json():
    frame = pd.DataFrame({"age": [1, 2], "ill": ["y", "n"]})
    found = groups(frame, frame, Settings(keys=["age"]))
    assert type(found).model_validate_json(found.model_dump_json()) == found
    assert "row" not in found.model_dump_json()


# The list of records -----------------------------------------------------------------------------


@sometimes
@given(problems())
def test_the_list_has_the_records_that_an_intruder_finds(problem):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "at_risk.csv"
        with pytest.warns(ConfidentialityWarning, match="lists records"):
            write_records_at_risk(*problem.frames(), settings_of(problem), path)
        listed = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    found = {(row["why"], row["target"], int(row["synthesis"]), int(row["record"])) for row in listed}
    assert len(found) == len(listed)
    expected = set()
    for target, synthesis, attack in attacks(problem):
        risks = at_risk(problem, problem.synthetic[synthesis - 1], target)
        assert len(risks) == len(attack.d.records)
        for row, risk in enumerate(risks, start=1):
            if risk[1]:
                expected.add(("replicated unique", "", synthesis, row))
            if risk[3]:
                expected.add(("disclosed", target, synthesis, row))
    assert found == expected


def test_the_list_is_for_its_owner_alone_and_never_overwrites(tmp_path):
    frame = pd.DataFrame({"age": [1, 2], 'ill, "or" not': ["y", "n"]})
    path = tmp_path / "at_risk.csv"
    with pytest.warns(ConfidentialityWarning):
        write_records_at_risk(frame, frame, Settings(keys=["age"]), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert pd.read_csv(path)["target"].dropna().unique().tolist() == ['ill, "or" not']
    with pytest.raises(OutputError, match="exists"):
        write_records_at_risk(frame, frame, Settings(keys=["age"]), path)


def test_nothing_is_left_of_a_list_that_breaks_off(tmp_path):
    frame = pd.DataFrame({"age": range(999), "ill": ["y", "n", "n"] * 333})
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OutputError, match="File too large"):
            write_records_at_risk(frame, frame, Settings(keys=["age"]), tmp_path / "at_risk.csv")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list(tmp_path.iterdir()) == []
