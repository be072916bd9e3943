"""Altair is imported without the grammars that jsonschema would build, and those who need them still get them."""

import subprocess
import sys

import pytest

WITHOUT = """
import sys
from discoreport.charts.drawing.altair_import import import_altair
import_altair()
assert "altair" in sys.modules
assert "rfc3987_syntax" not in sys.modules
from jsonschema import FormatChecker
checker = FormatChecker(["iri"])
checker.check("https://example.org/ä", "iri")
assert not checker.conforms("no address", "iri")
assert "rfc3987_syntax" in sys.modules
"""


@pytest.mark.slow
def test_grammars_are_built_by_whoever_checks_an_address():
    pytest.importorskip("rfc3987_syntax")
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
