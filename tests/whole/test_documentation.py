"""What the documents say is so."""

import re

import pytest

from discoreport.measures import MEASURES
from tests import sentences
from tests.commands import parser
from tests.documents import DOCUMENTS, README, ROOT, pages, readme_and_guide

WRITTEN = readme_and_guide()


def measures_table():
    rows = [f"| `{m.name}` | {m.stands_for} | {m.meaning} | {m.formula} |" for m in MEASURES.values()]
    return "\n".join(["| measure | stands for | what it counts | formula |", "|---|---|---|---|", *rows])


def test_the_guide_lists_every_measure_as_the_registry_has_it():
    assert measures_table() in WRITTEN, f"discoreport/guide/numbers.md: the table is\n{measures_table()}"


@pytest.mark.slow
def test_the_python_of_readme_and_guide_runs(tmp_path, monkeypatch):
    from discoreport import examples

    monkeypatch.chdir(tmp_path)
    for name in ("original", "synthetic_1", "synthetic_2"):
        examples.read(name).to_csv(f"{name}.csv", index=False)
    code, *_ = re.findall(r"```python\n(.*?)```", WRITTEN, re.DOTALL)
    names = {}
    exec(code, names)
    exec(re.findall(r"^flag = .*$", WRITTEN, re.MULTILINE)[0], names)
    assert names["flag"].exclusion(reason="nine in ten say so").level == "No"
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")


def test_the_commands_of_readme_and_guide_parse():
    commands = re.findall(r"^discoreport (.*)$", WRITTEN, re.MULTILINE)
    assert commands
    for command in commands:
        parser().parse_args(command.split())


def test_every_command_is_in_readme_or_guide():
    commands = parser(whole=True)._subparsers._group_actions[0].choices
    for name in commands:
        assert f"discoreport {name}" in WRITTEN


def test_the_readme_is_short_and_leads_to_every_page_of_the_guide():
    readme = README.read_text(encoding="utf-8")
    assert readme.count("\n") <= 250
    for topic, page in pages().items():
        led = f"[{page.title}](discoreport/guide/{topic}.md)" if page.path else f"`discoreport guide {topic}`"
        assert f"| {led} | {page.about} |" in readme


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_links_and_pictures_lead_to_files_that_there_are(path):
    led = re.findall(r"\]\((?!https?:)([^)#\s]+)\)", path.read_text(encoding="utf-8"))
    assert [to for to in led if not (path.parent / to).exists()] == []
    assert all((path.parent / to).resolve().is_relative_to(ROOT) for to in led)


def test_the_lines_to_begin_with_are_those_of_the_guide():
    blocks = re.findall(r"^```\w+\n.*?^```", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    begin = [block for block in blocks if "original.csv" in block and "report report/" not in block]
    assert len(begin) == 3
    assert [block for block in begin if block not in "".join(page.text for page in pages().values())] == []


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_measure_has_an_example_by_hand(name):
    assert ">>>" in MEASURES[name].__doc__


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_what_a_page_says_in_figures_is_what_the_program_does(path, capsys):
    if path.stem == "synthpop" and not (ROOT.parent / "shared" / "oracle" / "adult").is_dir():
        pytest.skip("the reference data are not here")
    text = path.read_text(encoding="utf-8")
    exec(sentences.lines(path.stem), {"page": text})
    assert sentences.wrong(text, capsys.readouterr().out) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_every_figure_of_a_page_is_computed_given_or_from_what_it_names(path):
    text = path.read_text(encoding="utf-8")
    assert sentences.unfounded(path.stem, text) == []
    for begin, source in sentences.SENTENCES.get(path.stem, {}).get("blocks", {}).items():
        assert sentences.block(text, begin)
        assert (ROOT / source).is_file()
        module = source.removesuffix(".py").replace("/", ".")
        assert source.startswith("tests/benchmarks") <= (source in text or module in text), source
