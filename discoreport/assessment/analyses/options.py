"""What can be chosen for each analysis, files and settings apart: one model each, for form, command line and files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, Self, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.fields import FieldInfo

from discoreport.assessment.analyses.four_checks import WORDS
from discoreport.assessment.analyses.mitigation.steps import OF_FILE, Step, Variables, steps_from, written
from discoreport.assessment.analyses.mitigation.trade import MOST as MOST_COMBINATIONS
from discoreport.assessment.analyses.release_size import DRAWS, SEED
from discoreport.assessment.analyses.sensitivity import IDENTITY_AND_ATTRIBUTE
from discoreport.assessment.analyses.sensitivity import MOST as MOST_SUBSETS
from discoreport.assessment.analyses.uncertainty import Collection
from discoreport.assessment.documentation import Documentation
from discoreport.assessment.settings import Names, Real, Whole
from discoreport.data.coding import SMALL_CELL
from discoreport.measures.intervals import CONFIDENCE


def _several(value: object) -> object:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


Confidence = Annotated[
    Real, Field(gt=0, lt=1, title="Confidence", description="confidence of the intervals, above 0 and below 1")
]
Synthesis = Annotated[
    Whole,
    Field(ge=1, title="Synthetic file", description="which synthetic file the steps are applied to, counting from 1"),
]
Steps = Annotated[
    tuple[Step, ...],
    BeforeValidator(steps_from),
    Field(min_length=1, title="Steps", description="what is done to the file, in this order"),
]
Files = Annotated[tuple[Any, ...], BeforeValidator(_several)]

Kind = Literal[
    "file", "files", "steps", "variable", "variables", "names", "levels", "pairs", "choice", "number", "numbers",
    "classes", "text",
]  # fmt: skip
"""How a field is asked for: "files" are files by name, "choice" is one of a few words; "levels", "pairs" of them and
"classes", which are their number or their breaks, belong to steps."""


def kind_of(field: FieldInfo) -> Kind:
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
    if int in parts or float in parts:
        return "classes" if tuple in origins else "number"
    if get_origin(annotation) is tuple:
        return "levels" if type(None) in parts else "names" if str in parts else "steps"
    return "text"


def _within(annotation: Any) -> Iterator[Any]:
    """Give a type, and those that it is made of."""
    yield annotation
    for part in get_args(annotation):
        yield from _within(part)


class Options(BaseModel):
    """The options of one analysis. Descriptions are the help of form and command line."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def described(cls) -> dict[str, str]:
        """Give by option what it means."""
        return {name: field.description or "" for name, field in cls.model_fields.items()}

    def with_files(self, place: Callable[[Any], Any]) -> Self:  # noqa: ARG002  # for those that take files
        """Give the same with each file as a function makes it of the one there is."""
        return self

    def as_said(self, documentation: Documentation) -> Self:  # noqa: ARG002  # for those that are said there, too
        """Give the same with what wasn't chosen, but said of the files."""
        return self

    def plain(self) -> dict[str, Any]:
        """Give every option as a plain value, such as configuration files hold."""
        return {name: _plain(value) for name, value in self}

    def changed(self) -> dict[str, Any]:
        """Give what differs from the defaults, likewise."""
        fields = type(self).model_fields
        return {name: _plain(value) for name, value in self if value != fields[name].default}


class SensitivityOptions(Options):
    """Of `sensitivity`."""

    candidates: Variables = Field(
        (),
        title="Further candidates",
        description="variables, too, that an intruder might know; they are no targets then",
    )
    measures: Names = Field(
        IDENTITY_AND_ATTRIBUTE, title="Measures", description="measures to evaluate, by their published names"
    )
    most: Whole = Field(MOST_SUBSETS, ge=1, title="Most subsets", description="most subsets of the keys to evaluate")


class ControlOptions(Options):
    """Of `excess_over_control`."""

    control: Any = Field(
        title="Control file", description="file with records of the same population that took no part in the synthesis"
    )
    confidence: Confidence = CONFIDENCE

    def with_files(self, place: Callable[[Any], Any]) -> Self:
        """Give the same with the control file as a function makes it."""
        return self.model_copy(update={"control": place(self.control)})


class UncertaintyOptions(Options):
    """Of `uncertainty`."""

    collection: Collection = Field(
        "", title="The original is", description='whether the original has the whole "population" or is a "sample"'
    )
    confidence: Confidence = CONFIDENCE

    def as_said(self, documentation: Documentation) -> Self:
        """Give the same with what is said of the original, where nothing was chosen."""
        return self if self.collection else self.model_copy(update={"collection": documentation.source.collection})


class GroupsOptions(Options):
    """Of `groups`."""

    by: Variables = Field(
        (), title="Groups by", description="variables of the original whose levels are looked at; by default the keys"
    )
    smallest: Whole = Field(
        SMALL_CELL,
        ge=1,
        title="Smallest group",
        description="levels with fewer original records than this are put together",
    )


class ReleaseSizeOptions(Options):
    """Of `release_size`."""

    sizes: Annotated[tuple[Whole, ...], BeforeValidator(_several)] = Field(
        (),
        title="Sizes",
        description="numbers of records to release; by default from a twentieth of the file to all of it",
    )
    draws: Whole = Field(DRAWS, ge=1, title="Draws", description="how many times parts of each size are drawn")
    seed: Whole = Field(SEED, ge=0, title="Seed", description="the same seed draws the same parts")


class ReleasesOptions(Options):
    """Of `compare_releases`."""

    releases: dict[Annotated[str, Field(min_length=1)], Files] = Field(
        min_length=1, title="Other releases", description="other possible releases by name: their files"
    )
    name: str = Field("this release", title="Name of this release", description="what the assessed release is called")

    def with_files(self, place: Callable[[Any], Any]) -> Self:
        """Give the same with the files of each release as a function makes them."""
        placed = {name: tuple(place(file) for file in files) for name, files in self.releases.items()}
        return self.model_copy(update={"releases": placed})


class FourChecksOptions(Options):
    """Of `four_checks`."""

    words: Names = Field(
        WORDS, min_length=1, title="Words", description="words that mark data as synthetic, in any language"
    )


class MitigationOptions(Options):
    """Of `mitigate`."""

    steps: Steps
    synthesis: Synthesis = 1


class TradeOffOptions(Options):
    """Of `trade_off`."""

    steps: Steps
    synthesis: Synthesis = 1
    most: Whole = Field(
        MOST_COMBINATIONS, ge=1, title="Most combinations", description="most combinations of the steps to try"
    )


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return written(value) if isinstance(value, get_args(get_args(Step)[0])) else value
