"""Notebooks are exported also where the extra `formulas` is absent."""

import pytest

from tests.notebooks import formulas


@pytest.fixture
def no_formulas(uninstall):
    """Take away what formulas are drawn with."""
    formulas.draw.cache_clear()
    uninstall("ziamath", "latex2mathml")
    yield
    formulas.draw.cache_clear()
