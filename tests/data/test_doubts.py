"""Doubts that nothing obvious raises: codes exchanged, numbers moved, levels renamed, marks for missing values."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest

from discoreport import assess, cli, examples, load
from discoreport.data.findings.likely_missing import _CODE, _LIKE_CODES, is_mark
from discoreport.measures.swapped_codes import relabellings
from tests.pages import InternalEdition
from tests.records import COPYING

pytestmark = pytest.mark.usefixtures("short_pdf")

KEYS = ["sex", "age", "region", "settlement"]
RANDOM = np.random.default_rng(7)
N = 2000


@pytest.fixture(scope="module")
def original():
    return examples.read("original")


@pytest.fixture(scope="module", params=["copy", "honest"])
def synthetic(request, original):
    """A copy of the original, and an honest synthesis: what becomes of either must be seen."""
    return original if request.param == "copy" else examples.read("synthetic_1")


def found(original, synthetic, keys=KEYS, **settings):
    """Give the warnings by variable and kind, but for those of copies, which have their own tests."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assessment = assess(original, synthetic, keys=keys, **settings)
    warned = (finding for finding in assessment.warnings if finding.finding not in COPYING)
    return {(finding.variable, finding.finding): finding for finding in warned}


def exchanged(values, first, second):
    return values.replace({first: second, second: first})


def rotated(values):
    levels = sorted(values.dropna().unique())
    return values.map(dict(zip(levels, [*levels[1:], levels[0]], strict=True)))


# Nothing wrong ---------------------------------------------------------------------------------------------


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", ["synthetic_1", "synthetic_2", "synthetic_3", "synthetic_small", "low_fidelity"])
def test_honest_syntheses_raise_no_doubt(original, name):
    assert not found(original, examples.read(name))
    assert not found(original, examples.read(name), numeric_groups={"age": 8})


@pytest.mark.parametrize("n", [30, 300, 5000])
def test_variables_drawn_without_regard_to_one_another_raise_no_doubt(original, n):
    drawn = original.apply(lambda column: column.sample(n, replace=True, random_state=len(column.name)).to_numpy())
    assert not {kind for _, kind in found(original, drawn)} - {"low_overlap", "different_distribution"}


def test_values_exchanged_at_random_raise_no_doubt(original):
    blurred = original.copy()
    for place, name in enumerate(blurred):
        at = np.random.default_rng(place).random(len(blurred)) < 0.3
        blurred.loc[at, name] = blurred[name].sample(at.sum(), random_state=place).to_numpy()
    assert not found(original, blurred)


def test_top_coding_and_merged_levels_exchange_nothing(original, synthetic):
    commonest = synthetic["region"].value_counts().index
    merged = synthetic.assign(
        age=synthetic["age"].clip(upper=65), region=synthetic["region"].replace({commonest[5]: commonest[4]})
    )
    assert not found(original, merged)


def test_a_level_called_missing_and_an_age_of_99_are_what_they_are():
    frame = pd.DataFrame(
        {
            "age": RANDOM.choice(np.arange(60, 100), N),
            "ill": RANDOM.choice(["yes", "no", "Missing", None], N),
            "children": RANDOM.choice(["none", "one", "two"], N),
        }
    )
    for size in (100, N):
        synthetic = frame.sample(size, replace=True, random_state=1)
        assert not found(frame, synthetic, ["age", "ill"], numeric_groups={"age": 5})


# Codes that changed places ---------------------------------------------------------------------------------


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(
    ("name", "recode"),
    [
        ("sex", lambda values: exchanged(values, *values.unique()[:2])),
        ("region", rotated),
        ("region", lambda values: exchanged(values, *values.value_counts().index[:2])),
        ("settlement", rotated),
        ("marital", rotated),
        ("employment", rotated),
        ("worked_abroad", lambda values: exchanged(values, "Yes", "No")),
    ],
)
def test_exchanged_codes_of_a_key_or_target_are_loud_and_blame_no_other(original, synthetic, name, recode):
    warned = found(original, synthetic.assign(**{name: recode(synthetic[name])}))
    assert (name, "levels_exchanged") in warned
    assert {variable for variable, _ in warned} == {name}


def test_two_variables_with_exchanged_codes_are_both_named(original, synthetic):
    recoded = synthetic.assign(region=rotated(synthetic["region"]), employment=rotated(synthetic["employment"]))
    warned = found(original, recoded)
    assert {variable for variable, kind in warned if kind == "levels_exchanged"} == {"region", "employment"}


def test_exchanged_codes_of_equal_shares_are_loud(original):
    wide = original.assign(
        sex=np.where(original["employment"].isin(original["employment"].value_counts().index[:2]), 1, 2)
    )
    equal = wide.groupby("sex").sample(int(wide["sex"].value_counts().min()), random_state=1)
    warned = found(equal, equal.assign(sex=3 - equal["sex"]))
    assert set(warned) >= {("sex", "levels_exchanged")}


def test_exchanged_codes_that_go_together_with_nothing_are_told_by_their_shares():
    frame = pd.DataFrame({"a": RANDOM.choice(["x", "y"], N, p=[0.42, 0.58]), "t": RANDOM.choice(["u", "v"], N)})
    synthetic = frame.apply(lambda column: column.sample(N, replace=True, random_state=1).to_numpy())
    assert not found(frame, synthetic, ["a"])
    assert ("a", "levels_exchanged") in found(frame, synthetic.assign(a=exchanged(synthetic["a"], "x", "y")), ["a"])


def test_whoever_is_certain_and_wrong_more_often_than_a_guesser_is_told_of():
    frame = pd.DataFrame({"village": np.arange(N) % 400, "ill": np.arange(N) % 400 % 2})
    finding = found(frame, frame.assign(ill=1 - frame["ill"]), ["village"])["ill", "worse_than_a_guess"]
    assert "right for 0.0 % of the records, a guesser would be for 50.0 %" in finding.detail
    assert not found(frame, frame, ["village"])


# Numbers that were moved, and dates ------------------------------------------------------------------------


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("shift", [1, -1, 5])
@pytest.mark.parametrize("groups", [{}, {"age": 10}])
def test_a_shifted_number_is_loud(original, synthetic, shift, groups):
    warned = found(original, synthetic.assign(age=synthetic["age"] + shift), numeric_groups=groups)
    assert f"({shift:+d})" in warned["age", "numbers_moved"].detail


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(("factor", "said"), [(1.2, "times 1.2"), (12, "times 12"), (-1, "minus the number")])
def test_another_unit_or_sign_is_loud_in_groups_too(original, synthetic, factor, said):
    original, synthetic = (
        frame.assign(income=frame["income"].where(frame["income"] > 0)) for frame in (original, synthetic)
    )
    groups = {"income": 10}
    assert not found(original, synthetic, numeric_groups=groups)
    recoded = synthetic.assign(income=synthetic["income"] * factor)
    assert said in found(original, recoded, numeric_groups=groups)["income", "numbers_moved"].detail


def test_a_reversed_scale_is_loud(original, synthetic):
    warned = found(original, synthetic.assign(wellbeing=10 - synthetic["wellbeing"]))
    assert {kind for name, kind in warned if name == "wellbeing"} & {"numbers_moved", "levels_exchanged"}


@pytest.mark.parametrize("written", ["%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y"])
def test_day_and_month_exchanged_are_loud(written):
    days = pd.Timestamp("2009-01-01") + pd.to_timedelta(RANDOM.integers(0, 730, N), "D")
    frame = pd.DataFrame({"born": days.strftime(written), "ill": RANDOM.choice(["yes", "no"], N)})
    turned = (
        written.replace("%m", "%").replace("%d", "%m").replace("%-", "%d-").replace("%/", "%d/").replace("%.", "%d.")
    )
    other = frame.assign(born=np.where(days.day <= 12, days.strftime(turned), days.strftime(written)))
    assert ("born", "day_and_month") in found(frame, other, ["born"])
    assert ("born", "day_and_month") not in found(frame, frame.sample(N, replace=True, random_state=1), ["born"])


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("times", [2, 3, 4])
def test_records_entered_several_times_are_told_of_as_nobody_is_unique_then(original, synthetic, times, engine):
    warned = found(original, pd.concat([synthetic] * times), engine=engine)
    assert set(warned) == {("", "repeated")}


# Levels under other names ----------------------------------------------------------------------------------

PARTS = pd.DataFrame(
    {
        "region": RANDOM.choice(["North", "South", "East"], N, p=[0.28, 0.4, 0.32]),
        "marital": RANDOM.choice(["single", "married", "widowed"], N, p=[0.28, 0.5, 0.22]),
        "education": RANDOM.choice(["primary", "secondary", "high"], N, p=[0.28, 0.42, 0.3]),
        "ill": RANDOM.choice(["yes", "no"], N),
    }
)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_partly_renamed_levels_are_loud_and_multiply_over_keys(engine):
    renamed = PARTS.replace({"North": "N", "single": "unmarried", "primary": "elementary"})
    warned = found(PARTS, renamed, ["region", "marital", "education"], targets=["ill"], engine=engine)
    assert "'North' may be 'N'" in warned["region", "levels_renamed"].detail
    assert "'single' may be 'unmarried'" in warned["marital", "levels_renamed"].detail
    together = warned["", "low_overlap_of_keys"]
    known = (PARTS["region"] != "North") & (PARTS["marital"] != "single") & (PARTS["education"] != "primary")
    assert together.n_records == known.sum()
    assert together.concerns == "the keys"


def test_a_renamed_level_of_few_records_is_not_named():
    frame = PARTS.assign(region=["Nowhere"] * 9 + ["North"] * 40 + ["South"] * (N - 49))
    renamed = frame.replace({"Nowhere": "Nirgends", "North": "Nord"})
    finding = found(frame, renamed, ["region"])["region", "levels_renamed"]
    assert "'North' may be 'Nord'" in finding.detail
    assert not {"Nowhere", "Nirgends"} & set(finding.detail.replace("'", " ").split())


def test_a_rare_level_that_a_synthesis_lost_is_nothing():
    frame = PARTS.assign(region=["Nowhere"] * 9 + ["South"] * (N - 9))
    assert not found(frame, frame[frame["region"] != "Nowhere"], ["region"])


# Marks for missing values ----------------------------------------------------------------------------------

MARKS = ["?", "n/a", "<NA>", "#NA", "-nan", "1.#IND", "Missing", "NA ", ".", "N.A.", "#N/A", "--", "not stated"]


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("marked", ["original", "synthetic"])
@pytest.mark.parametrize("gaps", [0, 1])
def test_a_mark_in_one_file_is_loud_where_the_other_has_gaps(original, mark, marked, gaps):
    other = examples.read("synthetic_1")
    files = {"original": original, "synthetic": other}
    values = files[marked]["marital"].copy()
    values[values.isna()] = [*[None] * gaps, *[mark] * (values.isna().sum() - gaps)]
    files[marked] = files[marked].assign(marital=values)
    finding = found(files["original"], files["synthetic"])["marital", "missing_as_text"]
    assert f"--missing marital={mark}" in finding.detail
    assert f'missing_values={{"marital": ["{mark}"]}}' in finding.detail


@pytest.mark.parametrize("code", [-9, 99, 999, -1, 9999])
def test_a_number_that_stands_for_a_gap_is_loud(code):
    ages = pd.Series(RANDOM.integers(18, 75, N)).astype(float).mask(np.arange(N) % 20 == 0)
    frame = pd.DataFrame({"age": ages, "ill": RANDOM.choice(["yes", "no"], N)})
    filled = frame.assign(age=ages.fillna(code))
    for one, other in ((frame, filled), (filled, frame)):
        assert f"--missing age={code}" in found(one, other, ["age"])["age", "missing_as_code"].detail
    assert not found(filled, filled, ["age"])
    grouped = found(filled, filled, ["age"], numeric_groups={"age": 5})
    assert f"--code age={code}" in grouped["age", "code_in_classes"].detail
    assert not found(filled, filled, ["age"], numeric_groups={"age": 5}, special_codes={"age": [code]})


def test_a_mark_that_one_file_lacks_altogether_is_loud(original):
    marked = original.assign(marital=original["marital"].mask(np.arange(len(original)) % 50 == 0, "?"))
    assert ("marital", "missing_as_text") in found(marked, marked[marked["marital"] != "?"])


@pytest.mark.parametrize("word", ["Nadia", "no", "A1", "Nana", "missing link", "3", "NL", "9"])
def test_words_are_no_marks(word):
    assert not is_mark(word)


@pytest.mark.parametrize("values", [[*range(399), 5], [*range(398), None, 5], [*range(395), *[None] * 5]])
def test_one_repeated_or_missing_identifier_does_not_silence_the_warning(values):
    frame = pd.DataFrame({"number": values, "sex": ["f", "m"] * (len(values) // 2)}).astype({"number": "Float64"})
    assert ("number", "identifier") in found(frame, frame, ["sex"])


# What is faster gives the same ---------------------------------------------------------------------------


def test_numbers_like_codes_are_all_among_those_that_are_looked_at():
    nines = ["9" * whole + "." + "9" * after for whole in range(1, 9) for after in range(1, 9)]
    written = [*map(str, range(200_000)), *(sign * n for sign in "6789" for n in range(1, 17)), *nines]
    codes = [float(text) for text in written if _CODE.fullmatch(text) or _CODE.fullmatch(f"-{text}")]
    assert len(codes) > 100
    assert np.isin(codes, _LIKE_CODES).all()


@pytest.mark.parametrize("seed", range(8))
def test_what_could_gain_nothing_gains_nothing(seed, monkeypatch):
    random = np.random.default_rng(seed)
    n_levels = int(random.integers(2, 12))
    tables = {}
    for place in range(3):
        means = random.dirichlet(np.ones(n_levels * 4) * 0.5).reshape(n_levels, 4) * 4000
        original, synthetic = (random.poisson(means + 1).astype(float) for _ in range(2))
        tables["a", f"b{place}"] = (original, np.roll(synthetic, seed % 3, axis=0))
    found = relabellings(tables)
    monkeypatch.setattr("discoreport.measures.swapped_codes._could_gain", lambda *_: True)
    assert relabellings(tables) == found


# Where it is said ------------------------------------------------------------------------------------------


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_engines_doubt_alike(original, tmp_path, engine):
    recoded = examples.read("synthetic_1").assign(sex=lambda frame: exchanged(frame["sex"], *frame["sex"].unique()[:2]))
    recoded["age"] += 1
    recoded["employment"] = rotated(recoded["employment"])
    paths = [tmp_path / name for name in ("original.parquet", "synthetic.parquet")]
    for frame, path in zip((original, recoded), paths, strict=True):
        frame.to_parquet(path)
    here = found(original, recoded)
    assert {name: str(finding) for name, finding in found(*paths, engine=engine).items()} == {
        name: str(finding) for name, finding in here.items()
    }
    assert {"levels_exchanged", "numbers_moved", "worse_than_a_guess"} <= {kind for _, kind in here}


@pytest.mark.slow
def test_a_doubt_stops_a_pipeline_and_is_on_the_first_page(original, tmp_path, capsys):
    path = tmp_path / "synthetic.csv"
    synthetic = examples.read("synthetic_1")
    synthetic.assign(sex=exchanged(synthetic["sex"], *synthetic["sex"].unique()[:2])).to_csv(path, index=False)
    options = [f"--key={key}" for key in KEYS] + ["--target=marital", "--out", str(tmp_path / "out"), "--json"]
    status = cli.main(["assess", str(examples.path("original")), str(path), *options, "--fail-on", "warnings"])
    assert status == 3
    assert "change places" in json.loads(capsys.readouterr().out)["failed"]["warnings"][0]
    edition = InternalEdition(load(tmp_path / "out" / "assessment.json"))
    assert edition.assessment.mismatched
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "The files don't match well: 1 warning." in page.replace("\N{NO-BREAK SPACE}", " ")
