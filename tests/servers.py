"""JupyterLab and Voila for browser tests: real servers on this machine, with nothing of the user's settings."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import nbformat


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment(folder):
    """Variables for a server that finds no settings but its own."""
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTERLAB_SETTINGS_DIR")
    own = {name: str(folder / name.lower()) for name in names}
    return {**os.environ, **own, "JUPYTER_PLATFORM_DIRS": "1", "PYTHONWARNINGS": "ignore"}


@contextlib.contextmanager
def running(command, folder, address, log="server.log"):
    """Start a server, wait until it answers, and stop it in the end."""
    with (folder / log).open("w") as written:
        process = subprocess.Popen(command, cwd=folder, env=environment(folder), stdout=written, stderr=written)
        try:
            wait_for(address, process, folder / log)
            yield process
        finally:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_for(address, process, log, seconds=90):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise AssertionError(f"the server ended:\n{log.read_text()}")
        try:
            urllib.request.urlopen(address, timeout=5)
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.3)
        else:
            return
    raise AssertionError(f"no answer from {address}:\n{log.read_text()}")


@contextlib.contextmanager
def lab(folder, theme="JupyterLab Light", application="jupyterlab"):
    """JupyterLab or Notebook 7 ("notebook") on a folder; gives its address."""
    settings = folder / "jupyterlab_settings_dir" / "@jupyterlab"
    for name, content in {
        "apputils-extension/themes": {"theme": theme},
        "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True},
        "notebook-extension/tracker": {"windowingMode": "none", "recordTiming": False},
    }.items():
        path = settings / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
    widgets = folder / "jupyterlab_settings_dir" / "@jupyter-widgets" / "jupyterlab-manager"
    widgets.mkdir(parents=True, exist_ok=True)
    (widgets / "plugin.jupyterlab-settings").write_text(json.dumps({"saveState": True}))
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [
        sys.executable, "-m", application, "--no-browser", "--allow-root", "--ip", "127.0.0.1", "--port", str(port),
        "--IdentityProvider.token=", "--ServerApp.password=", "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--LabApp.extension_manager=readonly",
    ]  # fmt: skip
    with running(command, folder, f"{address}/api"):
        yield address


def notebook(path, *cells):
    """Write a notebook of code cells."""
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    made.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(made, path)
    return path
