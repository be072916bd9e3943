"""Work in several threads is ended by what ends the one that waits for it."""

import threading
import time

from discoreport.form.model.interruption import Cancelled, Interruptible
from discoreport.measures.parallel import gather


def ended(function):
    """Call a function in a thread, end it, and give what it ended in."""
    doing, found = Interruptible(), []

    def work():
        try:
            found.append(doing.call(function))
        except BaseException as error:  # noqa: BLE001
            found.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        time.sleep(0.05)
        doing.interrupt()
        thread.join(1)
    return found[0]


def test_what_several_threads_do_is_ended():
    def endless():
        while True:
            time.sleep(0.02)
            yield 0

    assert isinstance(ended(lambda: list(gather([endless(), endless()]))), Cancelled)
