"""One HTML page -> one PDF that screen readers can read and archives can keep (PDF/UA-1, PDF/A-3a)."""

from __future__ import annotations

import contextlib
import datetime
import functools
import gc
import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from discoreport.errors import MissingPackageError


@dataclass(frozen=True)
class Attached:
    """A file inside the PDF: `relationship` is "Source" for what the report was made from, "Data" for tables."""

    name: str
    content: bytes
    description: str
    relationship: str


DEBIAN_PACKAGES = "libpangoft2-1.0-0 libharfbuzz-subset0"

_UA_MARK = b"""<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<pdfuaid:part>1</pdfuaid:part></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>part of the standard</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
</rdf:RDF>"""
"""A file that is PDF/A and PDF/UA at once must say so in the first description, and describe the mark itself."""


_ONE_AT_A_TIME = threading.Lock()
"""What is changed for the time of a PDF, is changed for all threads."""


def render(
    html: str,
    attachments: Sequence[Attached],
    created: datetime.datetime,
    *,
    drawings: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """Turn the report's page into a PDF.

    Parameters
    ----------
    html
        The page; it must hold all that it needs.
    attachments
        Files to go inside.
    created
        The date of the file and its attachments.
    drawings
        The SVG elements that stand in the page, as they do, and what a screen reader speaks of each.

    Returns
    -------
    bytes
        The same bytes for the same page and attachments on the same versions of the libraries.

    Raises
    ------
    MissingPackageError
        Where the operating system lacks Pango.
    """
    try:
        import weasyprint
    except OSError as error:
        raise MissingPackageError(
            "The PDF can't be written: this machine lacks Pango. On Debian and Ubuntu: "
            f"apt-get install -y --no-install-recommends {DEBIAN_PACKAGES} ({error})"
        ) from None
    from weasyprint.layout import inline
    from weasyprint.pdf import fonts
    from weasyprint.svg import Node

    from discoreport.report.page_resources import PageResources

    options: dict[str, Any] = {
        "pdf_variant": "pdf/a-3a",
        "pdf_identifier": hashlib.sha256(html.encode("utf-8")).digest()[:16],
        "attachments": [
            weasyprint.Attachment(
                string=one.content,
                name=one.name,
                description=one.description,
                relationship=one.relationship,
                created=created,
                modified=created,
            )
            for one in sorted(attachments, key=lambda one: one.name)  # as the list inside a PDF must be
        ],
    }
    resources = PageResources()
    page = weasyprint.HTML(string=resources.take_out(html, drawings), base_url=None, url_fetcher=resources)
    with (
        _ONE_AT_A_TIME,
        _without_garbage_collection(),
        _changed(Node, "text", _in_one_piece),
        _changed(inline, "split_first_line", _with_a_space_that_may_hang),
        _changed(fonts, "TTFont", _without_the_time),
    ):
        written: bytes = page.write_pdf(finisher=_finish, **options)
    return written


@contextlib.contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Let Python not look for garbage among the boxes of a document, which are needed to its end: a sixth faster."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class _OnePiece(str):
    """A text that gives itself whole where its signs are asked for one by one."""

    __slots__ = ()

    def __iter__(self) -> Iterator[str]:
        return iter([str(self)] if self else [])


@contextlib.contextmanager
def _changed(place: Any, name: str, change: Callable[[Any], Any]) -> Iterator[None]:
    """Let WeasyPrint use something else in place of what it has, made of that."""
    usual = getattr(place, name)
    setattr(place, name, change(usual))
    try:
        yield
    finally:
        setattr(place, name, usual)


def _in_one_piece(text_of: Any) -> Any:
    """Let WeasyPrint lay out a text of a figure at once.

    It lays out each sign of an SVG text by itself, from left to right, so that scripts whose letters
    join, change places or run from right to left (Arabic, Hebrew, Devanagari, Thai) come out wrong.
    Our figures never give places for single signs, which is all that this is for. In a finished PDF
    the letters are drawn already: no library mends them there.
    """
    return property(lambda node: _OnePiece(text_of.fget(node) or ""))


def _with_a_space_that_may_hang(usual: Any) -> Any:
    """Let a text that fits into its line but for the space at its end stay there.

    WeasyPrint takes the space for a part that doesn't fit, looks for the first place to break, and leaves
    the first word alone on the line. Only layout knows which texts those are.
    """

    def split(text: str, style: Any, context: Any, max_width: float | None, *more: Any, **named: Any) -> Any:
        found = usual(text, style, context, max_width, *more, **named)
        if found[2] is None or not text.endswith(" ") or style["white_space"] != "normal":
            return found
        fits = usual(text.rstrip(" "), style, context, max_width, *more, **named)[2] is None
        return usual(text, style, context, None, *more, **named) if fits else found

    return split


def _without_the_time(font: Any) -> Any:
    """Keep the date of a font as it is.

    Where libharfbuzz-subset is absent, fontTools takes the unused signs out of the fonts, and would
    write the present time into them: no two PDFs would be the same. In a finished PDF, each font would
    have to be taken apart once more.
    """
    return functools.partial(font, recalcTimestamp=False)


def _finish(document: Any, pdf: Any) -> None:  # noqa: ARG001  # WeasyPrint calls it with both
    """Mark the file as PDF/UA, too, and its head cells by what they head: WeasyPrint's own place for such changes.

    A library that changes PDFs would have to read and write the file once more to do the same.
    """
    metadata = pdf.objects[int(pdf.catalog["Metadata"].split()[0])]
    metadata.stream = [part.replace(b"</rdf:RDF>", _UA_MARK, 1) for part in metadata.stream]
    _scope_table_heads(pdf)


def _scope_table_heads(pdf: Any) -> None:
    """Say of every head cell whether it heads a column or a row, which WeasyPrint leaves out."""
    import pydyf

    by_reference = {entry.reference: entry for entry in pdf.objects if isinstance(entry, pydyf.Dictionary)}
    for entry in by_reference.values():
        if entry.get("S") == "/TH" and "A" in entry:
            row = by_reference.get(entry.get("P"))
            section = by_reference.get(row.get("P")) if row else None
            heads_column = section is not None and section.get("S") == "/THead"
            entry["A"]["Scope"] = "/Column" if heads_column else "/Row"
