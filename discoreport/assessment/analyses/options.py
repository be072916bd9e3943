"""What can be chosen for each analysis, files and settings apart: one model each, for form, command line and files."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from discoreport.assessment.analyses.four_checks import WORDS
from discoreport.assessment.analyses.mitigation.steps import Names, Step
from discoreport.assessment.analyses.mitigation.trade import MOST as MOST_COMBINATIONS
from discoreport.assessment.analyses.sensitivity import IDENTITY_AND_ATTRIBUTE
from discoreport.assessment.analyses.sensitivity import MOST as MOST_SUBSETS
from discoreport.assessment.analyses.uncertainty import Collection
from discoreport.data.coding import SMALL_CELL
from discoreport.measures.intervals import CONFIDENCE


def _files(value: object) -> object:
    return tuple(value) if isinstance(value, list) else (value,)


Confidence = Annotated[float, Field(gt=0, lt=1, description="confidence of the intervals, above 0 and below 1")]
Synthesis = Annotated[int, Field(ge=1, description="which synthetic file the steps are applied to, counting from 1")]
Steps = Annotated[tuple[Step, ...], Field(min_length=1, description="what is done to the file, in this order")]
Files = Annotated[tuple[Any, ...], BeforeValidator(_files)]


class Options(BaseModel):
    """The options of one analysis. Descriptions are the help of form and command line."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SensitivityOptions(Options):
    """Of `sensitivity`."""

    candidates: Names = Field((), description="variables, too, that an intruder might know; they are no targets then")
    measures: Names = Field(IDENTITY_AND_ATTRIBUTE, description="measures to evaluate, by their published names")
    most: int = Field(MOST_SUBSETS, ge=1, description="most subsets of the keys to evaluate")


class ControlOptions(Options):
    """Of `excess_over_control`."""

    control: Any = Field(description="file with records of the same population that took no part in the synthesis")
    confidence: Confidence = CONFIDENCE


class UncertaintyOptions(Options):
    """Of `uncertainty`."""

    collection: Collection = Field("", description='whether the original has the whole "population" or is a "sample"')
    confidence: Confidence = CONFIDENCE


class GroupsOptions(Options):
    """Of `groups`."""

    by: Names = Field((), description="variables of the original whose levels are looked at; by default the keys")
    smallest: int = Field(SMALL_CELL, ge=1, description="levels with fewer original records than this are put together")


class ReleasesOptions(Options):
    """Of `compare_releases`."""

    releases: dict[str, Files] = Field(min_length=1, description="other possible releases by name: their files")
    name: str = Field("this release", description="what the assessed release is called")


class FourChecksOptions(Options):
    """Of `four_checks`."""

    words: Names = Field(WORDS, min_length=1, description="words that mark data as synthetic, in any language")


class MitigationOptions(Options):
    """Of `mitigate`."""

    steps: Steps
    synthesis: Synthesis = 1


class TradeOffOptions(Options):
    """Of `trade_off`."""

    steps: Steps
    synthesis: Synthesis = 1
    most: int = Field(MOST_COMBINATIONS, ge=1, description="most combinations of the steps to try")
