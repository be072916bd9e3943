"""The page of the guide that is made from docstrings: every public name, what it takes and what it gives."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

from pydantic import BaseModel

import discoreport

_WIDEST = 100


def reference() -> str:
    """Write the signature and the docstring of every public name as Markdown."""
    names = sorted(discoreport.__all__, key=lambda name: (name[0].isupper(), name.casefold()))
    return "\n".join(line for name in names for line in _entry(name, getattr(discoreport, name)))


def _entry(name: str, thing: object) -> Iterator[str]:
    yield f"## {name}\n"
    if callable(thing) and not (inspect.isclass(thing) and issubclass(thing, Exception | Warning | BaseModel)):
        yield f"```python\n{_signature(name, thing)}\n```\n"
    yield f"```text\n{inspect.getdoc(thing)}\n```\n"
    if inspect.isclass(thing):
        members = [f"- `{member}`: {told}" for member, told in _members(thing)]
        yield from [*members, ""] if members else []


def _signature(name: str, thing: Callable[..., object]) -> str:
    """Write how something is called, a line for each argument where one isn't enough."""
    signature = inspect.signature(thing)
    kinds = [one.kind for one in signature.parameters.values()]
    given = [_unquoted(str(one), one.annotation) for one in signature.parameters.values()]
    if inspect.Parameter.KEYWORD_ONLY in kinds:
        given.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    back = signature.return_annotation
    end = ")" if inspect.isclass(thing) else f") -> {_unquoted(inspect.formatannotation(back), back)}"
    line = f"{name}({', '.join(given)}{end}"
    return line if len(line) <= _WIDEST else "\n".join([f"{name}(", *(f"    {one}," for one in given), end])


def _unquoted(written: str, annotation: object) -> str:
    return written.replace(repr(annotation), annotation, 1) if isinstance(annotation, str) else written


def _members(thing: type) -> Iterator[tuple[str, str]]:
    """List what a class of ours has for all to use, and the first line of what is said of it."""
    fields = thing.model_fields if issubclass(thing, BaseModel) else {}
    ours = {name for one in thing.__mro__ if one.__module__.startswith("discoreport") for name in vars(one)}
    for name in sorted({*ours, *fields} - {*dir(BaseModel)}):
        said = fields[name].description if name in fields else inspect.getdoc(getattr(thing, name, None))
        if said and not name.startswith("_"):
            yield name, said.strip().split("\n")[0]
