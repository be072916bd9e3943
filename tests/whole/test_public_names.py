"""The names that users may rely on."""

import subprocess
import sys

import discoreport

PUBLIC = {
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
    "mitigate",
    "release_size",
    "replicated_uniques",
    "sensitivity",
    "trade_off",
    "uncertainty",
    "user_note",
    "write_notebook",
    "write_records_at_risk",
}


def test_public_names_are_these():
    assert set(discoreport.__all__) == PUBLIC
    assert all(hasattr(discoreport, name) for name in PUBLIC)


def test_importing_draws_in_no_display_library_and_no_engine():
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
    code = f"import sys, discoreport; print({heavy!r} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
