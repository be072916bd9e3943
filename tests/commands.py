"""Runs a command as the shell would."""

# ruff: noqa: F401  # what several tests take from private modules, they take from here

import contextlib
import json
import signal
from pathlib import Path

import jsonschema

from discoreport import cli
from discoreport.assessment.analyses.base import kind_of
from discoreport.assessment.analyses.mitigation.steps import (
    STEPS,
    LimitValues,
    RemoveReplicatedUniques,
    read_steps,
    steps_from,
    write_steps,
)
from discoreport.assessment.analyses.run import asked_of, chosen
from discoreport.assessment.code_to_repeat import literal, python_lines
from discoreport.assessment.command_line import OPTIONS, command, copyable, option_words, words_of
from discoreport.assessment.configuration_file import read_configuration, write_configuration
from discoreport.cli.analysis_options import asked_in
from discoreport.cli.exit_codes import DONE, EXIT_CODES, FAILS, UNCHECKED
from discoreport.cli.fail_on import REASONS, _sentence, stops
from discoreport.cli.parser import parser

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
