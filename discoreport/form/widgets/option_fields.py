"""Options of an analysis, and values of a step, as controls: label, tooltip and kind are those of the declaration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, get_args

import ipywidgets as w
from pydantic.fields import FieldInfo

from discoreport.assessment.analyses.base import FieldKind, kind_of
from discoreport.assessment.formatting import name as written_name
from discoreport.data.level_text import level_text
from discoreport.data.readers.source_file import ENDINGS
from discoreport.errors import SettingsError
from discoreport.form.model.file_choice import pasted
from discoreport.form.model.typed_numbers import number, numbers
from discoreport.form.widgets import controls as c
from discoreport.form.widgets.file_chooser import FileChooser

_ROWS = 5
"""Variables in sight where several can be chosen."""
_HOW: Mapping[FieldKind, str] = {
    "variables": "several: hold Ctrl",
    "names": "separated by commas",
    "levels": "separated by commas",
    "numbers": "separated by spaces",
    "files": "one a line: name = file",
    "file list": "one a line",
    "declared": "one a line",
    "pairs": "one a line: old = new",
    "classes": "a number of classes, or their breaks separated by spaces",
    "file": "a path, or the name of a table in this notebook",
}
"""How a field is filled in."""


class Fields:
    """The controls of some fields.

    Parameters
    ----------
    fields
        Their declarations by name; those of steps and what has a control of its own are passed over.
    changed
        Called where a person has changed one, with its name and what reads its value.
    """

    def __init__(
        self, fields: Mapping[str, FieldInfo], changed: Callable[[str, Callable[[], Any]], object] = lambda *_: None
    ) -> None:
        self._filling = c.Filling()
        self._changed = changed
        self._kinds = {name: kind_of(field) for name, field in fields.items() if name != "step"}
        self.controls: dict[str, Any] = {}
        for name, kind in self._kinds.items():
            if kind != "steps":
                self.controls[name] = _control(name, kind, fields[name])
                c.on_change(self.controls[name], partial(self._listen, name))
        self.view = c.box(*(self._placed(name) for name in self.controls), kind="row")

    def _placed(self, name: str) -> Any:
        """Put a list of files below a field that takes a path."""
        field = self.controls[name]
        if self._kinds[name] == "file":
            return FileChooser(field, ENDINGS).view
        if self._kinds[name] in {"files", "file list"}:
            return FileChooser(field, ENDINGS, put=partial(_add_line, field, self._kinds[name])).view
        return field

    def _listen(self, name: str, _: Any) -> None:
        if not self._filling.now:
            self._changed(name, lambda: self.value(name))

    def value(self, name: str) -> Any:
        """Read a control as a plain value; "" or an empty list where nothing is chosen.

        Raises
        ------
        SettingsError
            Where a line lacks its sign, or a break isn't a number.
        """
        made = self.controls[name]
        try:
            return _READ.get(self._kinds[name], lambda value: value)(made.value)
        except SettingsError as error:
            raise SettingsError(f"{made.description}: {error}") from None

    def values(self) -> dict[str, Any]:
        """Read the controls that are filled in."""
        read = {name: self.value(name) for name in self.controls}
        return {name: value for name, value in read.items() if value not in ("", [], {})}

    def show(self, values: Mapping[str, Any], variables: Sequence[str]) -> None:
        """Show what is chosen, of the variables that there are."""
        with self._filling:
            for name, made in self.controls.items():
                kind, value = self._kinds[name], values.get(name)
                if kind in {"variables", "variable"}:
                    _show_variables(made, kind, value, variables)
                else:
                    made.value = _written(kind, value)


def _control(name: str, kind: FieldKind, field: FieldInfo) -> Any:
    label = field.title or name.replace("_", " ").capitalize()
    description = field.description or ""
    tip = f"{description[:1].upper()}{description[1:]}" + (f" ({_HOW[kind]})" if kind in _HOW else "")
    default = "" if field.is_required() or field.default is None else field.default
    shown = ", ".join(default) if isinstance(default, tuple) else str(default)
    if kind == "variables":
        made = w.SelectMultiple(description=label, tooltip=tip, rows=_ROWS)
        made.add_class("d-several")
        return c.hinted(made, tip)
    if kind == "variable":
        return c.choice(label, tip, [("–", "")], "")
    if kind == "choice":
        return c.choice(label, tip, [(option or "–", option) for option in get_args(field.annotation)], default)
    if kind in _PLACEHOLDERS:
        return c.text(label, tip, lines=2, placeholder=_PLACEHOLDERS[kind], kind="wide")
    return c.text(label, tip, placeholder=shown, kind="narrow" if kind == "number" else "wide")


def _show_variables(made: Any, kind: FieldKind, value: Any, variables: Sequence[str]) -> None:
    options = [(written_name(name), name) for name in variables]
    options = options if kind == "variables" else [("–", ""), *options]
    if list(made.options) != options:
        made.options = options
    if kind == "variables":
        made.value = tuple(name for name in value or () if name in variables)
    else:
        made.value = value if value in variables else ""


def _written(kind: FieldKind, value: Any) -> str:
    if value is None:
        return ""
    if kind == "files":
        return "\n".join(f"{name} = {file}" for name, files in value.items() for file in files)
    if kind in {"file list", "declared"}:
        return "\n".join(map(str, value))
    return ", ".join(value) if isinstance(value, list) else str(value)


def _add_line(field: Any, kind: FieldKind, path: str) -> None:
    """Add a line for a file; one of several files by name goes by its own name without its ending."""
    line = f"{Path(path).name.partition('.')[0]} = {path}" if kind == "files" else path
    field.value = "\n".join([*filter(str.strip, field.value.splitlines()), line])


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _pairs(text: str) -> list[tuple[str, str]]:
    lines = _lines(text)
    for line in lines:
        if "=" not in line:
            raise SettingsError(f"'{line}': write it as name = value, one a line.")
    cut = (line.partition("=") for line in lines)
    return [(name.strip(), value.strip()) for name, _, value in cut]


def _files(text: str) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    for name, file in _pairs(text):
        files.setdefault(name, []).append(pasted(file))
    return files


def _classes(text: str) -> Any:
    read = numbers(text)
    if len(read) == 1 and not read[0].is_integer():
        raise SettingsError(f"'{text}': give a whole number of classes, or breaks separated by spaces.")
    return int(read[0]) if len(read) == 1 else list(read) or ""


def _number(text: str) -> str:
    """Read a number as people write it, and write it plainly."""
    read = number(text)
    return "" if read is None else str(level_text(read))


_PLACEHOLDERS: dict[FieldKind, str] = {
    "files": "name = file",
    "file list": "file",
    "pairs": "old = new",
    "declared": "mean of income by region",
}
"""What stands in a control of several lines while it is empty."""
_READ: dict[FieldKind, Callable[[Any], Any]] = {
    "variables": list,
    "names": lambda text: [part.strip() for part in text.split(",") if part.strip()],
    "levels": lambda text: [part.strip() for part in text.split(",") if part.strip()],
    "numbers": lambda text: [str(level_text(value)) for value in numbers(text)],
    "pairs": lambda text: dict(_pairs(text)),
    "files": _files,
    "file list": lambda text: [pasted(line) for line in _lines(text)],
    "declared": _lines,
    "classes": _classes,
    "file": pasted,
    "number": _number,
}
"""How the value of a control becomes a plain one."""
