"""Controls as they stood when a notebook was saved -> outputs that a page can show."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Any

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
_BOXES = {"BoxModel", "VBoxModel", "HBoxModel", "GridBoxModel", "TabModel", "AccordionModel", "StackModel"}
_VALUES = {
    "IntSliderModel", "FloatSliderModel", "FloatLogSliderModel", "IntRangeSliderModel", "FloatRangeSliderModel",
    "BoundedIntTextModel", "BoundedFloatTextModel", "IntTextModel", "FloatTextModel", "TextModel", "TextareaModel",
    "IntProgressModel", "FloatProgressModel", "ComboboxModel", "ColorPickerModel",
}  # fmt: skip
"""Controls whose value may be shown; never that of a password or of an uploaded file."""
_CHOICES = {"DropdownModel", "SelectModel", "RadioButtonsModel", "ToggleButtonsModel", "SelectionSliderModel"}
_SEVERAL = {"SelectMultipleModel", "SelectionRangeSliderModel"}
_LISTS = {"TagsInputModel", "ColorsInputModel", "FloatsInputModel", "IntsInputModel"}
_MOMENTS = {"DatePickerModel", "TimePickerModel", "DatetimeModel", "NaiveDatetimeModel", "TimeModel"}
_TICKS = {"CheckboxModel": "yes no", "ToggleButtonModel": "on off", "ValidModel": "valid invalid"}
_SHOWN_OR_EMPTY = _BOXES | _VALUES | {"OutputModel", "HTMLModel", "HTMLMathModel", "LabelModel", "ButtonModel"}
CONTROL = "An interactive control stands here in the notebook{}."
_MOST = 500
"""Controls of one output that are shown."""


def outputs_of(data: Mapping[str, Any], states: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Give what a control showed when the notebook was saved, as outputs of other kinds.

    Parameters
    ----------
    data
        The output by media types.
    states
        Of the notebook's controls, by their ids; see `states_of`.

    Returns
    -------
    list of mapping
        Empty where nothing of it is known.
    """
    view = data.get(VIEW)
    name = view.get("model_id") if isinstance(view, Mapping) else None
    return list(_outputs(str(name), states, set()))


def states_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Find the controls in a notebook's metadata that have a state, by their ids."""
    found: Any = metadata.get("widgets")
    for name in (STATE, "state"):
        found = found.get(name) if isinstance(found, Mapping) else None
    models = found.items() if isinstance(found, Mapping) else ()
    return {name: one for name, one in models if isinstance(one, Mapping) and isinstance(one.get("state"), Mapping)}


def _outputs(name: str, states: Mapping[str, Any], seen: set[str]) -> Iterator[Mapping[str, Any]]:
    if name in seen or len(seen) >= _MOST or name not in states:
        return
    seen.add(name)
    model = states[name]
    kind, state = str(model.get("model_name")), model["state"]
    if _is_hidden(state, states):
        return
    if kind in _BOXES or "children" in state:
        yield from _within(state, states, seen, state.get("selected_index") if kind == "StackModel" else ...)
    elif kind == "OutputModel":
        outputs = state.get("outputs")
        yield from (one for one in (outputs if isinstance(outputs, list) else ()) if isinstance(one, Mapping))
    elif kind in {"HTMLModel", "HTMLMathModel"}:
        said = f"<p>{html.escape(_label(state))}</p>\n\n" if _label(state) else ""
        form = "text/markdown" if kind == "HTMLMathModel" else "text/html"
        yield _display({form: f"{said}{state.get('value') or ''}"})
    elif isinstance(state.get("spec"), Mapping):  # a chart of Altair as a control
        yield _display({"application/vnd.vegalite.v6+json": state["spec"]})
    elif kind == "ImageModel":
        yield from _picture(model, state)
    elif line := _line(kind, state):
        yield _html(f"<p>{html.escape(line)}</p>")


def _is_hidden(state: Mapping[str, Any], states: Mapping[str, Any]) -> bool:
    layout = states.get(str(state.get("layout", "")).removeprefix("IPY_MODEL_"), {}).get("state", {})
    return bool(layout.get("display") == "none" or layout.get("visibility") == "hidden")


def _within(
    state: Mapping[str, Any], states: Mapping[str, Any], seen: set[str], shown: object
) -> Iterator[Mapping[str, Any]]:
    children, titles = state.get("children"), state.get("titles")
    titles = titles if isinstance(titles, list) else []
    for place, child in enumerate(children if isinstance(children, list) else ()):
        if shown not in (..., place):
            continue
        name = str(child).removeprefix("IPY_MODEL_")
        inside = list(_outputs(name, states, seen)) or _unknown(name, states)
        if inside and place < len(titles) and titles[place]:
            yield _html(f"<p><strong>{html.escape(str(titles[place]))}</strong></p>")
        yield from inside


def _unknown(name: str, states: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Say that a control stands beside others of which nothing can be shown, unless it is a box or hidden."""
    if name not in states:
        return []
    model, state = states[name], states[name]["state"]
    kind = str(model.get("model_name")).removesuffix("Model")
    if f"{kind}Model" in _SHOWN_OR_EMPTY or "children" in state or _is_hidden(state, states):
        return []
    named = f"{kind}: {_label(state)}" if _label(state) else kind
    return [_html(f'<p><span class="omitted">{html.escape(CONTROL.format(f" ({named})"))}</span></p>')]


def _line(kind: str, state: Mapping[str, Any]) -> str:
    """Say in words how a control stands; "" for one that shows nothing."""
    value = state.get("value")
    if kind == "LabelModel":
        return str(value or "")
    if kind in _CHOICES:
        return _said(state, next(_chosen(state, [state.get("index")]), "-"))
    if kind in _SEVERAL:
        between = ", " if kind == "SelectMultipleModel" else " to "
        return _said(state, between.join(_chosen(state, state.get("index"))) or "-")
    if kind in _LISTS:
        return _said(state, ", ".join(map(str, value)) if isinstance(value, list) and value else "-")
    if kind in _MOMENTS:
        return _said(state, _moment(value))
    if kind in _TICKS:
        return _said(state, _TICKS[kind].split()[0 if value else 1])
    if kind in _VALUES:
        return _said(state, " to ".join(map(str, value)) if isinstance(value, list) else str(value))
    return f"[{_label(state)}]" if kind == "ButtonModel" and _label(state) else ""


def _chosen(state: Mapping[str, Any], places: object) -> Iterator[str]:
    """Give the labels of the options at some places, as far as there are any."""
    labels = state.get("_options_labels")
    if isinstance(labels, list) and isinstance(places, list):
        yield from (str(labels[one]) for one in places if isinstance(one, int) and -1 < one < len(labels))


def _moment(value: object) -> str:
    """Write a day or a time as controls keep it, with months that begin at 0; "-" where none was chosen."""
    if not isinstance(value, Mapping):
        return "-"
    day, time = (
        [value[name] for name in names if isinstance(value.get(name), int)]
        for names in (("year", "month", "date"), ("hours", "minutes"))
    )
    written = [f"{day[0]}-{day[1] + 1:02}-{day[2]:02}"] if len(day) == 3 else []
    return " ".join([*written, *([f"{time[0]:02}:{time[1]:02}"] if len(time) == 2 else [])]) or "-"


def _said(state: Mapping[str, Any], value: str) -> str:
    return f"{_label(state)}: {value}" if _label(state) else value


def _label(state: Mapping[str, Any]) -> str:
    found = state.get("description")
    return found.strip() if isinstance(found, str) else ""


def _picture(model: Mapping[str, Any], state: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    buffers = model.get("buffers")
    for buffer in buffers if isinstance(buffers, list) else ():
        if isinstance(buffer, Mapping) and buffer.get("path") == ["value"] and buffer.get("encoding") == "base64":
            yield _display({f"image/{state.get('format', 'png')}": buffer.get("data")})


def _html(written: object) -> dict[str, Any]:
    return _display({"text/html": str(written or "")})


def _display(data: dict[str, Any]) -> dict[str, Any]:
    return {"output_type": "display_data", "data": data, "metadata": {}}
