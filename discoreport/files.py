"""Files: how they end, what is in them, and how they are written as a whole or not at all."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import stat
import tempfile
from pathlib import Path

from discoreport.errors import DataError, require_new, writing


def ending_of(path: Path) -> str:
    """Give the ending of a file in small letters, that of a compressed one with what it is inside.

    Examples
    --------
    >>> ending_of(Path("census.2011.CSV.gz")), ending_of(Path("census.2011.csv"))
    ('.csv.gz', '.csv')
    """
    ending = path.suffix.lower()
    return "".join(path.suffixes[-2:]).lower() if ending == ".gz" else ending


def require_readable(path: Path) -> None:
    """Refuse what the operating system doesn't let be read, and pipes and devices, which may never end.

    Raises
    ------
    DataError
        With the reason.
    """
    try:
        if path.is_file():
            path.open("rb").close()
        elif path.exists() and not path.is_dir():
            raise DataError(f"Can't read '{path}': it is a pipe or a device, not a file. Save its content as a file.")
    except OSError as error:
        raise DataError(f"Can't read '{path}': {error.strerror}.") from None


def sha256_of(path: Path) -> str:
    """Take the fingerprint of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def data_address(media_type: str, content: bytes) -> str:
    """Write the content of a file as an address that holds it."""
    return f"data:{media_type};base64,{base64.b64encode(content).decode('ascii')}"


def write_file(path: str | Path, content: bytes, *, new: bool = False, private: bool = False) -> Path:
    """Write a file that takes the place of an earlier one at once.

    Parameters
    ----------
    path
        Where; its folder is made if need be, but not for what must be new. A link stays one, and so does a pipe.
    content
        All of it.
    new
        Whether there must be no earlier one, not even one that came up meanwhile.
    private
        Whether nobody else may read a file that is new, where the system allows that.

    Returns
    -------
    Path
        The file written.

    Raises
    ------
    OutputError
        Where it can't be written, or exists and must be new. What was there before is still there.
    """
    path = Path(path)
    if new:
        require_new(path)
    with writing(path):
        if not new:
            path.parent.mkdir(parents=True, exist_ok=True)
        place = path.resolve()
        if place.exists() and not place.is_file():
            place.write_bytes(content)
            return path
        with tempfile.TemporaryDirectory(prefix=".discoreport-", dir=place.parent) as scratch:
            unfinished = Path(scratch, "new")
            unfinished.touch(0o600 if private else 0o666)
            unfinished.write_bytes(content)
            if new:
                _put_anew(unfinished, place)
                return path
            if place.exists():
                shutil.copymode(place, unfinished)
            unfinished.replace(place)
    return path


def _put_anew(unfinished: Path, place: Path) -> None:
    """Give a file its place, where there is none."""
    try:
        os.link(unfinished, place)
    except FileExistsError:
        require_new(place)
        raise
    except OSError:  # not every file system has links
        place.touch(stat.S_IMODE(unfinished.stat().st_mode), exist_ok=False)
        try:
            place.write_bytes(unfinished.read_bytes())
        except OSError:
            place.unlink()
            raise
