"""What type checkers say of the lines that the documentation shows, in a user's script without plugins."""

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.documents import readme_and_guide

BEFORE = """\
import pandas as pd
from discoreport import *
from discoreport import Exclusion, Settings, assess

assessment = assess(pd.DataFrame(), [pd.DataFrame()], keys=["sex"])
original = synthetic = "file.csv"
settings = Settings(keys=["sex"], targets="income", numeric_groups={"income": [0, 5, 10]}, tau=[0.5, 1])
rules = [Exclusion(target="a", level=1), Exclusion(target="a", level=None, key="b", key_level=2)]
Settings(keys=("sex",), exclude=rules)
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """The Python blocks of README and guide, one after the other."""
    blocks = [
        block for block in re.findall(r"^```python\n(.*?)^```", readme_and_guide(), re.M | re.S) if "..." not in block
    ]
    path = tmp_path_factory.mktemp("user") / "script.py"
    path.write_text("\n".join([BEFORE, *blocks]), encoding="utf-8")
    assert len(blocks) >= 3
    return path


@pytest.mark.slow
def test_mypy_has_nothing_to_say_of_what_readme_and_guide_show(script):
    options = ["--strict", "--config-file=", "--ignore-missing-imports", "--disable-error-code=no-redef"]
    cache = f"--cache-dir={script.parent / 'cache'}"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, cache, "--follow-imports=silent", str(script)],
        capture_output=True, text=True, cwd=script.parent, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("pyright") is None or find_spec("pyright") is not None,
    reason="no pyright that runs without fetching anything",
)
def test_pyright_has_nothing_to_say_of_what_readme_and_guide_show(script):
    done = subprocess.run(
        ["pyright", "--pythonpath", sys.executable, str(script)],
        capture_output=True, text=True, cwd=script.parent, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
