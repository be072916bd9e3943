"""Work in several threads is ended by what ends the one that waits for it."""

import contextlib
import threading
import time

import pytest

from discoreport.data.interruptible_call import wait_for
from tests.counting import gather
from tests.engines import Engine, connect_duckdb
from tests.forms import Cancelled, Interruptible


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


def test_a_call_of_a_library_is_told_to_stop_and_waited_for():
    stopped, done = threading.Event(), []

    def call():
        stopped.wait(20)
        time.sleep(0.05)
        done.append(True)

    assert isinstance(ended(lambda: wait_for(call, stopped.set)), Cancelled)
    assert done == [True]


def test_an_error_in_a_call_is_raised_where_it_is_waited_for():
    with pytest.raises(ZeroDivisionError):
        wait_for(lambda: 1 / 0)


def test_a_query_of_duckdb_is_ended_and_its_connection_goes_on():
    pytest.importorskip("duckdb")
    pytest.importorskip("ibis")
    with connect_duckdb(Engine("duckdb")) as connection:

        def ask(query):
            return connection.ask(lambda: connection.backend.raw_sql(query).fetchall())

        hours = "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b"
        assert isinstance(ended(lambda: ask(hours)), Cancelled)
        assert ask("SELECT 1") == [(1,)]


def test_work_that_begins_threads_is_ended_and_none_of_them_in_its_place():
    def begins_threads():
        while True:
            one = threading.Thread(target=lambda: None, daemon=True)
            one.start()
            one.join()

    def is_ended():
        doing = Interruptible()

        def work():
            with contextlib.suppress(Cancelled):
                doing.call(begins_threads)

        at_work = threading.Thread(target=work, daemon=True)
        at_work.start()
        for _ in range(100):
            if at_work.is_alive():
                doing.interrupt()
                at_work.join(0.02)
        return not at_work.is_alive()

    assert all(is_ended() for _ in range(20))
