"""The form as a page of its own: Voila shows it, on this machine only, to whoever has the token."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from discoreport.errors import MissingPackageError
from discoreport.form.model.saved_form import DEFAULT_OUT, autosave_of

ADDRESS = "127.0.0.1"
PORT = 8866
LARGEST_UPLOAD = 500
"""MB that this page takes in one message."""
ALONE = 240
"""Seconds after which a kernel ends that no page is connected to, where the page couldn't say that it was closed."""
_LOOKED_FOR = 30
"""Seconds between two looks for such kernels."""
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
_NOTHING_FROM_ELSEWHERE = (
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; "
    f"connect-src 'self' ws://{ADDRESS}:*; frame-ancestors 'self'"
)
"""Voila's page names icons on a foreign server: the browser is told to fetch nothing from anywhere else."""

_CELL = """\
import os

os.chdir({folder!r})
from IPython.display import HTML, display
from discoreport import DisclosureForm

display(HTML({kernel_watch!r}))
DisclosureForm(
    {original!r}, {synthetic!r}, out={out!r}, largest_upload={largest_upload!r}, open_as={open_as!r}
)
"""


def serve(
    original: str | None = None,
    synthetic: Sequence[str] = (),
    *,
    out: str | Path = DEFAULT_OUT,
    port: int = PORT,
    open_browser: bool = True,
    theme: Theme = "light",
    open_as: str = "",
    tell: Callable[[str], object] = lambda _: None,
) -> None:
    """Show the form in a browser until the process is stopped.

    Parameters
    ----------
    original, synthetic
        Paths, relative ones taken from the present folder; by default they are chosen in the form.
    out
        Folder for the report.
    port
        Where to listen, on the loopback address only; another one is taken where it is in use.
    open_browser
        Whether to open a browser on it.
    theme
        "light" or "dark".
    open_as
        As for `DisclosureForm`.
    tell
        Called with the address to open.

    Raises
    ------
    MissingPackageError
        Where Voila is not installed.
    """
    try:
        from voila.app import Voila
    except ImportError:
        raise MissingPackageError(
            "The form as a page of its own needs the package voila, which the extra 'app' brings: "
            "pip install 'discoreport[app]'"
        ) from None
    token = secrets.token_urlsafe(24)
    with tempfile.TemporaryDirectory(prefix="discoreport-form-") as folder:
        path = Path(folder, "disclosure form.ipynb")
        path.write_text(notebook(original, list(synthetic), str(out), open_as), encoding="utf-8")
        options = {
            "ip": ADDRESS,
            "port": port,
            "token": token,
            "open_browser": open_browser,
            "tornado_settings": {
                "headers": {"Content-Security-Policy": _NOTHING_FROM_ELSEWHERE},
                "websocket_max_message_size": (LARGEST_UPLOAD + 1) * 10**6,  # the file, and what is said of it
            },
            "log_level": "WARN",
        }
        page = _looks_after_kernels(Voila)(config=_kernels(), **options)
        page.initialize([str(path), f"--theme={theme}"])
        _tell_when_ready(page, tell)
        page.start()


def _kernels() -> Any:
    """Let server and kernel talk through sockets in a folder of this user's; end kernels that nobody is connected to.

    By default they talk through ports, from which any user of this machine can read all that the form shows.
    """
    from traitlets.config import Config

    config = Config()
    if os.name == "posix":
        config.KernelManager.transport = "ipc"
        # The name of a socket has about a hundred signs at most, which those of other temporary folders may exceed.
        config.Voila.connection_dir_root = "/tmp"  # noqa: S108  # a folder of its own is made there, for this user alone
    config.KernelManager.autorestart = False  # a new one would know nothing of the form, and the page not of it
    config.MappingKernelManager.cull_idle_timeout = ALONE
    config.MappingKernelManager.cull_interval = min(_LOOKED_FOR, ALONE)
    return config


def _tell_when_ready(page: Any, tell: Callable[[str], object]) -> None:
    """Have the address told once the server listens: only then is its port known."""
    import tornado.ioloop

    def told() -> None:
        tell(f"http://{ADDRESS}:{page.port}/?token={page.token}")

    tornado.ioloop.IOLoop.current().add_callback(told)


def _looks_after_kernels(voila: Any) -> Any:
    """Have a server answer pages that ask whether their kernel is alive, and end it with its page."""
    from jupyter_server.base.handlers import JupyterHandler
    from tornado.web import authenticated

    class KernelOfPage(JupyterHandler):  # type: ignore[misc]
        @authenticated
        async def get(self, kernel: str) -> None:
            kernels: Any = self.kernel_manager
            alive = kernel in kernels and await kernels.get_kernel(kernel).is_alive()
            self.finish({"alive": bool(alive)})

        @authenticated
        async def post(self, kernel: str) -> None:
            kernels: Any = self.kernel_manager
            if kernel in kernels:
                await kernels.shutdown_kernel(kernel, now=True)
            self.finish({})

        def check_xsrf_cookie(self) -> None:
            """Pages have no such cookie; nobody else knows the name of their kernel."""

    class Page(voila):  # type: ignore[misc]
        def init_handlers(self) -> list[Any]:
            return [(r"/discoreport/kernel/([^/]+)", KernelOfPage), *super().init_handlers()]

    return Page


def notebook(original: str | None, synthetic: list[str], out: str, open_as: str) -> str:
    """Write the notebook that the page shows: one cell with the form, and with what looks after its kernel.

    The page says so where the program behind it has ended, and ends it once it is closed.
    """
    import nbformat
    from nbformat.v4 import new_code_cell, new_notebook

    from discoreport.form.widgets.html import page

    source = _CELL.format(
        folder=str(Path.cwd()),
        original=original,
        synthetic=synthetic or None,
        out=out,
        largest_upload=LARGEST_UPLOAD,
        open_as=open_as,
        kernel_watch=str(page("kernel_watch", saved=autosave_of(out).name)),
    )
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"title": "Disclosure report", "kernelspec": kernel}
    written: str = nbformat.writes(new_notebook(cells=[new_code_cell(source, id="form")], metadata=metadata))
    return written
