"""Drives a form as a person does: by the labels of its controls."""

# ruff: noqa: F401  # what several tests take from private modules, they take from here

import ipywidgets as w

from discoreport.form.model import background_work
from discoreport.form.model.background_work import Cancelled, Interruptible, Request, Worker
from discoreport.form.model.draft_settings import Draft
from discoreport.form.model.open_files import Facts, OpenFiles, listed
from discoreport.form.model.saved_form import Held, Saved, read_saved, write_saved
from discoreport.form.tasks import Tasks


def inside(widget):
    """Every control that is in sight in a part of the form."""
    if widget.layout.display == "none":
        return
    yield widget
    children = getattr(widget, "children", ())
    if isinstance(widget, w.Stack):
        children = children[widget.selected_index : widget.selected_index + 1]
    for child in children:
        yield from inside(child)


def find(form, label, *, kind=w.Widget, nth=0):
    """The control whose label begins so."""
    found = [
        one for one in inside(form) if isinstance(one, kind) and str(getattr(one, "description", "")).startswith(label)
    ]
    assert found, (
        f"no control '{label}' among {[one.description for one in inside(form) if hasattr(one, 'description')]}"
    )
    return found[nth]


def press(form, label, nth=0):
    """Press a button, as far as it can be pressed."""
    button = find(form, label, kind=w.Button, nth=nth)
    assert not button.disabled, f"'{label}' can't be pressed"
    button.click()


def enter(form, label, value, nth=0):
    """Enter a value into a field."""
    find(form, label, nth=nth).value = value


def step(form, name):
    """Go to a step by its tab."""
    tab = form.header.tabs[name]
    assert tab in inside(form)
    tab.click()


def count_with(form, function):
    """Let a form count with another function: one that fails, takes long, or tells of it."""
    form.state.compute = function


def shown(form):
    """All text that is in sight."""
    return " ".join(one.value for one in inside(form) if isinstance(one, w.HTML))


def status(form, name):
    """What the tab of a step says."""
    return form.header.tabs[name].description.split("\n")[1]
