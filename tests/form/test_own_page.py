"""The form as a page of its own: who can read what it shows."""

import os
import re
import stat
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from jupyter_client import BlockingKernelClient

from tests.servers import environment

pytestmark = pytest.mark.browser
ALONE = 8
"""Seconds after which kernels end here that nobody is connected to."""


@pytest.fixture
def address(tmp_path):
    """A page whose kernels end soon where nobody is connected to them, and its process."""
    pytest.importorskip("voila")
    code = (
        "from discoreport.form import standalone_page as page\n"
        f"page.ALONE = {ALONE}\n"
        "page.serve(open_browser=False, tell=lambda at: print(at, flush=True))"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        yield re.search(r"http://\S+", started.stdout.readline())[0], started
    finally:
        started.terminate()
        started.wait(20)
        started.stdout.close()


@pytest.fixture
def server(address):
    with urllib.request.urlopen(address[0], timeout=300) as page:  # which starts a kernel
        page.read()
    return address[1]


def kernels(server):
    psutil = pytest.importorskip("psutil")
    children = psutil.Process(server.pid).children(recursive=True)
    return [one for one in children if one.status() != psutil.STATUS_ZOMBIE and "ipykernel" in " ".join(one.cmdline())]


def until(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.1)


def test_a_kernel_that_nobody_is_connected_to_ends(server):
    assert kernels(server)
    until(lambda: not kernels(server))
    assert server.poll() is None


def test_a_page_says_what_to_do_where_its_kernel_was_killed_and_ends_it_when_it_is_closed(address, browser, tmp_path):
    at, server = address
    page = browser.new_page()
    page.goto(at, timeout=300_000)
    page.get_by_text("Try it with the example survey").click(timeout=300_000)
    page.get_by_text("Do they match?").wait_for(timeout=120_000)
    before = (tmp_path / "disclosure-report.form.json").read_bytes()
    time.sleep(2 * ALONE)  # in which nothing happens to a kernel that a page is connected to
    kernels(server)[0].kill()
    page.get_by_text("The kernel stopped").wait_for(timeout=60_000)
    assert page.get_by_role("alert").filter(has_text="Your form is saved in disclosure-report.form.json").is_visible()
    page.get_by_role("button", name="Reload to open it").click()
    page.get_by_text("There is an earlier form").wait_for(timeout=300_000)
    assert "It is open" not in page.inner_text("body")
    assert kernels(server)
    page.close()
    until(lambda: not kernels(server))
    assert (tmp_path / "disclosure-report.form.json").read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="only there are sockets that belong to a user")
def test_no_other_user_can_reach_the_kernel(server):
    psutil = pytest.importorskip("psutil")
    assert kernels(server)
    for kernel in kernels(server):
        file = Path(next(word for word in kernel.cmdline() if word.endswith(".json")))
        sockets = [path for path in file.parent.iterdir() if stat.S_ISSOCK(path.stat().st_mode)]
        assert sockets
        assert not file.parent.stat().st_mode & 0o077
        ports = [one.laddr.port for one in kernel.net_connections("inet") if one.status == psutil.CONN_LISTEN]
        assert heard(file, ports) == 0


def heard(file, ports):
    """Count what somebody hears who listens at the ports of a kernel while it says something."""
    zmq, client = pytest.importorskip("zmq"), BlockingKernelClient(connection_file=str(file))
    client.load_connection_file()
    client.start_channels()
    with zmq.Context() as context, context.socket(zmq.SUB) as listener:
        listener.subscribe(b"")
        listener.setsockopt(zmq.LINGER, 0)
        for port in ports:
            listener.connect(f"tcp://127.0.0.1:{port}")
        time.sleep(1)
        client.execute_interactive("print('seen')", timeout=60, output_hook=lambda _: None)
        n = listener.poll(1000)
    client.stop_channels()
    return n
