"""The engine against figures worked out elsewhere: the example survey, SD2011 and Adult."""

import functools
import json
from pathlib import Path

import pandas as pd
import pytest

from discoreport import assess
from discoreport.measures import MEASURES

HERE = Path(__file__).parent
ORACLE = HERE.parents[2] / "shared" / "oracle"
EXAMPLE_CASES = HERE / "example_cases.json"
EXAMPLE_DATA = HERE.parents[1] / "discoreport" / "examples"


def load_cases():
    sources = [(EXAMPLE_CASES, EXAMPLE_DATA)] + [
        (ORACLE / name / "cases.json", ORACLE / name) for name in ("sd2011", "adult")
    ]
    for path, folder in sources:
        if not path.exists():
            reason = f"the reference data {folder.name} are not part of the project and are not here"
            yield pytest.param(None, None, marks=pytest.mark.skip(reason=reason), id=folder.name)
            continue
        for case in json.loads(path.read_text())["cases"]:
            yield pytest.param(case, folder, id=f"{folder.name}-{case['id']}")


@functools.cache
def frame(path):
    return pd.read_csv(path)


def frames_of(case, folder):
    return frame(folder / case["original"]), [frame(folder / name) for name in case["synthetic"]]


def as_reference_level(level, variable):
    """Write a level as the reference files do: classes by number, codes by name."""
    if level is not None and variable.classes:
        if level in variable.classes:
            return f"group {variable.classes.index(level)}"
        return f"code {level}"
    return level


@pytest.mark.fast_cases(44)
@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")  # small files leave many levels out
@pytest.mark.parametrize(("case", "folder"), list(load_cases()))
def test_agrees_with_the_reference(case, folder):
    assessment = assess(*frames_of(case, folder), keys=case["keys"], targets=[case["target"]], **case["settings"])
    assert_agrees(assessment, case)


def assert_agrees(assessment, case):
    """Compare an assessment of the case's target with what the case expects."""
    variables = {variable.name: variable for variable in assessment.variables}
    target = variables[case["target"]]
    for synthesis, expected in enumerate(case["expected"], start=1):
        for group, table in (
            ("identity", assessment.identity.loc[synthesis]),
            ("attribute", assessment.attribute.loc[(case["target"], synthesis)]),
            ("cap", assessment.cap.loc[(case["target"], synthesis)]),
        ):
            wanted = {name: float("nan") if value is None else value for name, value in expected[group].items()}
            published = table[[name for name in table.index if not MEASURES[name].may_be_lacking]]
            assert published.to_dict() == pytest.approx(wanted, abs=1e-6, nan_ok=True)

        flags = [flag for flag in assessment.outcome.one_way if flag.synthesis == synthesis]
        if expected["one_way"] is None:
            assert flags == []
        else:
            (flag,) = flags
            found = {
                "level": as_reference_level(flag.level, target),
                "disclosive": flag.disclosive,
                "percent": pytest.approx(flag.percent, abs=1e-6),
            }
            assert expected["one_way"] == found

        pairs = [flag for flag in assessment.outcome.two_way if flag.synthesis == synthesis]
        found = {
            (
                flag.key,
                as_reference_level(flag.key_level, variables[flag.key]),
                as_reference_level(flag.target_level, target),
            ): (
                flag.disclosive,
                flag.key_target_total,
                flag.key_total,
                pytest.approx(flag.percent, abs=1e-6),
            )
            for flag in pairs
        }
        wanted = {
            (pair["key"], pair["key_level"], pair["target_level"]): (
                pair["disclosive"],
                pair["key_target_total"],
                pair["key_total"],
                pair["percent"],
            )
            for pair in expected["two_way"]
        }
        assert found.keys() == wanted.keys()
        for name, figures in wanted.items():
            assert figures == found[name]

        if "exclusions" in expected:
            table = assessment.exclusions.query("synthesis == @synthesis").set_index("table")
            assert table.drop(columns=["target", "synthesis"]).to_dict("index") == expected["exclusions"]
