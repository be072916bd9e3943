"""PDFs as they were before something was added to their end, and whether that was signatures alone."""

from __future__ import annotations

import io
import logging
import re
from typing import Any

from discoreport.errors import DataError, require_package

_OF_SIGNATURES = {"/FT", "/T", "/TU", "/Type", "/Subtype", "/F", "/Rect", "/P", "/V"}
"""What the field of an invisible signature holds."""


def only_signed(before: bytes, signed: bytes) -> bool:
    """Tell whether a PDF still holds and shows what it did before somebody signed it.

    A valid signature alone doesn't say so: whoever changes pages by adding to the file can sign that, too.

    Parameters
    ----------
    before
        The PDF without signatures.
    signed
        What became of it.

    Returns
    -------
    bool
        Whether `signed` begins with `before`, and every object of that is still in force, but that the catalogue lists
        signatures and pages have their fields, which show nothing, as those of `sign`. A signature that a page shows
        is more than that.

    Raises
    ------
    DataError
        Where one of them isn't a PDF.
    MissingPackageError
        Where the extra ``sign`` isn't installed.
    """
    need_pyhanko()
    old, new = read_pdf(before), read_pdf(signed)
    try:
        return signed.startswith(before) and _alike(old, new)
    except Exception:  # noqa: BLE001  # a file from elsewhere may be broken in any way
        return False


def first_revision(pdf: bytes) -> bytes:
    """Give a PDF as it was before anything was added to its end, such as a signature."""
    end = re.search(rb"startxref\s+\d+\s+%%EOF[\r\n]{0,2}", pdf)
    return pdf[: end.end()] if end else pdf


def read_pdf(pdf: bytes) -> Any:
    """Read a PDF, as pyHanko does.

    Raises
    ------
    DataError
        Where it isn't one.
    """
    from pyhanko.pdf_utils.reader import PdfFileReader

    try:
        reader = PdfFileReader(io.BytesIO(pdf))
        reader.root  # noqa: B018  # reads it
    except Exception:  # noqa: BLE001  # a file from elsewhere may be broken in any way
        raise DataError("This is not a PDF, or it is damaged.") from None
    return reader


def need_pyhanko() -> None:
    """Make sure that pyHanko is there, and keeps its warnings to itself.

    Raises
    ------
    MissingPackageError
        Where the extra ``sign`` isn't installed.
    """
    for module in ("pyhanko.sign", "pyhanko_certvalidator"):
        require_package(module, "sign", "Signatures need")
    for package in ("pyhanko", "pyhanko_certvalidator"):
        logger = logging.getLogger(package)
        if not logger.handlers:
            # Where nobody set up logging, Python would print that an authority is unknown, with a traceback.
            logger.addHandler(logging.NullHandler())


def _alike(old: Any, new: Any) -> bool:
    """Compare two files, of which one was only added to: what stands where it stood is what it was."""
    if any(old.trailer.raw_get(name) != new.trailer.raw_get(name) for name in ("/Root", "/Info")):
        return False
    form = new.root["/AcroForm"]
    fields = [*form["/Fields"]]  # references
    if not set(form) <= {"/Fields", "/SigFlags"} or not all(_shows_nothing(field.get_object()) for field in fields):
        return False
    moved = [one for one in old.xrefs.explicit_refs_in_revision(0) if old.xrefs[one] != new.xrefs[one]]
    return all(_has_only_got(old.get_object(one), new.get_object(one), fields) for one in moved)


def _has_only_got(was: Any, is_now: Any, fields: list[Any]) -> bool:
    """Tell whether something is the catalogue or a page as it was, but for the fields of signatures."""
    if any(was.get(name) != is_now.get(name) for name in was if name != "/Annots"):
        return False
    added = {name for name in is_now if name not in was}
    if was["/Type"] == "/Catalog":
        return added == {"/AcroForm"}
    had, has = ([*page["/Annots"]] if "/Annots" in page else [] for page in (was, is_now))
    only_fields = has[: len(had)] == had and all(annotation in fields for annotation in has[len(had) :])
    return was["/Type"] == "/Page" and added <= {"/Annots"} and only_fields


def _shows_nothing(field: Any) -> bool:
    """Tell whether a field of a form is a signature without a place on the page, and without anything to press."""
    left, bottom, right, top = field["/Rect"]
    return field["/FT"] == "/Sig" and set(field) <= _OF_SIGNATURES and (left == right or bottom == top)
