"""What stands in for things that a test can't have: a machine without a network, a disk that is full."""

import contextlib
import resource
import socket

import pytest


@contextlib.contextmanager
def no_network():
    """Let nothing reach the network; gives a list of what tries to."""
    asked = []

    def refuse(*arguments, **_):
        asked.append(arguments)
        raise OSError("no network")

    with pytest.MonkeyPatch.context() as patch:
        for place, name in ((socket, "create_connection"), (socket.socket, "connect"), (socket, "getaddrinfo")):
            patch.setattr(place, name, refuse)
        yield asked


@contextlib.contextmanager
def full_disk(n_bytes):
    """Let no file grow beyond some bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
