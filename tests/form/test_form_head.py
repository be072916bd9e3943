"""What the form says wherever one is in it: figures, thresholds, exclusions, what is open."""

import pytest

from discoreport import DisclosureForm
from discoreport.form.tasks import Tasks
from tests.forms import enter, press, shown, step

pytestmark = pytest.mark.usefixtures("short_pdf")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Tasks, "draw", lambda *_: None)
    return tmp_path


@pytest.fixture
def form(small_files):
    made = DisclosureForm(*small_files)
    made.state.change(keys=("village",), targets=("trade",), two_way_threshold=(1, 50.0))
    made.tasks.run()
    return made


def policy_file(folder, content):
    path = folder / "house.toml"
    path.write_text(content, encoding="utf-8")
    return str(path)


THRESHOLD = '[[thresholds]]\nmeasure = "{}"\nlimit = {}\nsource = "manual"\n'


def test_thresholds_are_shown_where_the_figures_are(form, folder):
    step(form, "Results")
    assert "Thresholds: none set. Policy: the one that comes with discoreport." in shown(form)
    both = THRESHOLD.format("DiSCO", 5) + THRESHOLD.format("UiO", 99)
    form.state.statements.use_policy(policy_file(folder, both))
    step(form, "Results")
    assert "Thresholds: 1 above, 1 not above." in shown(form)
    assert "Policy: unnamed policy, house.toml." in shown(form)


def test_a_policy_file_without_a_name_is_no_missing_policy(form, folder):
    step(form, "Report")
    enter(form, "Policy file", policy_file(folder, "copies = 3\n"))
    assert "Policy in force: unnamed policy, house.toml; 0 thresholds" in shown(form)
    press(form, "Write HTML")
    page = (folder / "disclosure-report-internal.html").read_text(encoding="utf-8")
    assert "No policy was given" not in page
    assert "Policy: unnamed policy, house.toml. It sets no thresholds." in page
