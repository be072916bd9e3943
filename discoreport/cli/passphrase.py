"""The passphrase of a certificate: from a file, a descriptor, the environment or the terminal, never an option."""

from __future__ import annotations

import argparse
import contextlib
import getpass
import os
import warnings

from discoreport.errors import SettingsError

WAYS = "--passphrase-file FILE, --passphrase-fd NUMBER or --passphrase-env NAME"


def passphrase(parsed: argparse.Namespace) -> str:
    """Take the passphrase from where the options say; without one, ask for it on the terminal.

    Raises
    ------
    SettingsError
        Where several ways are given, there is none there, or no terminal to ask on.
    """
    ways = ("passphrase_file", "passphrase_fd", "passphrase_env")
    given = [name for name in ways if getattr(parsed, name) is not None]
    if len(given) > 1:
        raise SettingsError(f"The passphrase comes from one place: {WAYS}.")
    if parsed.passphrase_env is not None:
        if parsed.passphrase_env not in os.environ:
            raise SettingsError(f"--passphrase-env {parsed.passphrase_env}: the environment has no such variable.")
        return os.environ[parsed.passphrase_env]
    if not given:
        return _asked(f"Passphrase of {parsed.sign}: ")
    source = parsed.passphrase_file if parsed.passphrase_file is not None else parsed.passphrase_fd
    try:
        with open(source, encoding="utf-8", closefd=not isinstance(source, int)) as file:  # may be one
            return file.read().rstrip("\r\n")
    except OSError as error:
        raise SettingsError(f"Can't read the passphrase from '{source}': {error.strerror}.") from None
    except ValueError:
        raise SettingsError(f"Can't read the passphrase from '{source}': it isn't text in UTF-8.") from None


def _asked(prompt: str) -> str:
    failures: list[type[Exception]] = [EOFError, OSError, getpass.GetPassWarning]
    with contextlib.suppress(ImportError):
        import termios

        failures.append(termios.error)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", getpass.GetPassWarning)  # else it would be shown as it is typed
            return getpass.getpass(prompt)
    except tuple(failures):
        raise SettingsError(f"There is no terminal to ask for the passphrase on. Say where it is: {WAYS}.") from None
