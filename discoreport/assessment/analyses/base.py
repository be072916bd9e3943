"""What every analysis is made of: options that can be chosen, and its entry in the list of all."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Self, get_args, get_origin

from pydantic import Field
from pydantic.fields import FieldInfo

from discoreport.assessment.analyses.result import AnalysisResult
from discoreport.assessment.engine_choice import name_of_frame
from discoreport.assessment.frozen_model import FrozenModel
from discoreport.assessment.measured import Measured
from discoreport.assessment.progress import Progress
from discoreport.assessment.provenance import Source
from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.settings import Names, Real, Settings, Whole
from discoreport.assessment.toml import validated
from discoreport.errors import SettingsError, require_kind

OF_FILE = "a variable of the files"
"""Marks a field that names variables: they can be chosen from those that the files have."""
Variables = Annotated[Names, OF_FILE]
Confidence = Annotated[
    Real, Field(gt=0, lt=1, title="Confidence", description="confidence of the intervals, above 0 and below 1")
]

FieldKind = Literal[
    "file", "files", "file list", "steps", "variable", "variables", "names", "levels", "pairs", "choice", "number",
    "numbers", "classes", "text", "declared",
]  # fmt: skip
"""How a field is asked for: "files" are files by name, "file list" files without; "choice" is one of a few words;
"levels", "pairs" of them and "classes", which are their number or their breaks, belong to steps; "declared" are lines
of text that mean something; see `InWords`."""
FILES: frozenset[FieldKind] = frozenset({"file", "files", "file list"})
"""Those that name files."""


def kind_of(field: FieldInfo) -> FieldKind:
    """Tell how an option, or a value of a step, is asked for on the command line and in the form."""
    annotation = field.annotation
    parts = list(_within(annotation))
    origins = {get_origin(part) for part in parts}
    if OF_FILE in field.metadata:
        return "variable" if annotation is str else "variables"
    if annotation is Any:
        return "file"
    if get_origin(annotation) is Literal:
        return "choice"
    if dict in origins:
        return "pairs" if type(None) in parts else "files"
    if annotation == tuple[Whole, ...]:
        return "numbers"
    if any(isinstance(part, type) and issubclass(part, InWords) for part in parts):
        return "declared"
    if int in parts or float in parts:
        return "classes" if tuple in origins else "number"
    if annotation == tuple[Any, ...]:
        return "file list"
    if get_origin(annotation) is tuple:
        return "levels" if type(None) in parts else "names" if str in parts else "steps"
    return "text"


def several(value: object) -> object:
    """Take a single value as the only one of several."""
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _within(annotation: Any) -> Iterator[Any]:
    """Give a type, and those that it is made of."""
    yield annotation
    for part in get_args(annotation):
        yield from _within(part)


class Chosen(FrozenModel):
    """What somebody has chosen; refuses what it doesn't know."""

    def plain(self) -> dict[str, Any]:
        """Give everything as plain values, such as configuration files hold."""
        return {name: _plain(value) for name, value in self}


class InWords(FrozenModel):
    """What is chosen in a line of text, as which configuration files and forms hold it: its `str`."""


class Options(Chosen):
    """The options of one analysis. Descriptions are the help of form and command line."""

    @classmethod
    def described(cls) -> dict[str, str]:
        """Give by option what it means."""
        return {name: field.description or "" for name, field in cls.model_fields.items()}

    def with_files(self, place: Callable[[Any], Any]) -> Self:
        """Give the same with each file as a function makes it of the one there is."""
        fields = type(self).model_fields
        return self.model_copy(
            update={
                name: {of: _each_file(files, place) for of, files in value.items()}
                if kind == "files"  # of several, each with a name; else a table says how one file is read
                else _each_file(value, place)
                for name, value in self
                if (kind := kind_of(fields[name])) in FILES
            }
        )

    def as_said(self, documentation: Documentation) -> Self:  # noqa: ARG002  # for those that are said there, too
        """Give the same with what wasn't chosen, but said of the files."""
        return self

    def changed(self) -> dict[str, Any]:
        """Give what differs from the defaults as plain values."""
        fields = type(self).model_fields
        return {name: _plain(value) for name, value in self if value != fields[name].default}


def _each_file(value: Any, place: Callable[[Any], Any]) -> Any:
    """Apply a function to a file, or to each of several."""
    return tuple(map(place, value)) if isinstance(value, tuple) else place(value)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, InWords):
        return str(value)
    return value.plain() if isinstance(value, Chosen) else value


Run = Callable[[object, Sequence[object], Settings, Any, Progress | None], AnalysisResult]
"""Original, synthetic files, settings, options and progress -> result."""


def with_options(function: Callable[..., AnalysisResult]) -> Run:
    """Make what runs a function that takes files and settings as `assess_with`, and its options by their names.

    What is as it is by default is left to the function.
    """
    tells = "progress" in inspect.signature(function).parameters

    def run(
        original: object, synthetic: Sequence[object], settings: Settings, options: Options, progress: Progress | None
    ) -> AnalysisResult:
        fields = type(options).model_fields
        chosen = {name: value for name, value in options if fields[name].is_required() or value != fields[name].default}
        return function(original, list(synthetic), settings, **chosen, **({"progress": progress} if tells else {}))

    return run


@dataclass(frozen=True)
class Analysis:
    """One thing that an approver asks next.

    Parameters
    ----------
    name
        What it is called in the record (`Analyses`), on the command line and in configuration files.
    title, question, tells
        A few words for a heading, the question in the words of an approver, and a sentence on what answers it.
    options
        What can be chosen: a pydantic model whose fields have a description and, where need be, a default.
    runs
        Does it, with options of that model; see `with_options`.
    in_short
        What a result says in a line of plain text, or none; names variables, never a level.
    options_from
        Gives the options of a result, files too, where it doesn't hold them by their names.
    words
        Words of the command line for options that go by one of their own.
    """

    name: str
    title: str
    question: str
    tells: str
    options: type[Options]
    runs: Run
    in_short: Callable[[Any, Measured, Documentation], Iterator[str]]
    options_from: Callable[[Any, Measured], dict[str, Any]] | None = None
    words: Mapping[str, str] = field(default_factory=dict)

    def chosen(self, options: object = None, where: str = "") -> Options:
        """Give the options as a model; the defaults where there are none.

        Parameters
        ----------
        options
            A model of `options`, or names and values for one.
        where
            What they come from, for the error; by default the name.

        Raises
        ------
        SettingsError
            Where an option is unknown, lacking or won't do.
        """
        if isinstance(options, Options):
            return options
        options = {} if options is None else options
        require_kind(options, Mapping, f"{where or self.name}: options must be names and values")
        return validated(self.options, options, where or self.name)  # type: ignore[arg-type]  # a mapping now

    def options_of(self, result: AnalysisResult, assessment: Measured) -> dict[str, Any]:
        """Give the options with which a result came about, by name; without those that name files of their own."""
        return self._held_by(result, assessment, files=False)

    def files_of(self, result: AnalysisResult, assessment: Measured) -> dict[str, Any]:
        """Give those that do, with each file as a `Source`; without those that name none."""
        return {name: found for name, found in self._held_by(result, assessment, files=True).items() if found}

    def _held_by(self, result: AnalysisResult, assessment: Measured, *, files: bool) -> dict[str, Any]:
        fields = self.options.model_fields
        by_name = self.options_from or (lambda result, _: {name: getattr(result, name) for name in fields})
        held = by_name(result, assessment)
        return {name: value for name, value in held.items() if (kind_of(fields[name]) in FILES) is files}

    def lacking(self, options: Mapping[str, Any]) -> list[str]:
        """Name the options that it can't do without and that are not given."""
        fields = self.options.model_fields.items()
        return [name for name, field in fields if field.is_required() and name not in options]

    def run(
        self,
        original: object,
        synthetic: Sequence[object],
        settings: Settings,
        options: Options | Mapping[str, Any] | None = None,
        progress: Progress | None = None,
    ) -> AnalysisResult:
        """Run it.

        Parameters
        ----------
        original, synthetic
            Paths or frames, in memory; the synthetic files of the assessment in their order.
        settings
            Those of the assessment.
        options
            A model of `options`, or names and values for one.
        progress
            Called with steps done, steps in all, and what comes next, where it takes several.

        Returns
        -------
        AnalysisResult
            For `Assessment.with_analysis`.

        Raises
        ------
        DataError, SettingsError
            As its function; and where an option is unknown or won't do.
        """
        return self.runs(original, synthetic, settings, self.chosen(options), progress)


def file_of(synthetic: Sequence[object], synthesis: int) -> object:
    """Give one of the synthetic files of an assessment, counting from 1.

    Raises
    ------
    SettingsError
        Where there is none of this number.
    """
    if synthesis > len(synthetic):
        raise SettingsError(f"synthesis: there is no synthetic file {synthesis}, only {len(synthetic)}.")
    return synthetic[synthesis - 1]


def in_its_place(file: Source, synthesis: int, m: int) -> Source:
    """Name a frame as the assessment does, so that it is known which of several it is."""
    return file if file.path is not None else file.model_copy(update={"name": name_of_frame(synthesis, m)})
