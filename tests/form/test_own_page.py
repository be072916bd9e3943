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


@pytest.fixture
def server(tmp_path):
    pytest.importorskip("voila")
    command = [sys.executable, "-m", "discoreport", "form", "--no-browser"]
    started = subprocess.Popen(
        command, cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        address = re.search(r"http://\S+", started.stdout.readline())[0]
        with urllib.request.urlopen(address, timeout=300) as page:  # which starts a kernel
            page.read()
        yield started
    finally:
        started.terminate()
        started.wait(20)
        started.stdout.close()


@pytest.mark.skipif(os.name != "posix", reason="only there are sockets that belong to a user")
def test_no_other_user_can_reach_the_kernel(server):
    psutil = pytest.importorskip("psutil")
    kernels = [
        one for one in psutil.Process(server.pid).children(recursive=True) if "ipykernel" in " ".join(one.cmdline())
    ]
    assert kernels
    for kernel in kernels:
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
