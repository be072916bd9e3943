"""Files and frames as the engine sees them."""

# ruff: noqa: F401  # what several tests take from private modules, they take from here

import pytest

from discoreport import DiscoReportError, assess, files
from discoreport.data.coding import Variable, code_variable
from discoreport.data.readers.read import _READERS, read
from discoreport.data.table import Table
from discoreport.files import write_file


def disco(assessment, target="target", synthesis=1):
    """Give the DiSCO of a target by a synthetic file."""
    return assessment.attribute.loc[(target, synthesis), "DiSCO"]


def findings(assessment, variable=None):
    """Name what was found when the files were compared, or when a variable of theirs was."""
    table = assessment.comparison
    return set(table["finding"] if variable is None else table.loc[table["variable"] == variable, "finding"])


def message_of(*arguments, **settings):
    """Say why files or settings are refused."""
    with pytest.raises(DiscoReportError) as error:
        assess(*arguments, **settings)
    return str(error.value)
