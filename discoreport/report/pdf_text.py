"""What a PDF says: its text, and the files inside it."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from discoreport.errors import DataError, require_package


@dataclass(frozen=True)
class PdfText:
    """What a PDF says, however it is drawn.

    Parameters
    ----------
    pages
        The text of each page, without spaces and hyphens, which depend on where lines break.
    attached
        The content of each file inside, by name.
    """

    pages: tuple[str, ...]
    attached: Mapping[str, tuple[bytes, ...]]


def text_of_pdf(pdf: bytes) -> PdfText:
    """Read a PDF.

    Raises
    ------
    DataError
        Where it is none, or damaged.
    MissingPackageError
        Where the extra ``sign`` isn't installed.
    """
    pypdf = require_package("pypdf", "sign", "Reading a PDF needs")
    try:
        reader = pypdf.PdfReader(io.BytesIO(pdf))
        pages = tuple(_plain(page.extract_text()) for page in reader.pages)
        attached = {name: tuple(content) for name, content in reader.attachments.items()}
    except Exception:  # noqa: BLE001  # a file from elsewhere may be broken in any way
        raise DataError("This is not a PDF, or it is damaged.") from None
    return PdfText(pages, attached)


def _plain(text: str) -> str:
    return re.sub(r"[\s\N{SOFT HYPHEN}\N{HYPHEN}-]", "", unicodedata.normalize("NFKC", text))
