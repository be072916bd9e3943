"""Altair, imported without what its own imports build in advance and no figure needs."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import ModuleType

_GRAMMARS = "rfc3987_syntax"


@functools.cache
def import_altair() -> None:
    """Import Altair, which imports jsonschema.

    Where a package of Jupyter has brought rfc3987_syntax, jsonschema builds forty grammars as it is imported, which
    takes longer than a whole report; they check addresses in other scripts. Whoever checks one builds them then.
    """
    if "jsonschema" not in sys.modules and _GRAMMARS not in sys.modules and find_spec(_GRAMMARS) is not None:
        stand_in = ModuleType(_GRAMMARS)
        vars(stand_in)["is_valid_syntax"] = _is_valid_syntax
        sys.modules[_GRAMMARS] = stand_in
        try:
            import altair  # noqa: F401
        finally:
            if sys.modules.get(_GRAMMARS) is stand_in:
                del sys.modules[_GRAMMARS]


@contextmanager
def unchecked() -> Iterator[None]:
    """Draw without validating each of a hundred parts again, which takes half the time; tests do that."""
    import_altair()
    from altair.utils.schemapi import debug_mode

    with debug_mode(False):
        yield


def _is_valid_syntax(rule: str, text: str) -> object:
    from rfc3987_syntax import is_valid_syntax

    return is_valid_syntax(rule, text)
