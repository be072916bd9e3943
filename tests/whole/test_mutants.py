"""Every reader and every document, with something wrong in it: an answer, or an error in one line; nothing else.

`DISCOREPORT_MUTANTS=500` tries that many of each.
"""

import itertools
import json
import os
import shutil
import tomllib

import pandas as pd
import pyreadstat
import pytest
import tomlkit

from discoreport import (
    DiscoReportError,
    Report,
    Settings,
    analyse,
    assess,
    examples,
    mitigate,
    read_documentation,
    read_policy,
)
from tests import mutants
from tests.commands import read_configuration, read_steps, write_configuration
from tests.conftest import STEPS
from tests.data.test_reading import WRITERS
from tests.engines import assess_with, engine_from
from tests.forms import Draft, Saved, read_saved
from tests.pages import PublicRecord
from tests.pages import folder as templates
from tests.records import json_object, parse, whole

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

N = int(os.environ.get("DISCOREPORT_MUTANTS", "10"))
RARE = ("Zwischenau", "1999-12-31")
FRAME = pd.DataFrame(
    {
        "VILLAGE": ["Achterbach", "Zwischenau"] * 10,
        "AGE": range(20),
        "WHEN": pd.to_datetime(["2011-05-01", "1999-12-31"] * 10),
    }
)
READERS = {
    **{name: writer for name, writer in WRITERS.items() if not name.isupper()},
    "portable.por": lambda frame, path: pyreadstat.write_por(frame, str(path)),
}


def tried(work, *, n=N, seed=""):
    """Do something with as many sources of chance; give the words of what could not be done."""
    told, done = [], 0
    for chance in mutants.chances(seed, n):
        try:
            work(chance)
            done += 1
        except DiscoReportError as error:
            told.append(str(error))
    assert told
    assert not [words for words in told if "\n" in words]
    return told


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_read_or_told_of_without_a_value(name, tmp_path):
    path = tmp_path / name
    READERS[name](FRAME, path)
    content = path.read_bytes()
    engines = ("memory", "duckdb") if path.suffix in {".csv", ".parquet"} else ("memory",)

    def read(chance):
        change = chance.choice((mutants.bytes_of, mutants.zip_of)) if path.suffix == ".xlsx" else mutants.bytes_of
        path.write_bytes(change(content, chance))
        assess(path, FRAME, keys=["VILLAGE"], engine=chance.choice(engines))

    assert not [words for words in tried(read, seed=name) if any(value in words for value in RARE)]


def as_json(tree):
    return json.dumps(tree).encode()


def use(assessment, chance):
    """Print an assessment, and write one report in five."""
    str(assessment), assessment.summary, assessment.open_items
    if chance.randrange(5) == 0:
        report = Report(assessment, edition=chance.choice(("internal", "external")))
        assert all((report.html, report.summary, report.tables))


@pytest.mark.parametrize("record", ["small", "analysed", "version 1", "version 2"])
def test_a_damaged_record_is_loaded_or_told_of(record, small, analysed, request):
    old = request.config.rootpath / "tests" / "assessment" / "records" / f"{record.replace(' ', '_')}.json"
    content = old.read_bytes() if old.is_file() else {"small": small, "analysed": analysed}[record].record
    tree = json.loads(content)

    def load(chance):
        changed = mutants.tree_of(tree, chance)
        use(parse(chance.choice((as_json(changed), mutants.bytes_of(content, chance))), "record"), chance)

    tried(load, n=4 * N, seed=record)


def test_a_damaged_record_of_the_external_edition_is_loaded_or_told_of(small):
    tree = json.loads(Report(small, edition="external").record)

    def load(chance):
        content = json_object(as_json(mutants.tree_of(tree, chance)), "record", "a record")
        Report(whole(PublicRecord, content, "record", "record")).html  # noqa: B018  # it is made

    tried(load, n=2 * N)


def test_a_damaged_form_is_loaded_or_told_of(small, tmp_path):
    path = tmp_path / "report.form.json"
    said = read_documentation(examples.FOLDER / "documentation.toml")
    saved = Saved(
        original="a", synthetic=("b",), draft=Draft.of(small.settings), documentation=said, asked={"groups": {}}
    )
    tree = json.loads(saved.model_dump_json())

    def load(chance):
        path.write_bytes(as_json(mutants.tree_of(tree, chance)))
        read_saved(path).draft.settings()

    tried(load, n=4 * N)


def as_toml(path, content, chance):
    """Write a TOML file with something wrong in it."""
    way = chance.choice(("bytes", "lines", "tree"))
    try:
        tree = tomlkit.dumps(mutants.tree_of(tomllib.loads(content.decode()), chance)).encode()
    except (TypeError, ValueError, UnicodeError, tomlkit.exceptions.TOMLKitError):  # TOML has no such value
        way = "lines" if way == "tree" else way
    if way == "bytes":
        tree = mutants.bytes_of(content, chance)
    elif way == "lines":
        tree = mutants.lines_of(content, chance, mutants.odd_value)
    path.write_bytes(tree)
    return path


def test_a_damaged_policy_is_read_or_told_of(small, tmp_path):
    shutil.copy(examples.FOLDER / "logo.svg", tmp_path)
    content = (examples.FOLDER / "policy.toml").read_bytes()
    path = tmp_path / "policy.toml"
    tried(lambda chance: use(small.with_policy(read_policy(as_toml(path, content, chance))), chance), n=4 * N)


def test_a_damaged_documentation_is_read_or_told_of(survey, tmp_path):
    content = (examples.FOLDER / "documentation.toml").read_bytes()
    path = tmp_path / "documentation.toml"

    def read(chance):
        use(survey.with_documentation(read_documentation(as_toml(path, content, chance))), chance)

    tried(read, n=4 * N)


CONFIGURATION = {
    "original": "original.csv",
    "synthetic": ["synthetic.csv"],
    "out": "out",
    "keys": ["village"],
    "targets": ["trade", "age"],
    "numeric_groups": {"age": 4},
    "special_codes": {"age": [5]},
    "target_missing": {"trade": "exclude"},
    "exclude": [{"target": "trade", "level": "Farmer", "key": "village", "key_level": "Achterbach"}],
    "max_denominator": 30,
    "one_way_threshold": [1, 50],
    "tau": [0.5, 0.9],
    "engine": "memory",
    "temporary_directory": ".",
    "analyses": {
        "groups": {"by": ["village"], "smallest": 3},
        "sensitivity": {"candidates": ["age"], "most": 20},
        "uncertainty": {"collection": "sample", "confidence": 0.9},
        "release_size": {"sizes": [5, 10], "draws": 3, "seed": 1},
        "control": {"control": "original.csv"},
        "membership": {"control": "original.csv", "variables": ["village"], "differing": 1, "base_rate": 0.05},
        "releases": {"releases": {"other": ["synthetic.csv"]}, "name": "this"},
        "four_checks": {"words": ["made up"]},
        "mitigation": {"steps": list(STEPS), "synthesis": 1},
        "trade_off": {"steps": list(STEPS), "most": 9},
    },
}
ALL_STEPS = [
    *STEPS,
    {"step": "smooth", "variable": "age", "neighbours": 3, "digits": 0},
    {"step": "limit values", "variable": "age", "bottom": 3, "top": 50.5},
    {"step": "group values", "variable": "age", "groups": 4},
    {"step": "add variable"},
    {"step": "mark names", "prefix": "s_"},
]


@pytest.fixture
def folder(small_files, tmp_path):
    for name, path in zip(("original", "synthetic"), small_files, strict=True):
        pd.read_csv(path).assign(age=lambda frame: range(len(frame))).to_csv(tmp_path / f"{name}.csv", index=False)
    return tmp_path


def test_a_damaged_configuration_is_followed_or_told_of(folder):
    content = tomlkit.dumps(CONFIGURATION).encode()

    def follow(chance):
        (folder / "again.toml").unlink(missing_ok=True)
        given = read_configuration(as_toml(folder / "assessment.toml", content, chance))
        settings, engine = Settings(**given.settings), engine_from(given.engine)
        files, several = given.original, list(given.synthetic)
        write_configuration(folder / "again.toml", files, several, settings, engine, given.analyses, given.out)
        found = assess_with(files, several, settings, engine=engine)
        if chance.randrange(2):
            use(analyse(found, files, several, given.analyses), chance)

    tried(follow, n=4 * N)


def test_damaged_steps_are_followed_or_told_of(folder):
    content = tomlkit.dumps({"steps": ALL_STEPS}).encode()
    settings = Settings(keys=["village"], targets=["trade"])

    def follow(chance):
        steps = read_steps(as_toml(folder / "steps.toml", content, chance))
        mitigate(folder / "original.csv", folder / "synthetic.csv", settings, steps)

    tried(follow, n=4 * N)


def test_damaged_templates_are_filled_or_told_of(small, tmp_path):
    ours = templates() / "report"
    names = sorted(path.relative_to(ours) for path in ours.rglob("*") if path.is_file())

    places = (tmp_path / str(number) for number in itertools.count())

    def fill(chance):
        own, name = next(places), chance.choice(names)
        (own / name).parent.mkdir(parents=True)
        content = (ours / name).read_bytes()
        if chance.randrange(3):
            content = mutants.lines_of(content, chance, mutants.odd_markup)
        else:
            content = mutants.bytes_of(content, chance)
        (own / name).write_bytes(content)
        Report(small, templates=own).html  # noqa: B018  # it is made

    tried(fill)
