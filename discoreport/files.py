"""Files: how they end, what is in them, and how they are written as a whole or not at all."""

from __future__ import annotations

import base64
import contextlib
import ctypes
import datetime
import errno
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from discoreport.errors import DataError, require_new, writing

try:
    import fcntl
except ImportError:  # not on Windows, where nothing that a killed run has left is swept
    fcntl = None  # type: ignore[assignment]

_WORKSHOP = ".discoreport-unfinished-"
"""Begins the name of the folder in which something is made ready for its place."""
_LOCK, _FORMER = "for", "former"
_HERE, _EXCHANGE = -100, 2
"""Linux's numbers for paths from the present folder, and for letting two of them change places."""


def keep_open(*numbers: int) -> None:
    """Let standard input or output that is closed lead nowhere: else the next file that is opened is taken for it.

    Parameters
    ----------
    numbers
        0 for input, 1 for output, 2 for errors.
    """
    for number in sorted(numbers):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)


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
        with workshop(place) as scratch:
            unfinished = scratch / "new"
            unfinished.touch(0o600 if private else 0o666)
            unfinished.write_bytes(content)
            _on_disk(unfinished)
            if new:
                _put_anew(unfinished, place)
            else:
                if place.exists():
                    shutil.copymode(place, unfinished)
                unfinished.replace(place)
            _on_disk(place.parent)
    return path


def in_place_of(path: Path, content: bytes | None = None) -> str:
    """Say which earlier file or folder something takes the place of; "" where there is none, or the same in it.

    Parameters
    ----------
    path
        Where it is going to be written.
    content
        Of the new file.
    """
    try:
        same = path.is_file() and content is not None and path.read_bytes() == content
        if not path.exists() or same or (path.is_dir() and not any(path.iterdir())):
            return ""
    except OSError:  # writing will say what is wrong
        return ""
    when = datetime.datetime.fromtimestamp(path.stat().st_mtime).strftime("%Y-%m-%d %H:%M")  # local time
    kind = "folder" if path.is_dir() else "file"
    return f"'{path}' takes the place of the {kind} that was written there on {when}."


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


def inside(folder: Path) -> Iterator[Path]:
    """List all that lies in a folder, in its folders, too; links are not followed.

    Raises
    ------
    OSError
        Where a folder can't be looked into: what isn't seen may be anybody's.
    """
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        yield Path(entry.path)
        if entry.is_dir(follow_symlinks=False):
            yield from inside(Path(entry.path))


@contextlib.contextmanager
def workshop(place: Path) -> Iterator[Path]:
    """Make a folder beside a place, to make ready what comes there; it is gone afterwards.

    What a killed run has left of such folders is swept by the next one. Where that run had taken an
    earlier bundle away and not put the new one into its place, the earlier one is put back.
    """
    _sweep(place.parent)
    scratch = Path(tempfile.mkdtemp(prefix=_WORKSHOP, dir=place.parent))
    try:
        with (scratch / _LOCK).open("w", encoding="utf-8", errors="surrogateescape") as lock:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)  # the system lets go of it, however the process ends
            lock.write(place.name)
            lock.flush()
            yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _sweep(folder: Path) -> None:
    """Clear away what runs that were killed have left in a folder."""
    if fcntl is None:
        return
    for left in folder.glob(f"{_WORKSHOP}*"):
        with contextlib.suppress(OSError), (left / _LOCK).open(encoding="utf-8", errors="surrogateescape") as lock:
            if left.is_symlink() or left.stat().st_uid != os.getuid():
                continue
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # held where that run is still at work
            former, place = left / _FORMER, folder / Path(lock.read()).name
            if former.is_dir() and not place.exists():
                former.rename(place)
            shutil.rmtree(left, ignore_errors=True)


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a new folder, and have them on the disk before anything relies on it."""
    folder.mkdir()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        _on_disk(path)
    for path in (*inside(folder), folder):
        if path.is_dir():
            _on_disk(path)


def take_place(unfinished: Path, folder: Path) -> Path | None:
    """Put a new folder in the place of an earlier one, at once where the system can do that.

    Parameters
    ----------
    unfinished
        In a `workshop` of the folder.
    folder
        There, or not.

    Returns
    -------
    Path or None
        Where the earlier one is now.
    """
    former: Path | None = None
    if not folder.exists():
        unfinished.replace(folder)
    elif exchanged(unfinished, folder):
        former = unfinished
    else:
        former = _exchanged_in_two_steps(unfinished, folder)
    _on_disk(folder.parent)
    return former


def _exchanged_in_two_steps(unfinished: Path, folder: Path) -> Path:
    former = unfinished.with_name(_FORMER)
    try:
        folder.replace(former)
        unfinished.replace(folder)
    except BaseException:
        if former.exists() and not folder.exists():
            former.replace(folder)
        raise
    return former


def exchanged(one: Path, other: Path) -> bool:
    """Let two folders change places, so that there is one in each place at any time; False where the system can't."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):  # only Linux has it
        return False
    if not rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE):
        return True
    number = ctypes.get_errno()
    if number in (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP):  # not every file system can
        return False
    raise OSError(number, os.strerror(number), str(other))


def _on_disk(path: Path) -> None:
    """Wait until a file, or the list of a folder, is on the disk."""
    if os.name != "posix":
        return
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.EOPNOTSUPP):  # not every file system can
            raise
    finally:
        os.close(opened)
