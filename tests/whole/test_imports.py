"""No module imports another in a circle, imports for types alone included."""

import graphlib
from pathlib import Path

import grimp

from discoreport import charts

GRAPH = grimp.build_graph("discoreport")


def test_no_module_imports_another_in_a_circle():
    imports = {name: GRAPH.find_modules_directly_imported_by(name) for name in GRAPH.modules}
    graphlib.TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle


def test_a_figure_is_a_file_and_its_line():
    files = {path.stem for path in Path(charts.__file__).parent.glob("*.py") if "\nCHART = " in path.read_text()}
    assert files == set(charts.CHARTS), "a file of discoreport/charts that no line of charts/__init__.py names"
