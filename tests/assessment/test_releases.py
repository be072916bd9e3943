"""Several releases of one original side by side."""

import pandas as pd
import pytest
from hypothesis import given

from discoreport import ComparisonWarning, Settings, assess, compare_releases, examples
from discoreport.errors import DataError, SettingsError
from discoreport.measures import MEASURES
from tests.assessment.test_sensitivity import as_figures, settings_of
from tests.commands import command, python_lines
from tests.intruder import IDENTITY
from tests.measures.test_brute_force import attacks, close_to
from tests.records import worst_file, worst_value
from tests.strategies import problems, sometimes

# Files this small leave many levels out, which is not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")


@pytest.mark.slow
@sometimes
@given(problems())
def test_every_release_is_what_an_intruder_counts_in_it(problem):
    original, synthetic = problem.frames()
    releases = {"all": synthetic, **{f"file {number}": one for number, one in enumerate(synthetic, start=1)}}
    found = compare_releases(original, releases, settings_of(problem))
    values = {(one.release, one.target, one.synthesis): as_figures(one.values) for one in found.results}
    assert len(values) == 2 * len(synthetic) * len(problem.targets)
    for target, synthesis, attack in attacks(problem):
        expected = close_to(attack.measures_of_analyses())
        assert values["all", target, synthesis] == expected
        assert values[f"file {synthesis}", target, 1] == expected


@pytest.mark.slow
def test_a_release_has_the_figures_of_the_worst_file_that_an_assessment_has():
    files = {"trees": [examples.path(f"synthetic_{number}") for number in (1, 2)], "leaky": examples.path("leaky")}
    settings = Settings(keys=["sex", "age"], targets=["marital", "smoker"])
    found = compare_releases(examples.path("original"), files, settings)
    for name, of_release in files.items():
        assessment = assess(examples.path("original"), of_release, **settings.model_dump(exclude_unset=True))
        for target in settings.targets:
            for measure in found.measures:
                place = None if MEASURES[measure].group == "identity" else target
                assert found.value(measure, name, target) == pytest.approx(worst_value(assessment, measure, place))
                assert found.file(measure, name, target) == worst_file(assessment, place).synthesis
    assert found.summary["release"].to_list() == ["trees", "trees", "leaky", "leaky"]
    assert found.summary["n_syntheses"].to_list() == [2, 2, 1, 1]
    table = found.side_by_side("DiSCO")
    assert list(table.columns) == ["trees", "leaky"]
    assert table.loc["smoker", "leaky"] == found.value("DiSCO", "leaky", "smoker")
    assert len(found.table) == 6
    assert type(found).model_validate_json(found.model_dump_json()) == found


def test_all_releases_are_measured_by_the_same_groups():
    files = {"one": examples.read("synthetic_1"), "two": examples.read("low_fidelity")}
    settings = Settings(**{**examples.SETTINGS, "targets": ["income"]})
    found = compare_releases(examples.read("original"), files, settings)
    original = found.table.groupby("release")["Dorig"].first()
    assert original["one"] == original["two"]


def test_warnings_name_the_release():
    original = pd.DataFrame({"age": [1, 2], "ill": ["y", "n"]})
    other = pd.DataFrame({"age": [8, 9], "ill": ["y", "n"]})
    with pytest.warns(ComparisonWarning, match="odd: only 0.0 %"):
        compare_releases(original, {"same": original, "odd": other}, Settings(keys=["age"]))


def test_keys_alone_and_wrong_names():
    frame = pd.DataFrame({"age": [1, 2, 2]})
    found = compare_releases(frame, {"copy": frame}, Settings(keys=["age"], targets=[]))
    assert found.measures == IDENTITY
    assert list(found.summary.columns) == ["release", "target", "n_syntheses", "synthesis", "repU"]
    with pytest.raises(SettingsError, match="at least one release"):
        compare_releases(frame, {}, Settings(keys=["age"]))
    with pytest.raises(SettingsError, match="Did you mean 'copy'"):
        found.value("repU", "copi")
    with pytest.raises(SettingsError, match="No measure 'DiSCO'"):
        found.value("DiSCO", "copy")
    with pytest.raises(DataError, match="No column 'sex' in 'copy'"):
        compare_releases(frame.assign(sex=1), {"copy": frame}, Settings(keys=["sex"]))


def test_a_comparison_of_the_assessed_release_alone_is_said_not_to_be_repeated():
    original, synthetic = (examples.path(name) for name in ("original", "synthetic_1"))
    assessment = assess(original, synthetic, keys=["sex", "age"], targets=["smoker"])
    found = assessment.with_analysis(compare_releases(original, {"only": synthetic}, assessment.settings))
    assert command(assessment) is not None
    assert command(found) is None
    assert python_lines(found) == python_lines(assessment) + (
        "# Not repeated: Possible releases. It holds nothing but this release.\n"
    )
