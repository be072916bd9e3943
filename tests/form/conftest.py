"""The form is used in a browser, or by its buttons in a folder of each test; its figures follow a change at once."""

import pytest

from discoreport.form.model import session
from tests.browsers import browser
from tests.forms import Tasks, background_work

__all__ = ["browser"]


@pytest.fixture(scope="session", autouse=True)
def figures_follow():
    """Take no run for a slow one, unless a test says that it was, however slow the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "LIVE", 30)
        yield


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Be in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def drawn(request, monkeypatch):
    """Figures take a while: only tests that are marked so draw them."""
    drawn = []
    if "draws" not in request.keywords:
        monkeypatch.setattr(Tasks, "draw", lambda self, function, then: drawn.append(function))
    return drawn


@pytest.fixture
def progress_at_once(monkeypatch):
    """Show progress after a moment."""
    monkeypatch.setattr(background_work, "LONG", 0.02)


@pytest.fixture
def occupy(monkeypatch):
    """Give what lets the connection to files beyond memory be at work."""
    return lambda: monkeypatch.setattr(Tasks, "may_count", False)
