"""What an assessment tells beyond the measures: texts, spread, flags, tau, saving."""

import json

import numpy as np
import pandas as pd
import pytest

from discoreport import Settings, assess, examples, load, release_size, replicated_uniques
from discoreport.errors import DataError, RecordError, SettingsError
from tests.intruder import IDENTITY

KEYS = examples.SETTINGS["keys"]


def test_summary_puts_the_most_disclosive_first_with_its_flags(survey):
    summary = survey.summary
    assert list(summary["DiSCO"]) == sorted(summary["DiSCO"], reverse=True)
    assert summary.loc["worked_abroad", "one_way"] == "No"
    assert summary.loc["marital", "two_way"] == 1
    assert summary.loc["income", ["one_way", "two_way"]].tolist() == ["", 0]


def test_printing_gives_the_short_summary(survey):
    printed = str(survey)
    assert "5,000 records in the original data" in printed
    assert "Unique in the original (UiO): 39.3 %" in printed
    assert "worked_abroad" in printed
    assert repr(survey) == "<Assessment of 5,000 original records: 1 synthetic file, 4 keys, 7 targets>"
    frame = pd.DataFrame({"age": [30, 31], "ill": ["y", "n"]})
    assert repr(assess(frame, [frame, frame], keys="age")).endswith(": 2 synthetic files, 1 key, 1 target>")


@pytest.mark.slow
def test_text_shows_the_parts_that_are_asked_for(survey_of_three):
    text = survey_of_three.text("identity", "attribute", "cap", "one_way", "two_way", "exclusions", "comparison")
    for heading in ("Identity disclosure", "Attribute disclosure", "Correct attribution", "One-way", "Two-way"):
        assert heading in text
    assert "mean" in text
    assert "max" in text
    assert f"{survey_of_three.identity.loc['income', 'repU'].mean():.1f}" in text
    with pytest.raises(SettingsError, match="Did you mean 'attribute'"):
        survey_of_three.text("attributes")


def test_notebook_view_escapes_names():
    frame = pd.DataFrame({"<b>k</b>": [1, 2], "<i>t</i>": ["x", "y"]})
    page = assess(frame, frame, keys=["<b>k</b>"])._repr_html_()
    assert "<b>" not in page
    assert "<i>" not in page
    assert "&lt;b&gt;k" in page


def test_spread_gives_mean_least_and_largest(survey_of_three):
    spread = survey_of_three.spread.loc[("marital", "DiSCO")]
    values = survey_of_three.attribute.loc["marital", "DiSCO"]
    assert spread.tolist() == pytest.approx([values.mean(), values.min(), values.max()])


def test_a_mean_with_a_missing_value_is_missing():
    original = pd.DataFrame({"k": [1, 2], "t": ["x", "y"]})
    files = [original, pd.DataFrame({"k": [1, 2, 1, 2], "t": ["x", "y", "y", "x"]})]
    assessment = assess(original, files, keys="k")
    assert assessment.cap["TCAP"].isna().tolist() == [False, True]
    assert assessment.value("TCAP", "t") is None
    assert np.isnan(assessment.spread.loc[("t", "TCAP"), "mean"])


def test_tau_runs_from_dcap_to_disco(survey):
    for target in survey.targets:
        curve = survey.tau.query("target == @target").set_index("tau")["DiSCO"]
        assert (curve.diff().dropna() <= 1e-9).all()
        assert curve[1.0] == pytest.approx(survey.value("DiSCO", target))
        assert curve[0.0] == pytest.approx(survey.value("DCAP_d", target))


def test_every_flag_has_an_exclusion_ready_that_removes_it(survey):
    flags = [*survey.outcome.one_way, *survey.outcome.two_way]
    rules = [flag.exclusion(reason="common knowledge", by="A. Officer") for flag in flags]
    after = assess(examples.path("original"), examples.path("synthetic_1"), **examples.SETTINGS, exclude=rules)
    assert after.outcome.two_way == ()
    flagged = {(flag.target, flag.level) for flag in survey.outcome.one_way}
    assert not flagged & {(flag.target, flag.level) for flag in after.outcome.one_way}
    assert after.without_exclusions().outcome == survey.outcome


def test_flags_tell_the_share_of_the_original(survey):
    flag = next(flag for flag in survey.outcome.one_way if flag.target == "worked_abroad")
    assert flag.percent_original == pytest.approx(100 * flag.disclosive / 5000)


@pytest.mark.slow
def test_without_exclusions_is_the_assessment_with_nothing_left_out(survey_of_three):
    plain = assess(examples.path("original"), [examples.path(f"synthetic_{n}") for n in (1, 2, 3)], **examples.SETTINGS)
    assert survey_of_three.without_exclusions().outcome == plain.outcome
    assert survey_of_three.without_exclusions().settings == plain.settings
    assert plain.without_exclusions() is plain


def test_identity_has_a_row_for_each_target_where_each_leaves_other_records(survey_of_three, survey):
    assert survey.identity.index.tolist() == [1]
    assert survey_of_three.identity.index.names == ["target", "synthesis"]
    assert (
        survey_of_three.identity.loc[("worked_abroad", 1), "UiO"] < survey_of_three.identity.loc[("income", 1), "UiO"]
    )


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")  # so small that levels are missing
def test_classes_of_the_keys_are_counted_by_size():
    original = pd.DataFrame({"k": [1, 2, 2, *[3] * 4, *[4] * 5, *[5] * 19, *[6] * 20, *[7] * 60, None], "t": "x"})
    synthetic = pd.DataFrame({"k": [1, 1, *[3] * 3, *[8] * 10, None], "t": "x"})
    table = assess(original, [synthetic, original], keys="k").class_sizes
    assert table.columns.tolist() == ["table", "synthesis", "size", "n_classes", "n_records", "percent"]
    sizes = ["1", "2", "3 to 4", "5 to 9", "10 to 19", "20 to 49", "50 and more"]
    assert table["size"].tolist() == sizes * 4
    counts = table.groupby(["table", "synthesis"])[["n_classes", "n_records"]].agg(list)
    of_original = [[2, 1, 1, 1, 1, 1, 1], [2, 2, 4, 5, 19, 20, 60]]
    assert counts.loc["original"].values.tolist() == [of_original, of_original]
    assert counts.loc[("synthetic", 1)].tolist() == [[1, 1, 1, 0, 1, 0, 0], [1, 2, 3, 0, 10, 0, 0]]
    assert counts.loc[("synthetic", 2)].tolist() == of_original
    assert table["percent"].iloc[6] == pytest.approx(100 * 60 / 112)
    with_missing_left_out = assess(original, synthetic, keys="k", key_missing="exclude")
    assert with_missing_left_out.class_sizes.loc[0, ["n_classes", "n_records"]].tolist() == [1, 1]
    assert with_missing_left_out.without_exclusions().class_sizes["n_records"].tolist() == (
        table.query("synthesis == 1")["n_records"].tolist()
    )


def test_classes_do_not_depend_on_which_targets_are_looked_at(survey_of_three):
    assert survey_of_three.for_targets(["income"]).class_sizes.equals(survey_of_three.class_sizes)


def test_a_record_saved_before_classes_were_counted_can_be_read(survey, tmp_path):
    path = survey.save(tmp_path / "a.json")
    content = json.loads(path.read_text())
    del content["outcome"]["class_sizes"]
    path.write_text(json.dumps(content))
    loaded = load(path)
    assert loaded.class_sizes.empty
    assert loaded.attribute.equals(survey.attribute)


def test_what_is_saved_is_what_is_loaded(survey_of_three, tmp_path):
    assert load(survey_of_three.save(tmp_path / "a.json")) == survey_of_three


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda content: {**content, "schema_version": 99}, "schema version 99"),
        (lambda content: {**content, "surprise": 1}, "surprise"),
        (lambda content: {key: value for key, value in content.items() if key != "outcome"}, "outcome"),
        (lambda _: [1, 2], "not an object"),
    ],
)
def test_a_record_that_is_not_whole_is_refused(survey, tmp_path, change, said):
    path = survey.save(tmp_path / "a.json")
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    with pytest.raises(RecordError, match=said):
        load(path)


def test_a_record_holds_no_record(survey):
    """Every number of the saved file is a count, a share, or a bound between classes that many records fill."""
    saved = survey.model_dump_json()
    original = examples.read("original")
    assert str(int(original["income"].max())) not in saved
    assert f"{original['income'].max():,.0f}" not in saved


# Uniques ---------------------------------------------------------------------------------------------


def test_replicated_uniques_agree_with_the_measures(survey):
    uniques = replicated_uniques(examples.path("original"), examples.path("synthetic_1"), KEYS)
    measures = survey.identity.loc[1]
    assert (uniques.UiO, uniques.UiS, uniques.repU) == pytest.approx((measures.UiO, measures.UiS, measures.repU))


def test_replicated_rows_are_unique_in_both_files():
    original, synthetic = examples.read("original"), examples.read("synthetic_1")
    uniques = replicated_uniques(original, synthetic, KEYS)
    rows = synthetic.iloc[uniques.replicated_rows]
    assert len(rows) == uniques.replicated == 651
    for file in (original, synthetic):
        sizes = file.groupby(KEYS).size()
        assert (sizes.loc[pd.MultiIndex.from_frame(rows[KEYS])] == 1).all()
    found = synthetic.iloc[uniques.found_rows]
    known = set(original[KEYS].itertuples(index=False, name=None))
    unique = ~synthetic.duplicated(KEYS, keep=False)
    assert len(found) == sum(row in known for row in synthetic.loc[unique, KEYS].itertuples(index=False, name=None))


def test_uniques_do_not_show_rows_when_printed():
    uniques = replicated_uniques(examples.read("original"), examples.read("synthetic_1"), KEYS)
    assert "rows" not in repr(uniques)


def test_uniques_refuse_unknown_keys():
    with pytest.raises(DataError, match="Did you mean 'region'"):
        replicated_uniques(examples.read("original"), examples.read("synthetic_1"), ["regoin"])


# Release size ----------------------------------------------------------------------------------------

SETTINGS = Settings(**{**examples.SETTINGS, "targets": ["income", "marital"]})


def test_the_whole_file_gives_the_assessment(survey):
    series = release_size(examples.path("original"), examples.path("synthetic_1"), SETTINGS, draws=2).table
    whole = series.query("n_synthetic == 5000 and target == 'income'")
    assert whole["DiSCO"].tolist() == pytest.approx([survey.value("DiSCO", "income")] * 2)
    assert set(series["draw"]) == {1, 2}


def test_fewer_records_give_less_away_and_the_same_seed_the_same_figures():
    arguments = (examples.read("original"), examples.read("synthetic_1"), SETTINGS)
    found = release_size(*arguments, sizes=[200, 1000, 5000], draws=3, seed=7)
    assert found == release_size(*arguments, sizes=[200, 1000, 5000], draws=3, seed=7)
    mean = found.table.groupby(["target", "n_synthetic"])["iS"].mean().unstack()
    assert (mean.diff(axis=1).iloc[:, 1:] > 0).all().all()


def test_a_subset_is_what_assess_makes_of_it():
    synthetic = examples.read("synthetic_1")
    settings = Settings(keys=KEYS, targets=["marital"])
    order = np.random.default_rng(3).permutation(len(synthetic))
    series = release_size(examples.read("original"), synthetic, settings, sizes=[500], draws=1, seed=3).table
    part = assess(examples.read("original"), synthetic.iloc[order[:500]], keys=KEYS, targets=["marital"])
    for measure in ("repU", "DiSCO", "TCAP", "DCAP_b"):
        frame = part.identity if measure == "repU" else part.attribute.join(part.cap)
        assert series[measure].item() == pytest.approx(frame[measure].item())


def test_files_of_several_sizes_are_taken_as_they_are():
    files = [examples.read("synthetic_small"), examples.read("synthetic_1")]
    found = release_size(examples.read("original"), files, SETTINGS)
    assert found.table["synthesis"].tolist() == [1, 2, 1, 2]
    assert found.table["n_synthetic"].tolist() == [1000, 5000, 1000, 5000]


def test_without_targets_the_keys_alone_are_measured():
    frame = pd.DataFrame({"age": [30, 31, 41, 41]})
    found = release_size(frame, frame, Settings(keys=["age"], targets=[]), sizes=[1, 4], draws=1)
    assert list(found.table.columns[4:]) == [*IDENTITY]
    assert (found.value("UiO", 1), found.value("repU", 4)) == (50, 50)


def test_figures_of_one_size_are_means_over_the_draws():
    found = release_size(examples.read("original"), examples.read("synthetic_1"), SETTINGS, sizes=[300], draws=3)
    draws = found.table.query("target == 'marital'")
    assert found.value("DiSCO", 300, "marital") == pytest.approx(draws["DiSCO"].mean())
    assert found.value("max_denom", 300, "marital") == draws["max_denom"].max()
    spread = found.spread.set_index(["target", "measure"]).loc[("marital", "DiSCO"), ["mean", "min", "max"]]
    assert spread.tolist() == pytest.approx(draws["DiSCO"].agg(["mean", "min", "max"]).tolist())
    with pytest.raises(SettingsError, match=r"No size 301\. Sizes: 300"):
        found.value("DiSCO", 301, "marital")
    with pytest.raises(SettingsError, match="No target"):
        found.value("DiSCO", 300)


@pytest.mark.parametrize("arguments", [{"sizes": [0]}, {"sizes": [5001]}, {"draws": 0}])
def test_sizes_that_cannot_be_drawn_are_refused(arguments):
    with pytest.raises(SettingsError, match="release_size"):
        release_size(examples.read("original"), examples.read("synthetic_1"), SETTINGS, **arguments)


def test_an_exclusion_of_a_flagged_pair_takes_all_that_the_pair_gives_away():
    files = examples.path("original"), examples.path("synthetic_1")
    assessment = assess(*files, **examples.SETTINGS, targets=["marital"])
    flags = [flag for flag in assessment.outcome.flags if getattr(flag, "key", None) == "age"]
    assert any(flag.disclosive < flag.disclosive_total for flag in flags)
    for flag in flags[:3]:
        rule = flag.exclusion(reason="everybody knows", by="A. Officer")
        after = assess(*files, **examples.SETTINGS, targets=["marital"], exclude=[rule])
        taken = (assessment.value("DiSCO", "marital") - after.value("DiSCO", "marital")) / 100 * 5000
        assert taken == pytest.approx(flag.disclosive_total) == flag.disclosive_in_all
    two_way = assessment.two_way
    assert (two_way["disclosive"] <= two_way["disclosive_total"]).all()
    sums = two_way.groupby(["key", "level"])["disclosive_total"].sum()
    assert (sums <= assessment.value("DiSCO", "marital") / 100 * 5000 + 0.5).all()


def test_tables_of_measures_have_an_index_and_lists_have_none(survey):
    public = {name: getattr(survey, name) for name in dir(survey) if not name.startswith("_")}
    tables = {name: found for name, found in public.items() if isinstance(found, pd.DataFrame)}
    assert {"identity", "attribute", "two_way", "copies", "units"} <= tables.keys()
    indexed = {name: tuple(table.index.names) for name, table in tables.items() if table.index.names != [None]}
    assert indexed == {
        "identity": ("synthesis",),
        "attribute": ("target", "synthesis"),
        "cap": ("target", "synthesis"),
        "summary": ("target",),
        "spread": ("target", "measure"),
    }
    for name in tables.keys() - indexed:
        columns = list(tables[name])
        assert "target" not in columns or columns[0] == "target", name
        assert "target" not in columns or "synthesis" not in columns or columns[1] == "synthesis", name
        assert "target_level" not in columns, name


def test_the_earlier_name_of_a_column_works_for_a_release_and_warns(survey):
    pairs = survey.two_way
    assert "target_level" not in pairs
    with pytest.warns(DeprecationWarning, match="'target_level' is called 'level'"):
        assert pairs["target_level"].equals(pairs["level"])
    with pytest.warns(DeprecationWarning, match="goes with the next release"):
        assert list(pairs[["key", "target_level"]]) == ["key", "target_level"]
