"""Runs a command as the shell would."""

import contextlib
import signal

from discoreport import cli


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
