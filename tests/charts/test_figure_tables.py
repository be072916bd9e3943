"""The table beneath each figure holds every number that is drawn, and the records behind it."""

import functools
import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from discoreport import load
from discoreport.assessment.analyses import ANALYSES
from discoreport.charts import CHARTS, draw
from tests.charts.test_charts import CASES, curves_of, drawable, upward, values_of
from tests.drawings import to_svg
from tests.intruder import Attack
from tests.measures.test_brute_force import assess_problem, rules_for
from tests.records import worst_file, worst_files
from tests.strategies import problems, sometimes
from tests.wording import number, percentage

built = functools.cache(lambda case: CASES[case]())
NUMBER = r"(?:[<>] )?\d[\d,]*(?:\.\d+)?"
WRITTEN = re.compile(rf"{NUMBER}|{NUMBER} to {NUMBER}|{NUMBER} → {NUMBER}|\d+ \(in \d+ of \d+\)")
SHARE = ("percent", "n_records", "denominator", "n_denominator")


def numbers_of(table):
    """All numbers of a table, and all ways in which a figure writes them."""
    cells = [cell for name in table.columns for cell in table[name] if not pd.isna(cell)]
    found = [float(cell) for cell in cells if not isinstance(cell, str)]
    texts = {cell for cell in cells if isinstance(cell, str)}
    for value in found:
        texts |= {percentage(value), number(value), f"{round(value):,}", f"{value:.3g}"}
    return np.array(found), texts


def written_in(name, specification):
    """The numbers among the texts of a figure, without those of a scale."""
    for value in values_of(specification):
        text = value.get("text", "")
        if name == "tau" and value["x"] < 34:
            continue
        if re.fullmatch(r"\d+ to \d+", text):  # a size, which is a word of the table
            yield text
        elif WRITTEN.fullmatch(text) and not re.fullmatch(r"0\d", text):  # that ends a long name
            yield from re.findall(NUMBER, text)
        yield from re.findall(r"(\d+)\u00a0pairs?", text)
        yield from re.findall(r"(\d+) levels? left out", text)


def drawn_in(name, specification):
    """The values that places stand for: on scales, or turned back from the pixels of a curve."""
    if name == "tau":
        percent_at = upward(specification)
        yield from (percent_at(y) for points in curves_of(specification).values() for _, y in points)
        bands = [value for value in values_of(specification) if "curve" in value and "y2" in value]
        yield from (percent_at(value[end]) for value in bands for end in ("y", "y2"))
        return
    for value in values_of(specification):
        told = value.keys() & {"name", "pair", "size", "measure"}
        is_text = "text" in value and value.keys() <= {"x", "y", "text", "name"}
        yield from (value[end] for end in ("x", "x2") if told and end in value and not is_text)


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("case", CASES)
def test_every_number_that_is_drawn_is_in_the_table(case):
    assessment = built(case)
    for name in drawable(assessment):
        specification = to_svg.specify(draw(assessment, name))
        found, texts = numbers_of(CHARTS[name].table(assessment))
        written = list(written_in(name, specification))
        assert name == "tau" or written
        assert not set(written) - texts, name
        ends = [0.0, 100.0]  # of bars
        drawn = list(drawn_in(name, specification))
        assert drawn
        for value in drawn:
            assert np.isclose(np.concatenate([found, ends]), value, rtol=1e-9, atol=1e-9).any(), (name, value)
        told = re.findall(r"((?:[<>]\u00a0)?\d[\d,.]*)\u00a0%", specification["description"])
        assert not {text.replace("\u00a0", " ") for text in told} - texts - {percentage(100)}, name


@pytest.mark.slow
@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("case", CASES)
def test_percentages_are_what_the_records_say(case):
    assessment = built(case)
    for name in drawable(assessment):
        table = CHARTS[name].table(assessment)
        assert not table.empty
        if "denominator" not in table:
            continue
        rows = table.dropna(subset=["percent", "n_denominator"])
        assert (rows["denominator"].str.contains("records")).all()
        quotient = 100 * rows["n_records"].astype(float) / rows["n_denominator"].astype(float)
        assert quotient.to_numpy() == pytest.approx(rows["percent"].to_numpy(), rel=1e-6)


@pytest.mark.parametrize("case", ["three syntheses and exclusions", "long names"])
def test_the_tables_of_figures_say_which_file_is_worst(case):
    assessment = built(case)
    worst = {target: result.synthesis for target, result in worst_files(assessment).items()}
    plain = {target: one.synthesis for target, one in worst_files(assessment.without_exclusions()).items()}
    for name in drawable(assessment):
        table = CHARTS[name].table(assessment)
        if "synthesis" not in table or name == "levels":  # which has the worst file alone
            continue
        for row in table[table["synthesis"] != ""].to_dict("records"):
            of = plain if row.get("exclusions") == "none" else worst
            file = of[row["target"]] if "target" in row else worst_file(assessment).synthesis
            number, *marked = row["synthesis"].split(" ")
            assert marked == (["(worst)"] if int(number) == file else [])


@pytest.mark.slow
@sometimes
@given(problems())
@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_denominators_are_what_an_intruder_divides_by(problem):
    assessment = assess_problem(problem)
    table = CHARTS["cap"].table(assessment)
    table["synthesis"] = table["synthesis"].str.removesuffix(" (worst)")
    table = table.set_index(["target", "synthesis", "measure"]).sort_index()
    for target in problem.targets:
        for synthesis, records in enumerate(problem.synthetic, start=1):
            attack = Attack(problem.original, records, problem.keys, target, rules_for(problem, target))
            d, s = attack.d, attack.s
            found = sum(1 for q, _ in s.left if d.n_left[q])
            certain = sum(1 for q, _ in d.left if s.is_certain_of_anything(q))
            rows = table.loc[(target, str(synthesis))]
            expected = {
                **dict.fromkeys(("baseCAPd", "CAPd", "DCAP_d"), len(problem.original)),
                **dict.fromkeys(("CAPs", "DCAP_s", "TCAP_s"), len(records)),
                "TCAP": certain,
            }
            assert {measure: rows.loc[measure, "n_denominator"] for measure in expected} == expected
            for measure in ("DCAP_b", "TCAP_b"):  # unknown where nothing that is found is guessed right
                shown = rows.loc[measure, "n_denominator"]
                assert rows.loc["DCAP_b", "percent"] == 0 if pd.isna(shown) else shown == found
            disclosed = sum(1 for q, t in d.left if attack.disclosed(q, t))
            if not math.isnan(rows.loc["TCAP", "percent"]):
                assert rows.loc["TCAP", "n_records"] == rows.loc["TCAP_s", "n_records"] == disclosed


def test_the_line_of_the_checks_is_in_their_table(survey):
    (threshold,) = set(CHARTS["checks"].table(survey)["threshold"])
    lines = [value["x"] for value in values_of(draw(survey, "checks")) if "y2" in value and value["x"] == threshold]
    assert lines == [80]


def test_tables_hold_the_published_counts(survey):
    steps = CHARTS["steps"].table(survey).set_index(["target", "measure"])
    assert steps.loc[("worked_abroad", "DiSCO"), list(SHARE)].tolist() == [
        pytest.approx(53.78),
        2689,
        "original records",
        5000,
    ]
    identity = CHARTS["identity"].table(survey).set_index("measure")
    assert identity.loc["repU", ["synthesis", *SHARE]].tolist() == [
        "1",
        pytest.approx(13.02),
        651,
        "original records",
        5000,
    ]
    assert identity.loc["UiS", "denominator"] == "synthetic records"
    cells = CHARTS["denominators"].table(survey).set_index("target").loc["worked_abroad"]
    assert cells["n_records"] == 2689
    assert cells["n_cells"] * cells["mean_denom"] == pytest.approx(2689)
    assert str(steps["n_records"].dtype) == "Int64"


def test_every_figure_has_a_table_with_names_and_units(survey):
    assert set(CHARTS) == {
        "overview", "identity", "class_sizes", "levels", "steps", "denominators", "cap", "tau", "checks", "exclusions",
        "spread", "distributions", "units", "risk_utility", "utility_declared", *set(ANALYSES) - {"four_checks"},
    }  # fmt: skip
    for chart in [chart for name, chart in CHARTS.items() if name not in ANALYSES]:  # which have tests of their own
        table = chart.table(survey)
        assert len(set(table.columns)) == len(table.columns)
        assert table.empty or not table.isna().all().any()
        before = survey.model_dump_json()
        table.iloc[:, 0] = "changed"
        assert survey.model_dump_json() == before


@pytest.mark.parametrize("name", CHARTS)
def test_a_table_of_nothing_is_empty_and_has_its_columns(name, survey):
    nothing = survey.for_targets([])
    table = CHARTS[name].table(nothing)
    assert list(table.columns) == list(CHARTS[name].table(survey).columns)
    assert len(table) == (0 if name not in {"identity", "class_sizes"} else len(CHARTS[name].table(survey)))


def test_a_record_saved_before_sizes_were_counted_has_no_such_figure(survey, tmp_path):
    older = survey.model_copy(update={"outcome": survey.outcome.model_copy(update={"class_sizes": ()})})
    older = load(older.save(tmp_path / "older.json"))
    assert not CHARTS["class_sizes"].applies(older)
    assert CHARTS["class_sizes"].table(older).empty
    with pytest.raises(ValueError, match="saved before"):
        draw(older, "class_sizes")
