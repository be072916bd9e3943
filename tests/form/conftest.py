"""The form is used in a browser."""

from tests.browsers import browser

__all__ = ["browser"]
