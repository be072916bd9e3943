"""No module imports another in a circle, imports for types alone included."""

import graphlib

import grimp
import pytest

GRAPH = grimp.build_graph("discoreport")


@pytest.mark.parametrize("room", ["data", "measures", "charts", "report", "form", "notebook", "cli"])
def test_no_module_imports_another_in_a_circle(room):
    modules = {name for name in GRAPH.modules if f"{name}.".startswith(f"discoreport.{room}.")}
    imports = {name: GRAPH.find_modules_directly_imported_by(name) & modules for name in modules}
    graphlib.TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle
