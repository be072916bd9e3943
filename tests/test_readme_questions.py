"""What the README says under "What an approver asks next" runs."""

import re
from pathlib import Path

import pytest

from discoreport import examples

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")  # ages are grouped by nobody here
def test_the_answers_of_the_readme_can_be_had(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("original", "synthetic_1", "synthetic_2", "control"):
        examples.read(name).to_csv(f"{name}.csv", index=False)
    section = README.split("## What an approver asks next")[1].split("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    names = {}
    exec(code, names)
    assert names["mitigated"].mitigation.steps[0].n_records > 0
    assert [name for name, _ in names["whole"].analyses.filled()] == ["groups", "mitigation"]
    assert (tmp_path / "released.csv").stat().st_size > 0
