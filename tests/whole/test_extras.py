"""Each extra alone, in an environment with nothing else, does what it is there for."""

import contextlib
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import urllib.request
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from packaging.requirements import Requirement

from tests.report.test_signing import PASSPHRASE, certificate, container
from tests.servers import environment, notebook

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
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


def needed(declared):
    """Give what is installed here of what is declared, and of what that needs."""
    found, found_of, waiting = {}, {}, [(Requirement(one), "") for one in declared]
    while waiting:
        asked, of_extra = waiting.pop()
        if asked.marker and not asked.marker.evaluate({"extra": of_extra}):
            continue
        try:
            found[asked.name] = distribution(asked.name)
        except PackageNotFoundError:
            pytest.skip(f"{asked.name} is not installed")
        for extra in ({"", *asked.extras}) - found_of.setdefault(asked.name, set()):
            found_of[asked.name].add(extra)
            waiting += [(Requirement(one), extra) for one in found[asked.name].requires or ()]
    return found.values()


@pytest.fixture
def linked(tmp_path):
    """Give what makes an environment of the checkout, and of links to what is installed here and is declared."""

    def linked(extra):
        place = tmp_path / "environment"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
        site = Path(sysconfig.get_path("purelib", "venv", {"base": str(place)}))
        (site / "checkout.pth").write_text(str(ROOT))
        for one in needed([*PROJECT["dependencies"], *EXTRAS[extra]]):
            for file in one.files:
                up = file.parts.count("..")
                if file.parts[0] != "__pycache__" and file.parts[up] != "bin":
                    parts = file.parts[: up + 1] if not up else file.parts
                    link = Path(os.path.normpath(site.joinpath(*parts)))
                    link.parent.mkdir(parents=True, exist_ok=True)
                    if not link.is_symlink():
                        link.symlink_to(one.locate_file(Path(*parts)))
        return place

    return linked


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT]
    subprocess.run(build, check=True, capture_output=True)
    return next(folder.iterdir())


ALONE = [*sorted(EXTRAS.keys() - {"all", "test", "spark"}), pytest.param("spark", marks=pytest.mark.spark)]


@pytest.mark.parametrize("extra", ALONE)
def test_what_an_extra_declares_does_its_job(extra, linked, small_files, tmp_path, officer):
    does_its_job(linked(extra), extra, small_files, tmp_path, officer)


@pytest.mark.generated
@pytest.mark.parametrize("extra", ALONE)
def test_an_extra_that_is_installed_alone_does_its_job(extra, wheel, small_files, tmp_path, officer):
    place = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    command = [place / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*command, f"{wheel}[{extra}]"], check=True)
    does_its_job(place, extra, small_files, tmp_path, officer)


def does_its_job(place, extra, small_files, tmp_path, officer):
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
