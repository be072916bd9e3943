"""What the documents say is so."""

import re
from pathlib import Path

import pytest

from discoreport.cli.parser import parser
from discoreport.measures import MEASURES

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def measures_table():
    rows = [f"| `{m.name}` | {m.stands_for} | {m.meaning} | {m.formula} |" for m in MEASURES.values()]
    return "\n".join(["| measure | stands for | what it counts | formula |", "|---|---|---|---|", *rows])


def test_readme_lists_every_measure_as_the_registry_has_it():
    assert measures_table() in README, measures_table()


@pytest.mark.slow
def test_readme_python_runs(tmp_path, monkeypatch):
    from discoreport import examples

    monkeypatch.chdir(tmp_path)
    for name in ("original", "synthetic_1", "synthetic_2"):
        examples.read(name).to_csv(f"{name}.csv", index=False)
    code, *_ = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names = {}
    exec(code, names)
    exec(re.findall(r"^flag = .*$", README, re.MULTILINE)[0], names)
    assert names["flag"].exclusion(reason="nine in ten say so").level == "No"
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")


def test_readme_commands_parse():
    commands = re.findall(r"^discoreport (.*)$", README, re.MULTILINE)
    assert commands
    for command in commands:
        parser().parse_args(command.split())


def test_every_command_is_in_the_readme():
    commands = parser()._subparsers._group_actions[0].choices
    for name in commands:
        assert f"discoreport {name}" in README


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_measure_has_an_example_by_hand(name):
    assert ">>>" in MEASURES[name].__doc__
