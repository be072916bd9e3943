"""The records at risk themselves, for those who may see them: row numbers in a file of their own, nowhere else."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from discoreport.assessment.accept_settings import SettingsGiven, settings_given
from discoreport.assessment.analyses.groups import count_at_risk
from discoreport.assessment.engine_choice import MemoryFiles, read_all
from discoreport.assessment.measure_files import warn_as_assess
from discoreport.assessment.prepare import PreparedFiles, prepare
from discoreport.errors import ConfidentialityWarning
from discoreport.files import write_file

HEADING = "record,target,synthesis,why"


def write_records_at_risk(original: object, synthetic: object, settings: SettingsGiven, path: str | Path) -> Path:
    """Write which original records are at risk: one line a record, target and synthesis.

    The file points at people. It belongs where the original is, and into no report, record or release. No other
    function gives row numbers of the original.

    Parameters
    ----------
    original, synthetic, settings
        As for `groups`.
    path
        A CSV file to write; one that exists is left alone. Where the system allows it, only you can read it.
        Columns: ``record`` (row of the original, the first one is 1, headings not counted), ``target``,
        ``synthesis`` (counting from 1), ``why`` ("disclosed" for DiSCO, "replicated unique" for repU, where
        ``target`` is empty).

    Returns
    -------
    Path
        The file written.

    Raises
    ------
    DataError, SettingsError
        As `assess`.
    OutputError
        Where the file exists or can't be written.

    Warns
    -----
    ConfidentialityWarning
        Always.
    ComparisonWarning
        As `assess` does.
    """
    settings = settings_given(settings)
    tables = read_all(original, synthetic)
    coded = prepare(MemoryFiles(tables), settings)
    path = write_list(coded, Path(path))
    warn_as_assess(tables, coded.settings)
    warnings.warn(caution(path), ConfidentialityWarning, stacklevel=2)
    return path


def write_list(coded: PreparedFiles, path: Path) -> Path:
    """Write the list of records at risk of files that are coded, and warn of nothing."""
    lines = [HEADING]
    told = set()
    for at_risk in count_at_risk(coded):
        if at_risk.synthesis not in told:
            told.add(at_risk.synthesis)
            rows = np.flatnonzero(at_risk.replicated) + 1
            lines += [f"{row},,{at_risk.synthesis},replicated unique" for row in rows]
        if at_risk.disclosed is not None:
            target = '"' + at_risk.target.replace('"', '""') + '"'
            rows = np.flatnonzero(at_risk.disclosed) + 1
            lines += [f"{row},{target},{at_risk.synthesis},disclosed" for row in rows]
    return write_file(path, ("\n".join(lines) + "\n").encode("utf-8"), new=True, private=True)


def caution(path: Path) -> str:
    """Say what the list is, and where it belongs."""
    return f"'{path}' lists records of the original. Keep it where the original is, and delete it after use."
