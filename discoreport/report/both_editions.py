"""What both editions of the report show: words about the release, whose policy it is under, the glossary."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Literal

from discoreport.assessment.release.documentation import Documentation
from discoreport.assessment.release.policy import Logo
from discoreport.measures import FIGURES, GROUPS, Measure
from discoreport.report.glossary_example import Example, example
from discoreport.version import __version__

METHOD = (
    "Gillian M. Raab, Beata Nowok and Chris Dibben (2024), “Practical privacy metrics for synthetic data”, "
    "arXiv:2406.16826, https://arxiv.org/abs/2406.16826; also a vignette of the R package synthpop"
)
"""The paper whose measures these are."""

EditionName = Literal["internal", "external"]
EDITIONS: tuple[EditionName, ...] = ("internal", "external")


@functools.cache
def maker() -> str:
    """Name what renders a report: the same versions give the same page."""
    libraries = ("altair", "vl-convert-python", "weasyprint")
    return f"discoreport {__version__} ({', '.join(f'{name} {version(name)}' for name in libraries)})"


@dataclass(frozen=True)
class Fact:
    """One thing that was said: which field, its label, and what stands in it."""

    name: str
    label: str
    value: str | datetime.date


class Edition:
    """What the templates of both editions read.

    Attributes
    ----------
    documentation
        What is said of the release; in the external edition only what is for everybody.
    otherwise
        What the report is called after where nobody gave it a title or a data set.
    organisation, marking, logo
        From the policy, or from the folder of templates.
    created
        When the figures were made.
    record
        SHA-256 of the internal record.
    census
        Whether the original is said to have the whole population.
    """

    name: EditionName
    documentation: Documentation
    otherwise: str
    organisation: str
    marking: str
    logo: Logo | None
    created: datetime.datetime
    record: str
    census: bool
    discoreport = __version__
    method = METHOD

    @property
    def title(self) -> str:
        """Of the report."""
        return self.documentation.title or f"Disclosure report: {self.documentation.request.dataset or self.otherwise}"

    @property
    def maker(self) -> str:
        """What renders it; see `maker`."""
        return maker()

    def facts(self, section: str) -> tuple[Fact, ...]:
        """List what was said in one section, field by field."""
        return tuple(
            Fact(name, field.title or name, value)
            for name, field, value in getattr(self.documentation, section).entries()
            if not isinstance(value, Mapping | tuple)
        )

    @property
    def drawings(self) -> dict[str, str]:
        """The figures that stand in the page, as they do, and what a screen reader speaks of each."""
        return {}

    @property
    def glossary(self) -> tuple[tuple[str, tuple[Measure, ...]], ...]:
        """Every measure by group, the excess among those of attributes."""
        return tuple((group, tuple(one for one in FIGURES.values() if one.group == group)) for group in GROUPS)

    @property
    def example(self) -> Example:
        """The glossary's worked example."""
        return example()
