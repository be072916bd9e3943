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


@pytest.mark.usefixtures("quick")
def test_each_edition_has_a_bundle_of_its_own(form, folder):
    step(form, "Report")
    press(form, "Write bundle")
    internal = (folder / "disclosure-report" / "assessment.json").read_bytes()
    enter(form, "Edition", "external")
    press(form, "Write bundle")
    assert (folder / "disclosure-report-external" / "release.json").is_file()
    assert (folder / "disclosure-report" / "assessment.json").read_bytes() == internal
    press(form, "Write bundle")
    assert "It takes the place of the earlier bundle." in shown(form)


def test_a_signature_in_a_file_is_on_nothing_that_it_does_not_name(form, folder):
    file = folder / "said.toml"
    people = '[[decision.sign_offs]]\nrole = "preparer"\nname = "A"\n[[decision.sign_offs]]\nname = "B"\nfor = "{}"\n'
    file.write_text(people.format(form.assessment.state), encoding="utf-8")
    form.state.read_documentation(str(file))
    assert [one.name for one in form.assessment.signed_for_unknown] == ["A"]
    assert not form.assessment.signed_before
    step(form, "Report")
    form.panel("Report").said.unfold("decision")
    assert "Nothing says which figures and words this is on" in shown(form)
    form.state.decide(conditions="None.")
    assert [one.name for one in form.assessment.signed_for_unknown] == ["A"]
    press(form, "Sign again")
    assert not form.assessment.signed_for_unknown
    assert not form.assessment.signed_before
    form.state.statements.say(title="Another")
    assert [one.name for one in form.assessment.signed_before] == ["A", "B"]
