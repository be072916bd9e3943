"""The runs of a form: the latest figures, and the history that one can return to."""

from __future__ import annotations

from dataclasses import dataclass, replace

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.release import documentation_file
from discoreport.assessment.release.documentation import Run
from discoreport.assessment.results import Flag
from discoreport.assessment.settings import Settings


@dataclass(frozen=True)
class Entry:
    """One run; the assessment is None where the run is known from a saved form only.

    `kept` is False for a run that only followed a change: the next one takes its place.
    """

    run: Run
    assessment: Assessment | None = None
    kept: bool = True


class Runs:
    """The latest result, and all runs so far, the latest last."""

    def __init__(self) -> None:
        self.current: Assessment | None = None
        self.entries: list[Entry] = []

    def enter(self, assessment: Assessment, *, kept: bool = True) -> None:
        """Put a result in place; a run with the same settings as the last is the same run, and is kept."""
        self.current = assessment
        if self.entries and not self.entries[-1].kept:
            self.entries.pop()
        entry = Entry(documentation_file.run_of(assessment), assessment, kept)
        if self.entries and self.entries[-1].run.settings == assessment.settings:
            entry = Entry(self.entries.pop().run, assessment)
        self.entries.append(entry)

    def keep(self) -> None:
        """Keep the latest run, whatever comes after it."""
        if self.entries:
            self.entries[-1] = replace(self.entries[-1], kept=True)

    def complete(self, place: int, assessment: Assessment) -> None:
        """Add the figures to a run of which they were not at hand."""
        self.entries[place] = replace(self.entries[place], assessment=assessment)

    def of(self, settings: Settings) -> Assessment | None:
        """Give the latest figures of the same files with certain settings; None where they are not at hand."""
        now = self.current and (self.current.original, self.current.synthetic)
        for entry in reversed(self.entries):
            found = entry.assessment
            if found is not None and entry.run.settings == settings and (found.original, found.synthetic) == now:
                return found
        return None

    @property
    def earlier(self) -> tuple[Run, ...]:
        """The runs that count as history beside the latest result."""
        return tuple(entry.run for entry in self.entries if entry.kept and entry.assessment is not self.current)

    @property
    def flags(self) -> tuple[Flag, ...]:
        """The flags of the latest result, those first that its exclusions have not dealt with; then the others."""
        current = self.current
        if current is None:
            return ()
        now = current.outcome.flags
        cases = {flag.case for flag in now}
        before = (current.outcome_without_exclusions or current.outcome).flags
        return (*now, *(flag for flag in before if flag.case not in cases))
