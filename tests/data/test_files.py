"""Files are written as a whole or not at all."""

import os
import stat

import pytest

from discoreport.errors import OutputError
from tests.stand_ins import full_disk
from tests.tables import write_file


def test_a_file_is_written_into_a_new_folder_and_replaced(tmp_path):
    path = write_file(tmp_path / "new" / "record.json", b"1")
    path.chmod(0o640)
    assert write_file(path, b"22").read_bytes() == b"22"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [one.name for one in path.parent.iterdir()] == ["record.json"]


def test_a_write_that_fails_leaves_the_earlier_file(tmp_path):
    path = write_file(tmp_path / "record.json", b"whole")
    with full_disk(99), pytest.raises(OutputError, match="File too large"):
        write_file(path, bytes(100))
    assert path.read_bytes() == b"whole"
    assert [one.name for one in tmp_path.iterdir()] == ["record.json"]


@pytest.fixture
def no_links(monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", refuse)


def test_a_new_file_takes_no_place_of_another_also_where_there_are_no_links(tmp_path, no_links, monkeypatch):
    assert write_file(tmp_path / "a", b"x", new=True).read_bytes() == b"x"
    with pytest.raises(OutputError, match="exists"):
        write_file(tmp_path / "a", b"y", new=True)
    monkeypatch.setattr("discoreport.files.require_new", lambda _: None)
    with pytest.raises(OutputError):
        write_file(tmp_path / "a", b"y", new=True)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"x"]


def test_a_private_file_is_for_its_owner_alone_also_where_there_are_no_links(tmp_path, request):
    paths = [write_file(tmp_path / "linked", b"1", new=True, private=True)]
    request.getfixturevalue("no_links")
    paths.append(write_file(tmp_path / "written", b"1", new=True, private=True))
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths} == {0o600}
    assert {path.read_bytes() for path in paths} == {b"1"}


def test_a_link_stays_a_link(tmp_path):
    write_file(tmp_path / "file", b"1")
    (tmp_path / "link").symlink_to("file")
    write_file(tmp_path / "link", b"2")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"2"


def test_a_pipe_is_written_into(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_file(tmp_path / "pipe", b"1")
    assert os.read(reader, 9) == b"1"
    os.close(reader)
