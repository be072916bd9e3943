"""What the parts of a record are made from: a model that is frozen, and refuses what it does not know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from discoreport.assessment.formatting import Unquoted
from discoreport.assessment.validation_errors import refusal
from discoreport.errors import SettingsError


class FrozenModel(BaseModel):
    """Frozen, and refuses what it does not know: with a `SettingsError` that says what would do."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    def __init__(self, /, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise SettingsError(self._refused(error, values)) from None

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # what is nested in others is refused by them

    def __dir__(self) -> list[str]:
        """List what is its own; what pydantic brings is of no use to those who look for figures."""
        return sorted({*super().__dir__()} - {name for name in dir(BaseModel) if not name.startswith("_")})

    @classmethod
    def _refused(cls, error: ValidationError, values: Mapping[str, Any]) -> str:  # noqa: ARG003  # of use to others
        return refusal(cls, error, cls.__name__)


class LargeModel(FrozenModel):
    """What holds many figures: where it is printed, a line says how many; its tables have them."""

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        """Give each field in a few words."""
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, BaseModel):
                yield name, Unquoted(f"{type(value).__name__}(...)")
            elif isinstance(value, tuple | dict) and value:
                yield name, Unquoted(f"<{len(value):,}>")
            elif value not in (None, (), {}):
                yield name, value

    def __str__(self) -> str:
        return repr(self)
