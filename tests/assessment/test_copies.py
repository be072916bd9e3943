"""Whole records of the original in a synthetic file: counted in every engine, loud where chance doesn't give them."""

import functools
import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from discoreport import ComparisonWarning, Report, Settings, analyse, assess, examples, excess_over_control, load
from tests.commands import REASONS
from tests.engines import Engine, assess_in
from tests.pages import internal_tables
from tests.policies import under
from tests.records import figures

pytestmark = pytest.mark.usefixtures("short_pdf")

BEYOND = json.loads((Path(__file__).parent / "beyond.json").read_text(encoding="utf-8"))["copies"]
ORIGINAL = examples.read("original")
HONEST = examples.read("synthetic_1")
CONTROL = examples.read("control")
ORACLE = Path(__file__).parents[3] / "shared" / "oracle"
FEW = {"keys": ["sex", "age"], "targets": ["employment"]}
N = len(ORIGINAL)


def quietly(original, synthetic, **settings):
    """Assess, and leave warnings to the result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        return assess(original, synthetic, **(settings or FEW))


@functools.cache
def of_the_survey(name):
    """The assessment of an example file that many tests look at."""
    return quietly(ORIGINAL, examples.read(name))


def told(original, synthetic, **settings):
    """Name what is warned of records of the original, with the words."""
    found = quietly(original, synthetic, **settings).warnings
    return {one.finding: one.detail for one in found if one.finding.startswith("cop")}


def renamed(column, by=1):
    """Let the levels of a variable change places."""
    levels = np.sort(column.dropna().unique())
    return column.map(dict(zip(levels, np.roll(levels, by), strict=True)))


# Counts --------------------------------------------------------------------------------------------------


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("case", BEYOND, ids=lambda case: case["synthetic"].partition(".")[0])
def test_counts_are_the_reference_ones(case, engine):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        assessment = assess(
            examples.path("original"), examples.path(case["synthetic"].partition(".")[0]), **FEW, engine=engine
        )
    assert list(assessment.original.name and ORIGINAL.columns) == case["variables"]
    (row,) = assessment.copies.to_dict("records")
    assert row == {"synthesis": 1, **case["expected"]}


def test_every_file_has_a_row():
    table = quietly(ORIGINAL, [HONEST, ORIGINAL]).copies
    assert list(table) == ["synthesis", "synthetic_records", "original_records", "unique_original_records"]
    assert table.iloc[1].tolist() == [2, N, N, 4994]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_counts_are_those_of_counting_by_hand(engine):
    random = np.random.default_rng(3)
    original, synthetic = (
        pd.DataFrame({name: random.choice([1.5, 2, None, 7], n) for name in "abc"}) for n in (90, 70)
    )
    rows = [list(map(tuple, file.fillna("none").to_numpy().tolist())) for file in (original, synthetic)]
    shown = [row for row in rows[0] if row in rows[1]]
    found = assess_in(engine, original, [synthetic], keys=["a"], targets=["b"]).copies.iloc[0].tolist()
    once = [row for row in shown if rows[0].count(row) == 1]
    assert found == [1, sum(row in rows[0] for row in rows[1]), len(shown), len(once)]


@pytest.mark.slow
def test_engines_tell_the_same_of_values_too_many_to_be_brought_here(most_values):
    most_values(50)
    original = ORIGINAL.head(1000)[["sex", "age", "income", "region"]]
    synthetic = pd.concat([original.head(200), HONEST.head(800)[original.columns]], ignore_index=True)
    frames = (original, [synthetic]), {"keys": ["sex"], "targets": ["age", "income"]}
    ours, theirs = (assess_in(engine, *frames[0], **frames[1]).whole_records for engine in ("memory", "duckdb"))
    assert ours[0].matches.synthetic_records >= 200
    assert ours[0].matches.logs == pytest.approx(theirs[0].matches.logs)
    for name in ("synthetic_records", "on_unique", "on_the_same", "repeated_in_original", "unique_records"):
        assert getattr(ours[0].matches, name) == getattr(theirs[0].matches, name)


def test_identifiers_are_left_out_and_named():
    original = ORIGINAL.assign(person=range(N))
    assessment = quietly(original, HONEST.assign(person=range(N)))
    assert assessment.copies.loc[0, "synthetic_records"] == 56
    assert assessment.whole_records[0].left_out == ("person",)
    assert "person left aside" in str(assessment)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_of_several_files_each_has_the_copies_that_it_has_alone(engine):
    original = ORIGINAL.head(400)[["sex", "age", "region", "income"]]
    copies = pd.concat([original.head(30), HONEST.head(370)[original.columns]], ignore_index=True)
    files = [
        HONEST.tail(400)[original.columns],
        copies.assign(region=None),
        copies,
    ]  # region tells nothing in the second
    together = assess_in(engine, original, files, keys=["sex"], targets=["age"]).whole_records
    alone = [assess_in(engine, original, [one], keys=["sex"], targets=["age"]).whole_records[0] for one in files]
    assert [one.left_out for one in together] == [one.left_out for one in alone]
    assert alone[1].left_out != alone[2].left_out
    assert [one.matches for one in together] == [one.matches for one in alone]
    assert together[2].matches.synthetic_records >= 30


def test_a_column_of_lists_that_nobody_asked_for_is_no_hindrance():
    lists = [[1]] * 50
    frame = pd.DataFrame({"a": [1, 2] * 25, "b": range(50), "c": lists})
    assert quietly(frame, frame.assign(b=1), keys=["a"], targets=["b"]).whole_records[0].variables == 2


# What is loud --------------------------------------------------------------------------------------------

COPIES = {
    "copy": ORIGINAL.copy(),
    "other order": ORIGINAL.sample(frac=1, random_state=1),
    "subset": ORIGINAL.sample(1000, random_state=1),
    "twenty": ORIGINAL.sample(20, random_state=1),
    "drawn with replacement": ORIGINAL.sample(N, replace=True, random_state=1),
    "five times as many draws": ORIGINAL.sample(5 * N, replace=True, random_state=1),
    "twice": pd.concat([ORIGINAL, ORIGINAL]),
    "with decoys": pd.concat([ORIGINAL, HONEST]),
    "with thrice as many decoys": pd.concat([ORIGINAL, *(examples.read(f"synthetic_{n}") for n in (1, 2, 3))]),
    "one in forty": pd.concat([ORIGINAL.head(125), HONEST.iloc[125:]]),
    "leaky": examples.read("leaky"),
}


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("name", COPIES)
def test_a_copy_is_loud(name):
    with pytest.warns(ComparisonWarning, match="Records of the original are in a synthetic file"):
        assessment = assess(ORIGINAL, COPIES[name], **FEW)
    assert {one.finding for one in assessment.warnings} & {"copy", "copies"}
    assert any("original" in item.what for item in assessment.open_items)


@pytest.mark.parametrize("names", [["sex", "smoker"], ["sex", "age", "region"], ["age", "income"], ["income"]])
def test_a_copy_of_few_columns_is_loud(names):
    assert "copy" in told(ORIGINAL[names], ORIGINAL[names].sample(frac=1, random_state=1), keys=names[0])


@pytest.mark.parametrize("names", [["sex", "age", "region"], ["age", "income"], ["sex", "age", "region", "employment"]])
def test_half_of_the_records_are_loud_where_most_people_are_like_somebody(names):
    original = ORIGINAL[names]
    assert "copies" in told(original, original.sample(frac=0.5, random_state=1), keys=names[0])


def test_a_copy_with_new_identifiers_is_loud():
    numbered = ORIGINAL.assign(person=range(N))
    assert "copy" in told(numbered, ORIGINAL.assign(person=range(N, 2 * N)))
    assert "copies" in told(numbered, ORIGINAL.assign(person=range(N, 2 * N)).sample(500, random_state=1))


# What is not ---------------------------------------------------------------------------------------------


SOME_COLUMNS = [
    ["sex", "smoker"],
    ["sex", "age"],
    ["sex", "age", "region"],
    ["age", "income"],
    ["sex", "income"],
    ["sex", "region", "settlement", "marital"],
    ["sex", "age", "region", "employment"],
    ["income"],
]


def honest_files():
    for name in ("synthetic_1", "synthetic_2", "synthetic_3", "synthetic_small", "low_fidelity", "control"):
        yield pytest.param(ORIGINAL, examples.read(name), id=name)
    for names in SOME_COLUMNS:
        yield pytest.param(ORIGINAL[names], HONEST[names], id=" ".join(names))
        yield pytest.param(ORIGINAL[names], CONTROL[names].head(700), id=f"{' '.join(names)}, fewer")
    apart = {name: ORIGINAL[name].sample(frac=1, random_state=place).to_numpy() for place, name in enumerate(ORIGINAL)}
    yield pytest.param(ORIGINAL, pd.DataFrame(apart), id="columns reordered one by one")
    fine = np.random.default_rng(1).normal(size=N).round(3)  # nearly everybody has a value of their own
    yield pytest.param(
        ORIGINAL[["sex", "smoker"]].assign(fine=fine),
        pd.DataFrame(apart)[["sex", "smoker"]].assign(fine=np.random.default_rng(2).permutation(fine)),
        id="a fine number reordered",
    )


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(("original", "synthetic"), [*honest_files()])
def test_an_honest_synthesis_is_not_cried_at(original, synthetic):
    assert not told(original, synthetic, keys=[original.columns[0]])


@pytest.mark.fast_cases(3)
@pytest.mark.skipif(not ORACLE.exists(), reason="no reference data here")
@pytest.mark.parametrize("name", [*(f"s5_{n}" for n in range(1, 6)), "s1", "s1_k250", "s1_k1000", "s1_k2500", "adult"])
def test_published_syntheses_are_not_cried_at(name):
    folder = ORACLE / ("adult" if name == "adult" else "sd2011")
    file = "synthetic" if name == "adult" else name
    assert not told(folder / "original.csv.gz", folder / f"{file}.csv.gz", keys=["age", "sex"])


# Policy and control --------------------------------------------------------------------------------------


def open_sections(assessment):
    return [item.what for item in assessment.open_items if "whole records" in item.what]


@pytest.mark.slow
def test_the_policy_says_how_many_are_told_of():
    honest, leaky = of_the_survey("synthetic_1"), of_the_survey("leaky")
    assert honest.policy.copies == 2
    assert not open_sections(honest)
    assert open_sections(under(honest, copies=0.5))
    assert open_sections(leaky)
    assert "Records of the original are in the synthetic file." in Report(leaky).html
    some = pd.concat([ORIGINAL.head(600), HONEST.head(2400)]).sample(frac=1, random_state=1)
    assert not under(quietly(ORIGINAL, some), copies=40).warnings


@pytest.mark.slow
def test_with_a_control_its_share_is_what_counts():
    def asked(file):
        assessment = quietly(ORIGINAL, file, **examples.SETTINGS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ComparisonWarning)
            return analyse(assessment, ORIGINAL, file, {"control": {"control": CONTROL}})

    honest = asked(HONEST)
    assert honest.analyses.control.copies == 8
    assert not honest.warnings
    assert not open_sections(honest)
    some = pd.concat([ORIGINAL.head(45), HONEST.iloc[45:]])  # with those by chance less than the policy's 2 %
    assert not quietly(ORIGINAL, some, **examples.SETTINGS).warnings
    assert [one.finding for one in asked(some).warnings] == ["copies"]
    assert "of the control's 5,000 records, 8 do" in str(asked(examples.read("leaky")))


# Where it stands -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_number_stands_on_the_first_page_always():
    honest = of_the_survey("synthetic_1")
    page = " ".join(Report(honest).html.split())
    assert "<strong>56</strong> of the 5,000 synthetic records equal a whole original record" in page
    assert "caution" not in page[page.index("<body") : page.index('class="contents"')]
    leaky = " ".join(Report(of_the_survey("leaky")).html.split())
    first = leaky[leaky.index("<body") : leaky.index('class="contents"')]
    assert "<b>Records of the original are in the synthetic file.</b> 1,534 of 5,000" in first
    assert "The files don't match" not in first


def test_the_bundle_has_the_table():
    assert internal_tables(of_the_survey("synthetic_1"))["copies"].loc[0, "synthetic_records"] == 56


def test_the_external_edition_says_nothing_of_copies():
    page = Report(of_the_survey("leaky"), edition="external").html
    assert "1,534" not in page
    assert "whole records" not in page.lower()


@pytest.mark.slow
def test_an_earlier_record_was_not_counted(tmp_path):
    path = of_the_survey("synthetic_1").save(tmp_path / "a.json")
    content = json.loads(path.read_text())
    del content["whole_records"], content["policy"]["copies"]
    path.write_text(json.dumps(content))
    earlier = load(path)
    assert earlier.copies.empty
    assert not earlier.warnings
    assert "were not counted: assess the files anew" in Report(earlier).html
    (check,) = figures(earlier, ORIGINAL, [HONEST], Engine(), earlier=True)
    assert (check.outcome, "whole_records" in check.detail) == ("unchecked", True)
    (check,) = figures(earlier, ORIGINAL, [HONEST], Engine())  # of this version, it would have them
    assert check.outcome == "fails"


@pytest.mark.slow
def test_verify_counts_them_again():
    leaky = of_the_survey("leaky")
    for engine in ("memory", "duckdb"):
        (check,) = figures(leaky, ORIGINAL, [examples.read("leaky")], Engine(engine))
        assert check.outcome == "holds", check.detail
    one = leaky.whole_records[0]
    forged = leaky.model_copy(
        update={
            "whole_records": (type(one)(1, 11, (), type(one.matches)(**{**vars(one.matches), "synthetic_records": 3})),)
        }
    )
    (check,) = figures(forged, ORIGINAL, [examples.read("leaky")], Engine("memory"))
    assert (check.outcome, "whole_records" in check.detail) == ("fails", True)


# Copies in disguise --------------------------------------------------------------------------------------

RANDOM = np.random.default_rng(5)
DISGUISED = {
    "sexes exchanged": ({"sex": renamed(ORIGINAL["sex"])}, {"sex"}),
    "regions permuted": ({"region": renamed(ORIGINAL["region"], 5)}, {"region"}),
    "a year older": ({"age": ORIGINAL["age"] + 1}, {"age"}),
    "a year older or younger": ({"age": ORIGINAL["age"] + RANDOM.choice([-1, 1], N)}, {"age"}),
    "target permuted": ({"employment": renamed(ORIGINAL["employment"])}, {"employment"}),
    "income and age": ({"income": ORIGINAL["income"] + 10, "age": ORIGINAL["age"] - 1}, {"income", "age"}),
    "sex and region": ({"sex": renamed(ORIGINAL["sex"]), "region": renamed(ORIGINAL["region"])}, {"sex", "region"}),
}


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("name", DISGUISED)
def test_a_copy_in_which_one_or_two_variables_were_changed_is_loud(name):
    changed, left_out = DISGUISED[name]
    for file in (ORIGINAL.assign(**changed), ORIGINAL.assign(**changed).sample(2000, random_state=1)):
        said = told(ORIGINAL, file)["copies_in_disguise"]
        assert set(said.partition("original but for ")[2].partition(", where")[0].split(", ")) == left_out


def test_part_of_a_file_in_disguise_is_loud():
    part = ORIGINAL.head(1500).assign(sex=renamed(ORIGINAL["sex"]))
    assert "but for sex" in told(ORIGINAL, pd.concat([part, HONEST.iloc[1500:]]))["copies_in_disguise"]


def test_numbers_half_rounded_are_loud():
    random = np.random.default_rng(2)
    half = {name: ORIGINAL[name].where(random.random(N) < 0.5, ORIGINAL[name].round(-1)) for name in ("age", "income")}
    assert told(ORIGINAL, ORIGINAL.assign(**half)).keys() >= {"copies"}


def test_a_disguise_in_few_columns_is_loud():
    original = ORIGINAL[["sex", "age", "region"]]
    assert (
        "but for sex" in told(original, original.assign(sex=renamed(original["sex"])), keys="age")["copies_in_disguise"]
    )


def test_a_disguise_among_many_variables_is_named_with_its_neighbours():
    random = np.random.default_rng(1)
    original = pd.DataFrame({f"v{n:02}": random.integers(0, 4, 600) for n in range(40)})
    changed = original.assign(v07=renamed(original["v07"]), v30=renamed(original["v30"]))
    said = told(original, changed, keys="v00", targets=["v07"])["copies_in_disguise"]
    assert "v07" in said


# Control files -------------------------------------------------------------------------------------------


def doubts(control, original=ORIGINAL, synthetic=HONEST, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        found = excess_over_control(original, synthetic, Settings(**(settings or examples.SETTINGS)), control=control)
    return {one.finding: one.detail for one in found.findings}


def test_a_control_made_of_the_original_with_new_identifiers_is_loud():
    files = [
        frame.assign(person=range(start, start + N)) for frame, start in ((ORIGINAL, 0), (HONEST, 0), (ORIGINAL, 9000))
    ]
    assert "control_in_original" in doubts(files[2].head(2000), files[0], files[1])


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("n", [500, 100, 30, 15])
def test_a_few_whole_records_in_the_control_are_loud(n):
    assert "control_in_original" in doubts(pd.concat([CONTROL.iloc[n:], ORIGINAL.head(n)]))


@pytest.mark.generated
def test_a_control_of_the_same_population_is_not_doubted():
    assert not doubts(CONTROL)
    for seed in range(3):
        assert not doubts(CONTROL.sample(800, random_state=seed))
    parts = ORIGINAL.sample(frac=1, random_state=1)
    assert not doubts(parts[N // 2 :], parts[: N // 2])


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(
    ("control", "named"),
    [
        (CONTROL[CONTROL["age"] < 40], "age"),
        (CONTROL.assign(age=CONTROL["age"] + 5), "age"),
        (CONTROL[CONTROL["region"] == "Aldmere"], "region"),
        (CONTROL.drop(CONTROL[CONTROL["sex"] == "Male"].index[::2]), "sex"),
        (CONTROL.assign(sex=np.where(CONTROL["age"] % 2, *CONTROL["sex"].unique())), "sex with age"),
        (CONTROL.assign(employment=np.random.default_rng(1).permutation(CONTROL["employment"])), "age with employment"),
    ],
)
def test_a_control_of_another_population_is_doubted(control, named):
    assert named in doubts(control)["control_differs"]


def test_trifles_are_no_other_population_however_large_the_files():
    random = np.random.default_rng(1)
    original, control = (pd.DataFrame({"sex": random.random(200_000) < share, "t": 1}) for share in (0.5, 0.51))
    assert not doubts(control, original, original.head(1000), keys=["sex"], targets=["t"])


@pytest.mark.slow
def test_a_control_that_is_given_away_more_surely_than_the_original_is_doubted():
    assert "control_above_original" in doubts(ORIGINAL, CONTROL, examples.read("leaky"))
    assert "control_above_original" not in doubts(CONTROL, synthetic=examples.read("low_fidelity"))


@pytest.mark.parametrize("n", [1, 2, 4, 30])
def test_a_copy_is_told_everywhere_however_little_it_holds(n):
    frame = pd.DataFrame({"sex": ([*"fm"] * n)[:n], "ill": ([*"nnny"] * n)[:n]})
    with pytest.warns(ComparisonWarning, match="every combination of values occurs just as often"):
        found = assess(frame, frame.sample(frac=1, random_state=1), keys=["sex"])
    assert [one.finding for one in found.warnings] == ["copy"]
    assert REASONS["warnings"][1](found)
    assert "is it a copy?" in str(found)
    assert "A copy of the original?" in Report(found).html
