"""What a page holds, handed to WeasyPrint beside the page: fonts, pictures and figures needn't be read as HTML."""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Mapping
from typing import Any

from weasyprint.urls import URLFetcher, URLFetcherResponse

_DATA = re.compile(r"data:([\w/+.-]+);base64,([A-Za-z0-9+/=\s]+)")
_STYLES = re.compile(r"<style>.*?</style>", re.DOTALL)
_PICTURE = re.compile(r"""(<img(?:\s+[\w-]+="[^"]*")*?\s+src=")([^"]*)(?=")""")
"""An address in a text is a text: only where a page shows what it holds is it one to be taken out."""


class PageResources(URLFetcher):  # type: ignore[misc]  # WeasyPrint has no types
    """Gives what was taken out of a page, and what its data addresses hold; nothing else is fetched."""

    def __init__(self) -> None:
        super().__init__(allowed_protocols={"data"})
        self._held: dict[str, tuple[str, bytes]] = {}

    def take_out(self, page: str, drawings: Mapping[str, str]) -> str:
        """Put short addresses in the place of a page's fonts, pictures and drawings; see `pdf.render`."""
        page = _STYLES.sub(lambda found: _DATA.sub(self._data, found[0]), page)
        page = _PICTURE.sub(lambda found: found[1] + _DATA.sub(self._data, found[2]), page)
        for drawing, spoken in drawings.items():
            if drawing in page:
                address = self._hold("image/svg+xml", drawing.encode("utf-8"))
                page = page.replace(drawing, f'<img src="{address}" alt="{html.escape(spoken)}">')
        return page

    def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
        """Give what stands behind an address."""
        if url not in self._held:
            return super().fetch(url, headers)
        kind, content = self._held[url]
        return URLFetcherResponse(url, content, {"Content-Type": kind})

    def _data(self, found: re.Match[str]) -> str:
        try:
            return self._hold(found[1], base64.b64decode(found[2]))
        except binascii.Error:
            return found[0]  # WeasyPrint says what is wrong with it

    def _hold(self, kind: str, content: bytes) -> str:
        address = f"inside:{len(self._held)}"
        self._held[address] = (kind, content)
        return address
