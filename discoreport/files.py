"""Write a file as a whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from discoreport.errors import writing


def write_file(path: str | Path, content: bytes) -> Path:
    """Write a file that takes the place of an earlier one at once.

    Parameters
    ----------
    path
        Where; its folder is made if need be. A link stays one, and so does a pipe.
    content
        All of it.

    Returns
    -------
    Path
        The file written.

    Raises
    ------
    OutputError
        Where it can't be written. What was there before is still there.
    """
    path = Path(path)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        place = path.resolve()
        if place.exists() and not place.is_file():
            place.write_bytes(content)
            return path
        with tempfile.TemporaryDirectory(prefix=".discoreport-", dir=place.parent) as scratch:
            unfinished = Path(scratch, "new")
            unfinished.write_bytes(content)
            if place.exists():
                shutil.copymode(place, unfinished)
            unfinished.replace(place)
    return path
