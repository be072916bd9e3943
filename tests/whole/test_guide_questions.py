"""What the guide says under "What an approver asks next" runs."""

import contextlib
import re
import shlex

import pytest

from discoreport import examples
from discoreport.assessment.analyses import ANALYSES
from tests.commands import asked_in, parser, read_configuration
from tests.documents import document

SECTION = document("What an approver asks next")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")  # ages are grouped by nobody here
def test_the_answers_of_the_guide_can_be_had(tmp_path, no_pages, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("original", "synthetic_1", "synthetic_2", "control"):
        examples.read(name).to_csv(f"{name}.csv", index=False)
    several, single = re.findall(r"```python\n(.*?)```", SECTION, re.DOTALL)
    names = {}
    exec(several, names)
    assert [name for name, _ in names["assessment"].analyses.filled()] == ["sensitivity", "control", "groups"]
    exec(single, names)
    assert names["mitigated"].mitigation.steps[0].n_records > 0
    assert [name for name, _ in names["whole"].analyses.filled()] == ["groups", "mitigation"]
    assert (tmp_path / "released.csv").stat().st_size > 0


def test_the_options_and_commands_of_the_guide_are_known(tmp_path):
    table = [line.rsplit("|", 2)[1] for line in SECTION.splitlines() if line.startswith("| ") and "--" in line]
    start = re.search(r"after `discoreport (.*?)`", table[0])[1]
    told = [words for cell in table[1:] for words in re.findall(r"`(--.*?)`", cell)]
    assert len(told) > len(ANALYSES)
    for words in told:
        (tmp_path / "steps.toml").write_text('[[steps]]\nstep = "add variable"\n')
        with contextlib.chdir(tmp_path):
            asked = asked_in(parser().parse_args(shlex.split(f"{start} {words}")), {})
        assert asked or words.startswith("--records-at-risk")
    for command in re.findall(r"^discoreport (.*)$", SECTION, re.MULTILINE):
        parser().parse_args(shlex.split(command))
    (toml,) = re.findall(r"```toml\n(.*?)```", SECTION, re.DOTALL)
    (tmp_path / "a.toml").write_text(toml)
    assert list(read_configuration(tmp_path / "a.toml").analyses) == ["sensitivity", "control"]
