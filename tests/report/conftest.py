"""The report's pages are looked at in a browser."""

from tests.browsers import browser

__all__ = ["browser"]
