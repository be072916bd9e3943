"""No module imports another in a circle, and what is a room has all of its parts."""

import graphlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

import discoreport
from discoreport import Settings, charts
from discoreport.assessment import analyses
from discoreport.assessment.analyses import ANALYSES, Analyses
from discoreport.assessment.option_notation import CommandOption

GRAPH = grimp.build_graph("discoreport")
ROOT = Path(discoreport.__file__).parents[1]


def rooms(folder, entered):
    """Give the files and folders that enter something of their name into the list of a package."""
    files = [path for path in folder.rglob("*.py") if f"\n{entered} = " in path.read_text(encoding="utf-8")]
    return {path.parent.name if path.stem == "__init__" else path.stem: path for path in files}


def test_no_module_imports_another_in_a_circle():
    imports = {name: GRAPH.find_modules_directly_imported_by(name) for name in GRAPH.modules}
    graphlib.TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle


def test_a_figure_is_a_file_and_its_line():
    files = set(rooms(Path(charts.__file__).parent, "CHART"))
    assert files == set(charts.CHARTS), f"discoreport/charts/__init__.py: no line for {files - set(charts.CHARTS)}"


ROOMS = rooms(Path(analyses.__file__).parent, "ANALYSIS")


@pytest.mark.parametrize("name", sorted({*ROOMS, *ANALYSES, *Analyses.model_fields}))
def test_an_analysis_has_all_of_its_parts(name):
    listed = Path(analyses.__file__).relative_to(ROOT)
    assert name in ROOMS, f"{listed.parent}/{name}.py: there is no such room with an ANALYSIS"
    room = ROOMS[name].relative_to(ROOT)
    assert name in Analyses.model_fields, f"{listed}: Analyses has no field {name} for what {room} finds"
    described = ANALYSES[name].options.described()
    assert described, f"{room}: there are no options"
    assert all(described.values()), f"{room}: an option without a description"
    needed = [ROOT / f"templates/report/sections/analyses/{name}.html"]
    if name != "four_checks":  # a list of questions and answers has no figure
        needed.append(ROOT / f"discoreport/charts/{name}.py")
        assert name in charts.CHARTS, f"discoreport/charts/__init__.py: no line for {name}"
    for path in needed:
        assert path.exists(), f"{path.relative_to(ROOT)}: is lacking"


def test_an_analysis_without_its_entry_is_named_with_its_file(tmp_path):
    ignored = shutil.ignore_patterns("__pycache__", "*.gz")
    package = shutil.copytree(ROOT / "discoreport", tmp_path / "discoreport", ignore=ignored)
    room = package / "assessment/analyses/trade_off.py"
    room.write_text(re.sub(r"^ANALYSIS = ", "ENTRY = ", room.read_text(encoding="utf-8"), flags=re.MULTILINE))
    imported = [sys.executable, "-c", "import discoreport.assessment.analyses"]
    run = subprocess.run(imported, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.stderr.endswith(f"ImportError: {room}: it has no ANALYSIS that is called 'trade_off'.\n")


@pytest.mark.parametrize("name", Settings.model_fields)
def test_a_setting_has_all_of_its_parts(name):
    file, field = "discoreport/assessment/settings.py", Settings.model_fields[name]
    assert field.description, f"{file}: {name} has no description"
    assert any(isinstance(one, CommandOption) for one in field.metadata), f"{file}: {name} has no CommandOption"
    others = (ROOT / "tests/cli/test_command_line.py").read_text(encoding="utf-8")
    assert f'\n    "{name}": ' in others, f"tests/cli/test_command_line.py: OTHERS has no value of {name}"
