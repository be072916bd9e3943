"""What is asked next in a form: options that are chosen, and answers as far as they hold for the latest figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.base import kind_of
from discoreport.assessment.analyses.groups import GroupsOptions
from discoreport.assessment.analyses.result import AnalysisResult
from discoreport.assessment.assessment import Assessment
from discoreport.assessment.progress import Progress
from discoreport.assessment.python_warnings import unwarned
from discoreport.data.coding import SMALL_CELL
from discoreport.errors import SettingsError


@dataclass(frozen=True)
class Answer:
    """What an analysis has found, with what it was asked, and of which targets."""

    result: AnalysisResult
    options: Mapping[str, Any]
    targets: tuple[str, ...]


class Questions:
    """Options and answers, by name of the analysis. Options are plain values, which can be saved; answers are not.

    Parameters
    ----------
    tell
        Called after each change.
    """

    def __init__(self, tell: Callable[[], object] = lambda: None) -> None:
        self.options: dict[str, dict[str, Any]] = {}
        self.answers: dict[str, Answer] = {}
        self._tell = tell

    def chosen(self, name: str) -> dict[str, Any]:
        """Give the options that are chosen for an analysis; the others have their defaults."""
        return self.options.get(name, {})

    def choose(self, name: str, **values: Any) -> None:
        """Choose options of an analysis; an empty value goes back to the default."""
        chosen = {**self.chosen(name), **values}
        self.options[name] = {option: value for option, value in chosen.items() if value not in ("", [], {})}
        self._tell()

    def leave_out(self, variable: str) -> None:
        """Take a variable out of all options that name variables."""
        for name, chosen in self.options.items():
            fields = ANALYSES[name].options.model_fields
            named = [option for option in chosen if kind_of(fields[option]) == "variables"]
            kept = {option: [one for one in chosen[option] if one != variable] for option in named}
            self.options[name] = {option: value for option, value in {**chosen, **kept}.items() if value != []}

    def ask(
        self,
        name: str,
        assessment: Assessment,
        tables: Sequence[object],
        source: Callable[[str], object],
        progress: Progress | None = None,
    ) -> Answer:
        """Run an analysis with the options that are chosen; `enter` puts its answer in place.

        Parameters
        ----------
        name
            Of the analysis.
        assessment
            The latest figures.
        tables
            The original and the synthetic files.
        source
            Gives the file that a text means.
        progress
            Called with steps done, steps in all, and what comes next.

        Raises
        ------
        SettingsError, DataError
            As the analysis; and where the form would have to show levels that few records have.
        """
        one, given = ANALYSES[name], dict(self.chosen(name))
        options = one.chosen(given)
        if isinstance(options, GroupsOptions) and options.smallest < SMALL_CELL:
            raise SettingsError(
                f"smallest: the form shows no level of fewer than {SMALL_CELL} records (got {options.smallest}). "
                "Ask for smaller groups from Python or the command line."
            )
        if progress:
            progress(0, 1, one.title)
        with unwarned():  # the step Data has said so
            found = one.run(
                tables[0],
                tables[1:],
                assessment.settings,
                options.with_files(source).as_said(assessment.documentation),
                progress,
            )
        assessment.with_analysis(found)  # says why, where it isn't known of which table it is
        return Answer(found, given, assessment.targets)

    def enter(self, *answers: tuple[str, Answer]) -> None:
        """Put answers in place."""
        for name, answer in answers:
            self.options.setdefault(name, {})
            self.answers[name] = answer
        self._tell()

    def holds(self, name: str, assessment: Assessment | None) -> bool:
        """Tell whether there is an answer of the files, settings and targets of an assessment."""
        answer = self.answers.get(name)
        if answer is None or assessment is None or answer.targets != assessment.targets:
            return False
        try:
            assessment.with_analysis(answer.result)
        except SettingsError:
            return False
        return True

    def stale(self, name: str, assessment: Assessment | None) -> bool:
        """Tell whether there is an answer that is not to the question as it would be asked now."""
        answer = self.answers.get(name)
        if answer is None:
            return False
        return not self.holds(name, assessment) or dict(answer.options) != self.chosen(name)

    def add_to(self, assessment: Assessment) -> Assessment:
        """Add the answers that hold for an assessment."""
        for name in ANALYSES:
            if self.holds(name, assessment):
                assessment = assessment.with_analysis(self.answers[name].result)
        return assessment
