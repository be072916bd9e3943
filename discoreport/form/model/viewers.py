"""Who has a form open: the preparer fills it in, checkers and custodian look at it and sign."""

from __future__ import annotations

from typing import Literal

from discoreport.assessment.release.documentation import CHECKERS, Decision, Role, SignOff
from discoreport.errors import SettingsError, suggest

Viewer = Literal["", "preparer", "first checker", "second checker", "custodian"]
_SIGNS: dict[Viewer, tuple[Role, int]] = {
    "preparer": ("preparer", 0),
    "first checker": ("checker", 0),
    "second checker": ("checker", 1),
    "custodian": ("custodian", 0),
}
"""The role that somebody signs in, and the place among those who sign in it."""
VIEWERS: tuple[Viewer, ...] = tuple(_SIGNS)
LOOKING: tuple[Viewer, ...] = ("first checker", "second checker", "custodian")
"""Those who change nothing but their own signature, and the custodian the decision."""


def viewer_of(name: str) -> Viewer:
    """Give the viewer of a name; "" is whoever does everything.

    Raises
    ------
    SettingsError
        Where there is none of this name.
    """
    found: dict[str, Viewer] = {one: one for one in ("", *VIEWERS)}
    if name not in found:
        raise SettingsError(f"Nobody opens a form as '{name}'. {suggest(name, VIEWERS)}")
    return found[name]


def signatures(decision: Decision) -> list[SignOff]:
    """List the signatures, and an empty one for each role that still has to sign."""
    said = list(decision.sign_offs)
    wanted: list[Role] = ["preparer", *["checker"] * CHECKERS, "custodian"]  # type: ignore[list-item]
    for entry in said:
        if entry.role in wanted:
            wanted.remove(entry.role)
    return [*said, *(SignOff(role=role) for role in wanted)]


def place_of(viewer: Viewer, entries: list[SignOff]) -> int | None:
    """Give the place of the signature that a viewer signs with; None where they have none of their own."""
    if viewer not in _SIGNS:
        return None
    role, nth = _SIGNS[viewer]
    places = [place for place, entry in enumerate(entries) if entry.role == role]
    return places[nth] if nth < len(places) else None
