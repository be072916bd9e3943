"""Runs a command as the shell would."""

from discoreport import cli


def run(*words):
    return cli.main([str(word) for word in words])
