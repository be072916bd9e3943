"""The form is used in a browser; and its figures follow a change, however slow the machine is."""

import pytest

from discoreport.form.model import files_and_runs
from tests.browsers import browser

__all__ = ["browser"]


@pytest.fixture(scope="session", autouse=True)
def figures_follow():
    """Take no run for a slow one, unless a test says that it was."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files_and_runs, "LIVE", 30)
        yield
