"""The names that users may rely on."""

import ast
import importlib
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from pydantic import BaseModel

import discoreport
from tests.documents import DOCUMENTS, ROOT

PUBLIC = {
    "Certificate",
    "Documentation",
    "Policy",
    "check_signature",
    "examples",
    "read_documentation",
    "read_policy",
    "verify",
    "write_bundle",
    "Assessment",
    "ComparisonWarning",
    "DisclosureForm",
    "DiscoReportError",
    "Exclusion",
    "File",
    "Report",
    "Settings",
    "analyse",
    "assess",
    "compare_releases",
    "excess_over_control",
    "four_checks",
    "groups",
    "load",
    "membership",
    "mitigate",
    "pooled",
    "release_size",
    "replicated_uniques",
    "sensitivity",
    "trade_off",
    "uncertainty",
    "user_note",
    "utility",
    "write_notebook",
    "write_records_at_risk",
}


def test_public_names_are_these():
    assert set(discoreport.__all__) == PUBLIC
    assert all(hasattr(discoreport, name) for name in PUBLIC)


MODULES = {
    "discoreport.assessment.analyses",
    "discoreport.charts",
    "discoreport.examples",
    "discoreport.examples.exercises",
}
"""Modules beneath the package that README, guide and notebooks use; all others are private."""


HEAVY = {"pandas", "numpy", "pyarrow", "pydantic", "narwhals", "jinja2", "ibis", "altair", "scipy", "tomlkit"}
"""What takes a while to import."""


TESTS = ROOT / "tests"
MOST_PATCHES = 78
"""Places where tests set something of others: a setting, a real file or a real fault often does instead."""


def module_of(name):
    """Give the module that a dotted name is, or that what it names is in."""
    try:
        return importlib.import_module(name).__name__
    except ModuleNotFoundError:
        module, _, what = name.rpartition(".")
        assert hasattr(importlib.import_module(module), what), name
        return module


def test_readme_guide_and_notebooks_use_these_modules_and_no_others():
    pages = [*DOCUMENTS, *(ROOT / "example_notebooks").glob("*.ipynb")]
    named = {name for page in pages for name in re.findall(r"discoreport(?:\.\w+)+", page.read_text(encoding="utf-8"))}
    used = {module_of(name) for name in named - {"discoreport.ComparisonWarning"}}
    assert used - {"discoreport"} == MODULES


def test_tests_take_public_names_from_where_users_do():
    elsewhere = re.compile(r"^from (discoreport\.[\w.]+) import (\([^)]*\)|.+)$", re.MULTILINE)
    found = {
        (path.name, module, name)
        for path in (ROOT / "tests").rglob("*.py")
        for module, names in elsewhere.findall(path.read_text(encoding="utf-8"))
        for name in set(re.findall(r"\w+", names)) & PUBLIC
        if module not in MODULES and callable(getattr(importlib.import_module(module), name))
    }
    assert found == set()


def imported(path):
    """Give the modules of the package that a file takes something from."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("discoreport"):
            for alias in node.names:
                place = ROOT.joinpath(*node.module.split("."), alias.name)
                is_module = place.is_dir() or place.with_suffix(".py").is_file()
                yield f"{node.module}.{alias.name}" if is_module else node.module


def test_tests_take_something_from_these_private_modules_and_from_each_in_one_place():
    """What several tests need of one is imported in a module beside their folders, which they import it from."""
    public = {"discoreport", *MODULES, *(f"discoreport.{name}" for name in ("cli", "errors", "measures", "report"))}
    files = [path for path in TESTS.rglob("*.py") if TESTS / "benchmarks" not in path.parents]
    private = Counter(module for path in files for module in {*imported(path)} - public)
    assert {module for module, n in private.items() if n > 1} == set()
    assert sorted(private) == (TESTS / "private_modules.txt").read_text(encoding="utf-8").split(), (
        "a line less is welcome, one more is not: reach what is tested by a public name"
    )


def test_tests_put_few_things_in_place_of_others():
    patch = re.compile(r"\b\w+\.(?:setattr|setitem|delattr|delitem)\(")
    assert sum(len(patch.findall(path.read_text(encoding="utf-8"))) for path in TESTS.rglob("*.py")) <= MOST_PATCHES


def test_type_checkers_see_every_name_where_it_is_found():
    (block,) = (
        node
        for node in ast.parse(Path(discoreport.__file__).read_text(encoding="utf-8")).body
        if isinstance(node, ast.If)
    )
    seen = {alias.name: node.module for node in block.body for alias in node.names}
    assert seen == {**discoreport._LATER, "examples": "discoreport"}


def test_help_version_and_a_wrong_word_are_told_without_the_libraries_that_commands_need():
    asked = [["--help"], ["--version"], ["asses"], ["--hlep"], ["assess", "--help"], ["completion", "fish"]]
    code = f"""if True:
        import contextlib, sys
        from discoreport.cli import main
        for words in {asked!r}:
            with contextlib.suppress(SystemExit):
                main(words)
        print({HEAVY!r} & {{*sys.modules}}, file=sys.stderr)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Did you mean 'assess'?" in done.stderr
    assert done.stderr.splitlines()[-1] == "set()"


def test_importing_draws_in_no_library_at_all():
    code = f"import sys, discoreport; print({HEAVY!r} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_first_call_draws_in_no_display_library_and_no_engine():
    heavy = {
        "altair",
        "weasyprint",
        "vl_convert",
        "ipywidgets",
        "nbconvert",
        "nbformat",
        "ibis",
        "duckdb",
        "pyspark",
        "polars",
    }
    code = f"import sys; from discoreport import assess, examples, load; print({heavy!r} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_completion_shows_what_may_be_relied_on_and_nothing_else():
    assert {*dir(discoreport)} == PUBLIC | {"__version__"}


def test_an_assessment_shows_no_methods_of_pydantic(survey):
    shown = {name for name in dir(survey) if not name.startswith("_")}
    assert {"summary", "settings", "with_policy", "save"} <= shown
    assert not shown & {name for name in dir(BaseModel) if not name.startswith("_")}
    assert all(hasattr(survey, name) for name in shown)


def test_what_goes_warns_for_a_release_and_still_works(monkeypatch):
    monkeypatch.setitem(discoreport._DEPRECATED, "measure", "discoreport.assessment.assess.assess")
    with pytest.warns(DeprecationWarning, match=r"discoreport\.measure goes .* Use discoreport\.assessment"):
        assert discoreport.measure is discoreport.assess
    assert "measure" not in dir(discoreport)
    with pytest.raises(AttributeError):
        discoreport.unknown  # noqa: B018
