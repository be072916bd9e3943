"""The organisation's policy: thresholds with their source, checklist, small-cell limit, marking, logo, templates."""

from __future__ import annotations

import base64
import functools
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field, field_validator, model_validator

from discoreport.assessment.frozen_model import FrozenModel
from discoreport.assessment.settings import MOST_COUNTED, NUMBER, LevelText
from discoreport.assessment.toml import given_as, read_toml, validated
from discoreport.errors import SettingsError, require_path, suggest
from discoreport.files import sha256_of
from discoreport.measures import FIGURES, Measure

MEDIA_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".svg": "image/svg+xml"}
LARGEST_LOGO = 500_000
"""Bytes."""


class _Held(FrozenModel):
    model_config = ConfigDict(str_strip_whitespace=True)


def is_risk(measure: Measure) -> bool:
    """Tell whether a threshold can be set for a measure: one in percent that is worse when higher."""
    return measure.unit == "%" and measure.higher_is_worse


class Threshold(_Held):
    """A value that the organisation compares a measure with.

    Parameters
    ----------
    measure
        Published name of a measure in percent that is worse when higher.
    limit
        Percent.
    source
        Where the organisation laid it down.
    """

    measure: str
    limit: Annotated[float, Field(ge=0, le=100), NUMBER]
    source: Annotated[str, Field(min_length=1)]

    @field_validator("measure")
    @classmethod
    def _is_a_risk(cls, name: str) -> str:
        risks = [entry.name for entry in FIGURES.values() if is_risk(entry)]
        if name not in risks:
            raise ValueError(f"no measure '{name}' that a threshold can be set for. {suggest(name, risks)}")
        return name


class ChecklistItem(_Held):
    """One thing to check before a release.

    Parameters
    ----------
    item
        Its name, by which it is answered.
    text
        What has to hold.
    required
        Whether it stays open until it is answered.
    """

    item: Annotated[str, Field(min_length=1)]
    text: Annotated[str, Field(min_length=1)]
    required: bool = True


class Logo(_Held):
    """A picture, held whole, so that a report needs no file.

    Parameters
    ----------
    media_type
        PNG, JPEG or SVG.
    content
        Base64.
    """

    media_type: str
    content: str

    @classmethod
    def read(cls, path: Path) -> Logo:
        """Read a picture.

        Raises
        ------
        SettingsError
            Where it isn't a PNG, JPEG or SVG file, can't be read, or is larger than `LARGEST_LOGO`.
        """
        if path.suffix.lower() not in MEDIA_TYPES:
            raise SettingsError(f"The logo '{path}' must be a PNG, JPEG or SVG file.")
        try:
            content = path.read_bytes()
        except OSError as error:
            raise SettingsError(f"Can't read the logo '{path}': {error.strerror}.") from None
        if len(content) > LARGEST_LOGO:
            raise SettingsError(f"The logo '{path}' has {len(content):,} bytes; at most {LARGEST_LOGO:,} will do.")
        media_type = MEDIA_TYPES[path.suffix.lower()]
        if not _looks_like(content, media_type):
            raise SettingsError(f"The logo '{path}' isn't what its name says: not a picture of type {media_type}.")
        return cls(media_type=media_type, content=base64.b64encode(content).decode("ascii"))

    @property
    def address(self) -> str:
        """The picture as a data address."""
        return f"data:{self.media_type};base64,{self.content}"


def _looks_like(content: bytes, media_type: str) -> bool:
    if media_type == "image/svg+xml":
        return b"<svg" in content
    return content.startswith({"image/png": b"\x89PNG\r\n", "image/jpeg": b"\xff\xd8\xff"}[media_type])


class Policy(_Held):
    """What an organisation lays down for all its releases.

    Parameters
    ----------
    organisation, name, version
        Whose policy, and which.
    thresholds
        Values to compare measures with. They decide nothing.
    small_cell_limit
        The external edition shows no count below this.
    copies
        Percent of the synthetic records: more of them that equal an original record than chance gives are told of.
    sensitive
        Target levels that are sensitive, by variable: how many people with them are given away is told apart.
    checklist
        What to check before a release.
    marking, external_marking
        Stand on every page of the internal edition, and of the external one.
    logo
        Stands on the first page.
    templates
        Folder with own sections, words or looks.
    sha256, file
        Fingerprint and name of the file that it was read from.
    """

    organisation: str = ""
    name: str = ""
    version: str = ""
    thresholds: tuple[Threshold, ...] = ()
    small_cell_limit: Annotated[int, Field(ge=0, le=MOST_COUNTED), NUMBER]
    copies: Annotated[float, Field(ge=0, le=100), NUMBER] = 2.0
    sensitive: dict[str, tuple[LevelText, ...]] = Field({})
    checklist: tuple[ChecklistItem, ...]
    marking: str = ""
    external_marking: str = ""
    logo: Logo | None = None
    templates: str = ""
    sha256: str = ""
    file: str = ""

    @property
    def called(self) -> str:
        """What it is called; "" where nobody gave one, and the one that comes with discoreport counts.

        Examples
        --------
        >>> default_policy().model_copy(update={"name": "Releases", "version": "3", "organisation": "NSO"}).called
        'Releases, version 3 (NSO)'
        >>> default_policy().model_copy(update={"file": "p.toml"}).called
        'unnamed policy, p.toml'
        """
        if not (self.name or self.organisation or self.sha256 or self.file or self.thresholds):
            return ""
        named = self.name or ", ".join(part for part in ("unnamed policy", self.file) if part)
        version = f", version {self.version}" if self.version else ""
        return f"{named}{version}{f' ({self.organisation})' if self.organisation else ''}"

    @model_validator(mode="after")
    def _items_differ(self) -> Self:
        names = [entry.item for entry in self.checklist]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ValueError(f"two items of the checklist are called '{twice[0]}'")
        return self


@functools.cache
def default_policy() -> Policy:
    """Give the policy that counts where an organisation gives none."""
    return Policy(**read_toml(Path(__file__).parent / "policy.toml"))


PolicyGiven = Policy | Mapping[str, Any] | str | os.PathLike[str]
"""A policy, the same by name, or the path of its file."""


def policy_given(given: object) -> Policy:
    """Take a policy in each of the ways in which users give it.

    Raises
    ------
    SettingsError
        Where it is anything else, can't be read, or won't do.
    """
    return given_as(
        Policy, given, read_policy, _made, "a policy must be a Policy, names and values, or the path of a policy file"
    )


def _made(content: dict[str, Any]) -> Policy:
    for name in ("logo", "templates"):
        if isinstance(content.get(name), str):
            raise SettingsError(f"policy: {name} is named in a policy file, from whose folder its path starts.")
    return validated(Policy, _completed(content), "policy")


def _completed(content: Mapping[str, Any]) -> dict[str, Any]:
    """Take what is left out from the policy that comes with discoreport."""
    plain = default_policy()
    return {**{name: getattr(plain, name) for name in ("small_cell_limit", "checklist")}, **content}


def read_policy(path: str | os.PathLike[str]) -> Policy:
    """Read a policy file.

    Parameters
    ----------
    path
        TOML, with the names of `Policy`. What it leaves out is as in the policy that comes with discoreport.

    Returns
    -------
    Policy
        With the logo inside, and the path of the template folder made absolute.

    Raises
    ------
    SettingsError
        Where it can't be read, a name is unknown, or a value won't do; and where logo or template folder
        lie outside the policy's folder.
    """
    path = require_path(path, "policy")
    content: dict[str, Any] = read_toml(path)
    for name in ("sha256", "file"):
        if name in content:
            raise SettingsError(f"'{path}': {name} is taken of the file: leave it out.")
    if "logo" in content:
        content["logo"] = Logo.read(_inside(path, "logo", content["logo"])).model_dump()
    if "templates" in content:
        folder = _inside(path, "templates", content["templates"])
        if not folder.is_dir():
            raise SettingsError(f"'{path}': templates: there is no folder '{folder}'.")
        content["templates"] = str(folder)
    return validated(Policy, {**_completed(content), "sha256": sha256_of(path), "file": path.name}, str(path))


def _inside(policy: Path, name: str, given: object) -> Path:
    """Find a file that a policy names; it must lie in the policy's folder, links followed."""
    if not isinstance(given, str) or not given.strip():
        raise SettingsError(f"'{policy}': {name} must be a path (got {given!r}).")
    folder = policy.parent.resolve()
    try:
        found = (folder / given).resolve()
        found.exists()
    except (OSError, RuntimeError, ValueError) as error:  # too long, a ring of links, signs that no path has
        raise SettingsError(f"'{policy}': {name} can't be a path: {error} (got {given!r}).") from None
    if not found.is_relative_to(folder):
        raise SettingsError(f"'{policy}': {name} must lie beside the policy or below it (got {given!r}).")
    return found
