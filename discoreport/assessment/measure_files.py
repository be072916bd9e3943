"""Files and settings -> all that is measured of them and said of the files, before it is an assessment.

Analyses know no assessments, but warn as `assess` does: by what is found here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from discoreport.assessment.copy_findings import compared, exceeding, whole_records
from discoreport.assessment.doubts_across_variables import Pairs, keys_together, repeated, worse_than_a_guess
from discoreport.assessment.engine_choice import Files, MemoryFiles
from discoreport.assessment.evaluate_measures import Collected, measure_keys, no_shared_keys, nothing_left, shortened
from discoreport.assessment.measured import Measured
from discoreport.assessment.prepare import excludes, missing_keys_of, prepare, rules_for
from discoreport.assessment.progress import Progress, Steps
from discoreport.assessment.provenance import Provenance, Source
from discoreport.assessment.python_warnings import is_unwarned, warn_of
from discoreport.assessment.release.policy import default_policy
from discoreport.assessment.settings import Settings
from discoreport.assessment.unit_risks import unit_risks
from discoreport.assessment.without_unit import WithoutUnit
from discoreport.data.findings.finding import Finding
from discoreport.data.table import Table
from discoreport.measures.cells import Target
from discoreport.measures.exclusions import Rules


class Beside(Protocol):
    """What takes the cells while they are counted, for what several files tell together."""

    def of_keys(self, files: Sequence[Target], rules: Rules) -> None:
        """Take the cells of the keys alone, one a file."""

    def of_target(self, name: str, files: Sequence[Target], rules: Rules) -> None:
        """Take the cells of one target, one a file."""


def measure_files(
    files: Files, settings: Settings, *, progress: Progress | None = None, beside: Beside | None = None
) -> Measured:
    """Do what `assess` does with files that are open already; it warns of nothing.

    Parameters
    ----------
    files
        In any engine; they stay open.
    settings, progress
        As for `assess_with`.
    beside
        Is given the cells, too.

    Raises
    ------
    DataError, SettingsError
        As `assess`.
    """
    prepared = prepare(files, settings)
    files, settings, tables = prepared.files, prepared.settings, prepared.tables
    targets = settings.targets or ()
    tell = Steps(progress, len(settings.keys) + len(targets) * len(tables) + 1)
    findings = [*prepared.of_files()]

    keys, summaries, whole = [], [], []
    for name in settings.keys:
        tell.next(f"reading {name}")
        key = prepared.variable(name)
        keys.append(key.variable)
        summaries.append(key.summary)
        whole.append(compared(key.coded))
        findings += key.findings()
    counter = files.count(keys, prepared.unit)
    of_missing = Rules(missing_keys=missing_keys_of(keys, settings))
    alone = WithoutUnit(files, keys, settings, of_missing)  # first, here and below: engines keep the last cells alone
    of_keys = counter.of_keys()
    findings += [*no_shared_keys(of_keys), *keys_together(of_keys, keys), *repeated(of_keys)]
    together = Pairs(keys)
    for synthesis, cells in enumerate(of_keys, start=1):
        together.add(cells, synthesis)
    measured = measure_keys(of_keys, of_missing)
    if beside is not None:
        beside.of_keys(of_keys, of_missing)
    leaves_out = excludes(settings)
    measured_in_full = measure_keys(of_keys, Rules()) if leaves_out else []
    kept, full = (
        Collected(unit_risks(counter.of_units(of_missing.missing_keys), keys)),
        Collected(unit_risks(counter.of_units(), keys) if leaves_out else ()),
    )

    for name in targets:
        tell.next(f"counting {name}")
        target = prepared.variable(name)
        summaries.append(target.summary)
        whole.append(compared(target.coded))
        findings += target.findings()
        rules = rules_for(target.variable, keys, settings)
        alone.add(target.variable, rules)
        counted = counter.of_target(target.variable)
        if beside is not None:
            beside.of_target(name, counted, rules)
        for synthesis, cells in enumerate(counted, start=1):
            tell.next(f"measuring {name}, synthesis {synthesis}")
            together.add(cells, synthesis, target.variable)
            kept.add(name, synthesis, target.variable, cells, rules, settings)
            findings += worse_than_a_guess(target.variable, cells, kept.results[-1])
            if rules.any:
                full.add(name, synthesis, target.variable, cells, Rules(), settings)
            elif leaves_out:
                full.take(kept)
    findings += together.findings()
    tell.next("comparing whole records")
    copies, told = whole_records(files, whole, prepared.unit)
    findings += [
        *told,
        *alone.higher([*(one for one, _ in measured), *kept.results]),
        *nothing_left(measured, kept.results),
        *shortened(kept.two_way),
    ]
    files.require_unchanged()
    tell.done()
    return Measured(
        settings=settings,
        original=Source.of(tables[0]),
        synthetic=tuple(Source.of(table) for table in tables[1:]),
        variables=tuple(summaries),
        outcome=kept.outcome(measured, alone.results),
        outcome_without_exclusions=full.outcome(measured_in_full, alone.results_in_full) if leaves_out else None,
        whole_records=copies,
        findings=tuple(findings),
        provenance=Provenance.now(files.engine),
    )


def warn_as_assess(tables: Sequence[Table], settings: Settings, *, findings: Iterable[Finding] = ()) -> None:
    """Warn whoever called what calls this as `assess` does of these files; measure nothing where nobody is to be told.

    Parameters
    ----------
    tables
        In memory, the original first.
    settings
        As for `assess_with`.
    findings
        What else is to be warned of; said first, as only the first are shown.
    """
    if not is_unwarned():
        found = doubts_of(MemoryFiles(tables), settings)
        warn_of(list(dict.fromkeys([*findings, *found])), stacklevel=3)


def doubts_of(files: Files, settings: Settings) -> list[Finding]:
    """Give what `assess` warns of; copies of whole records by the policy that counts where none is given."""
    found = measure_files(files, settings)
    copied = exceeding(found.whole_records, default_policy().copies)
    return [one for one in (*found.findings, *copied) if one.severity == "warning"]
