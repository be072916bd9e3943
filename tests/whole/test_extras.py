"""Each extra alone, in an environment with nothing else, does what it is there for."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from tests.report.test_signing import PASSPHRASE, certificate, container
from tests.servers import environment, notebook

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
ASSESSED = """
from discoreport import assess
found = assess({0!r}, {1!r}, keys=["village"], engine={2!r})
assert found.provenance.engine == {2!r} and found.value("DiSCO", "trade") > 0
"""
FILES = """
import pandas, pyreadstat
frame = pandas.read_csv({0!r})
frame.to_excel("a.xlsx", index=False)
for name in ("sav", "dta", "xpt"):
    getattr(pyreadstat, {{"xpt": "write_xport"}}.get(name, f"write_{{name}}"))(frame, f"a.{{name}}")
from discoreport import assess
for name in ("xlsx", "sav", "dta", "xpt"):
    assert assess(f"a.{{name}}", frame, keys=["village"]).value("DiSCO", "trade") > 0
"""
SIGNED = """
from discoreport import Certificate, Report, assess, check_signature
from discoreport.report.bundle import contents, signed
made = signed(contents(Report(assess({0!r}, {1!r}, keys=["village"]))), Certificate({2!r}, {3!r}))
assert check_signature(made["report.pdf"]).intact
"""
DRAWN = """
from discoreport.notebook.formulas import draw
assert "<img" in draw("x^2", display=True)
"""
JOBS = {"files": FILES, "duckdb": ASSESSED, "spark": ASSESSED, "sign": SIGNED, "formulas": DRAWN}


@pytest.fixture
def officer(tmp_path):
    key = ec.generate_private_key(ec.SECP256R1())
    return container(tmp_path / "officer.p12", key, certificate(key))


@contextlib.contextmanager
def own_page(place, folder):
    """The form as a page of its own; gives its address."""
    command = [place / "bin" / "python", "-m", "discoreport", "form", "--no-browser"]
    piped = subprocess.PIPE
    started = subprocess.Popen(command, cwd=folder, env=environment(folder), stdout=piped, stderr=piped, text=True)
    try:
        line = started.stdout.readline()
        yield re.search(r"http://\S+", line)[0]
    finally:
        started.terminate()
        started.communicate(timeout=30)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """An environment with the wheel, and no extra; also gives the wheel."""
    made = tmp_path_factory.mktemp("extras")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", made / "dist", ROOT]
    subprocess.run(build, check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", made / "plain"], check=True)
    (wheel,) = (made / "dist").iterdir()
    install(made / "plain", wheel)
    return made / "plain", wheel


def install(place, what):
    command = [place / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", what]
    subprocess.run(command, check=True)


ALONE = sorted(EXTRAS.keys() - {"all", "test", "spark"})


@pytest.mark.parametrize("extra", [*ALONE, pytest.param("spark", marks=pytest.mark.spark)])
def test_an_extra_alone_does_its_job(extra, plain, small_files, tmp_path, officer):
    place, (before, wheel) = tmp_path / "environment", plain
    shutil.copytree(before, place, symlinks=True, copy_function=os.link)  # quicker than another installation
    install(place, f"{wheel}[{extra}]")
    files = [str(path) for path in small_files]
    if extra in JOBS:
        more = [str(officer), PASSPHRASE] if extra == "sign" else [extra]
        command = [place / "bin" / "python", "-c", JOBS[extra].format(*files, *more)]
        subprocess.run(command, cwd=tmp_path, check=True)
    elif extra == "app":
        with own_page(place, tmp_path) as address, urllib.request.urlopen(address, timeout=300) as page:
            assert page.status == 200
            assert b"application/vnd.jupyter.widget-view+json" in page.read()
    else:
        assert extra == "lab"
        notebook(tmp_path / "form.ipynb", "from discoreport import DisclosureForm\nDisclosureForm()")
        execute = [
            "-m",
            "nbconvert",
            "--execute",
            "--to",
            "notebook",
            "--output",
            "done.ipynb",
            "form.ipynb",
        ]
        its_own = environment(tmp_path) | {"PATH": f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}"}  # of its kernel
        for words in (["-m", "jupyterlab", "--version"], execute):
            subprocess.run([place / "bin" / "python", *words], cwd=tmp_path, env=its_own, check=True)
        assert "widget-view" in (tmp_path / "done.ipynb").read_text(encoding="utf-8")
