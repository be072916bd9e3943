"""Notebooks made for tests, and the way through an exporter."""

# ruff: noqa: F401  # what several tests take from private modules, they take from here

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from discoreport.notebook import exporters, formulas
from discoreport.notebook.exporters import DiscoReportHTML
from discoreport.notebook.sanitise_html import clean

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def notebook(*cells, **metadata):
    made = new_notebook(cells=list(cells), metadata=metadata)
    nbformat.validate(made)
    return made


def prose(source, *tags, **more):
    return new_markdown_cell(source, metadata={"tags": list(tags)}, **more)


def code(source="1 + 1", *tags, outputs=(), **metadata):
    return new_code_cell(source, outputs=list(outputs), metadata={"tags": list(tags), **metadata})


def display(metadata=None, **data):
    """An output by its media types: ``html="..."``, ``plain="..."``, ``svg="..."``, ``png="..."``."""
    names = {
        "html": "text/html",
        "plain": "text/plain",
        "svg": "image/svg+xml",
        "png": "image/png",
        "markdown": "text/markdown",
        "latex": "text/latex",
        "javascript": "application/javascript",
        "widget": "application/vnd.jupyter.widget-view+json",
    }
    return new_output(
        "display_data", data={names[name]: content for name, content in data.items()}, metadata=metadata or {}
    )


def export(made, exporter="HTML", name="lesson", **options):
    built = getattr(exporters, f"DiscoReport{exporter}")(**options)
    content, resources = built.from_notebook_node(made, {"metadata": {"name": name, "path": ""}})
    return content if exporter in {"HTML", "PDF"} else (content, resources["output_extension"])
