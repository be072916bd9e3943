"""What the keys alone show, counted without any target."""

from __future__ import annotations

from dataclasses import dataclass

from discoreport.assessment.evaluating import measure_keys
from discoreport.assessment.preparing import missing_keys_of, prepare
from discoreport.assessment.results import ClassSize, Result
from discoreport.assessment.settings import Settings
from discoreport.form.model.open_files import HeldFiles
from discoreport.measures.exclusions import Rules


@dataclass(frozen=True)
class KeyFigures:
    """Distinct combinations of keys in the original, and the identity measures of each synthetic file."""

    n_combinations: int
    n_original: int
    results: tuple[Result, ...]


def count_keys(files: HeldFiles, settings: Settings) -> KeyFigures:
    """Count the keys alone, which is quick.

    Raises
    ------
    SettingsError, DataError
        Where a key won't do.
    """
    keys = [prepare(files.code(name), files.tables, settings).variable for name in settings.keys]
    rules = Rules(missing_keys=missing_keys_of(keys, settings))
    found = measure_keys(files.count(keys).of_keys(), rules)
    sizes: tuple[ClassSize, ...] = found[0][1]
    n_combinations = sum(one.n_classes for one in sizes if one.table == "original")
    return KeyFigures(n_combinations, files.tables[0].n_records, tuple(result for result, _ in found))
