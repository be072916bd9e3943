"""Runs a command as the shell would."""

import contextlib
import json
import signal
from pathlib import Path

import jsonschema

from discoreport import cli

SCHEMA = json.loads((Path(cli.__file__).parent / "json_output.schema.json").read_text(encoding="utf-8"))


def run(*words):
    return cli.main([str(word) for word in words])


@contextlib.contextmanager
def in_front(number):
    """Let a signal stop what is started, as in front of a shell: behind it, tests may be told to ignore it."""
    before = signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(number, before)


def told(said):
    """Read what --json said, which is as its schema has it."""
    content = json.loads(said)
    jsonschema.Draft202012Validator(SCHEMA).validate(content)
    return content
