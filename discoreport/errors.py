"""The errors and warnings of discoreport, and the words that help a user to mend them."""

from __future__ import annotations

import contextlib
import difflib
import importlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType, UnionType
from typing import cast

from discoreport.printable import in_one_line


class _Told(Exception):  # noqa: N818  # what errors and warnings have in common
    def __str__(self) -> str:
        """Say it so that names in it steer neither screen nor log."""
        return in_one_line(super().__str__())


class DiscoReportError(_Told):
    """Base of every error that discoreport raises on purpose."""


class DataError(DiscoReportError, ValueError):
    """A file or a frame can't be assessed as it is."""


class SettingsError(DiscoReportError, ValueError):
    """A setting is unknown, out of range, or contradicts another."""


class RecordError(DiscoReportError, ValueError):
    """A saved assessment can't be read."""


class OutputError(DiscoReportError, OSError):
    """A file or folder can't be written."""


class BrokenTemplateError(DiscoReportError, ValueError):
    """A template of an organisation can't be filled."""


class MissingPackageError(DiscoReportError, ImportError):
    """An optional package, or a library of the operating system, is not installed."""


class ComparisonWarning(_Told, UserWarning):
    """The two files don't match well enough to take low figures at face value."""


class ConfidentialityWarning(_Told, UserWarning):
    """What was written is as confidential as the original."""


class ReplacedWarning(_Told, UserWarning):
    """A file has taken the place of an earlier one."""


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the operating system says about a file that can't be written into an `OutputError`."""
    if "\0" in str(path):
        raise OutputError(f"Can't write {str(path)!r}: no name holds a zero byte.")
    try:
        yield
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(f"Can't write '{path}': {error.strerror or error}.") from None


@contextlib.contextmanager
def library_reading(name: str, kind: str, *, told: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Turn whatever a library raises on a file that it can't read into a `DataError` that quotes nothing of the file.

    Nothing but calls of the library goes into the block, so that no fault of our own is taken for one of the file.

    Parameters
    ----------
    name
        Of the file.
    kind
        What it should be, such as "Excel file".
    told
        Errors of the library whose words never hold a value.
    """
    try:
        yield
    except DiscoReportError:
        raise
    except MemoryError:
        raise DataError(f"'{name}' needs more memory than there is.") from None
    except Exception as error:  # noqa: BLE001  # libraries raise anything at all on broken files
        reason = str(error).strip() if isinstance(error, told) else type(error).__name__
        if isinstance(error, OSError) and error.errno is not None:
            reason = error.strerror or reason
        raise DataError(f"'{name}' isn't a whole {kind} ({reason}).") from None


def require_package(module: str, extra: str, needing: str) -> ModuleType:
    """Import what an extra brings.

    Parameters
    ----------
    module
        Of the package.
    extra
        Its name.
    needing
        What needs it, such as "Excel files need".

    Raises
    ------
    MissingPackageError
        Where it isn't installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingPackageError(
            f"{needing} the package {module.partition('.')[0]}, which the extra '{extra}' brings: "
            f"pip install 'discoreport[{extra}]'"
        ) from None


def require_new(path: Path) -> None:
    """Raise where a file exists that is not to be written over, or none may be written."""
    with writing(path):
        if path.exists():
            raise OutputError(f"'{path}' exists. Name another file, or remove this one.")
        folder = next(place for place in path.absolute().parents if place.exists())
        if not os.access(folder, os.W_OK | os.X_OK):
            raise OutputError(f"Can't write '{path}': no permission for '{folder}'.")


def require_kind(value: object, kind: type | UnionType, what: str) -> None:
    """Refuse a value of another kind; `what` says what must be what.

    Raises
    ------
    SettingsError
        Says what was got, but not its value, which may be data.
    """
    if not isinstance(value, kind):
        raise SettingsError(f"{what} (got {type(value).__name__}).")


def require_path(value: object, what: str) -> Path:
    """Give what is named as a path; `what` says whose it is.

    Raises
    ------
    SettingsError
        Where it is anything else.
    """
    require_kind(value, str | os.PathLike, f"{what}: must be a path")
    return Path(os.fsdecode(cast("str | os.PathLike[str]", value)))


def kind_or_value(value: object) -> str:
    """Write a value for an error: text and numbers as they are, of anything else its kind, as it may hold data.

    Examples
    --------
    >>> kind_or_value(3), kind_or_value("a"), kind_or_value([1, 2])
    ('3', "'a'", 'list')
    """
    return repr(value) if value is None or isinstance(value, str | int | float) else type(value).__name__


def suggest(name: str, known: Iterable[str], *, listed: bool = True) -> str:
    """Build the sentence that helps after an unknown name.

    Parameters
    ----------
    name
        What was asked for.
    known
        What there is.
    listed
        Whether to list it.

    Returns
    -------
    str
        The nearest valid choice, if one is near, and the list of all choices (the first 40).

    Examples
    --------
    >>> suggest("incom", ["age", "income", "sex"])
    "Did you mean 'income'? There are: age, income, sex."
    >>> suggest("x", ["age"])
    'There are: age.'
    """
    choices = list(known)
    folded = {choice.casefold(): choice for choice in choices}
    near = difflib.get_close_matches(name.casefold(), folded, n=1)
    question = f"Did you mean '{folded[near[0]]}'? " if near else ""
    if not listed:
        return question.strip()
    shown = ", ".join(choice or "''" for choice in choices[:40])
    more = f", and {len(choices) - 40} more" if len(choices) > 40 else ""
    return f"{question}There are: {shown}{more}."
