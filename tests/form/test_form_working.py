"""Work beside the form, as a notebook's event loop sees it: progress, cancelling, the latest request wins."""

import asyncio
import contextlib
import threading
import time

import pandas as pd
import pytest

from discoreport import ComparisonWarning, DisclosureForm, assess, examples
from discoreport.assessment.analyses import groups
from discoreport.form.model import autosave as saving
from discoreport.form.panels import approver_questions
from tests.engines import assert_same
from tests.forms import (
    Cancelled,
    Interruptible,
    Request,
    Saved,
    Worker,
    count_with,
    enter,
    find,
    press,
    shown,
    step,
    write_saved,
)


async def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        await asyncio.sleep(0.01)


async def after_a_run(files):
    """A form that has run."""
    form = DisclosureForm(*files)
    await until(lambda: not form.tasks.busy)
    form.state.set_role("village", "key")
    form.tasks.run()
    await until(lambda: not form.tasks.busy)
    return form


@pytest.fixture
def seen():
    return []


def request(seen, name, *, wait=None, error=None, reached=None):
    def work(progress):
        for place in range(50):
            progress(place, 50, name)
            if reached is not None:
                reached.append(place)
            if wait is None:
                break
            wait.wait(0.02)
        if error:
            raise error
        return name

    return Request(work, seen.append, lambda problem: seen.append(type(problem).__name__))


def test_the_latest_request_wins(seen):
    async def go():
        worker, wait = Worker(lambda _: None), threading.Event()
        worker.start(request(seen, "first", wait=wait))
        worker.start(request(seen, "second", wait=wait))
        worker.start(request(seen, "third"))
        await until(lambda: not worker.busy)

    asyncio.run(go())
    assert seen == ["Cancelled", "third"]


def test_a_request_of_another_thread_is_not_lost_where_the_one_before_it_ends_just_then(seen):
    first_may_end = threading.Event()

    class Unwanted(threading.Event):
        def set(self):
            super().set()
            first_may_end.set()
            time.sleep(0.2)  # in which the first request ends

    async def go():
        worker = Worker(lambda _: None)
        first = Request(lambda _: first_may_end.wait(10), seen.append, lambda error: seen.append(type(error).__name__))
        first.unwanted = Unwanted()
        worker.start(first)
        await asyncio.to_thread(worker.start, request(seen, "second"))
        await until(lambda: len(seen) == 2)

    asyncio.run(go())
    assert seen == ["Cancelled", "second"]


def test_two_threads_that_save_set_nothing_aside(tmp_path, monkeypatch):
    written = threading.Event()

    def write(path, saved):
        write_saved(path, saved)
        written.set()
        time.sleep(0.2)  # in which the second thread sees the file

    monkeypatch.setattr(saving, "write_saved", write)
    autosave, saved = saving.Autosave(), Saved(out=str(tmp_path / "report"))
    first = threading.Thread(target=autosave.write, args=[saved])
    first.start()
    written.wait(10)
    autosave.write(saved)
    first.join()
    assert [path.name for path in tmp_path.iterdir()] == ["report.form.json"]


def test_results_and_errors_arrive_in_the_thread_that_asked(seen):
    async def go():
        worker = Worker(lambda _: None)
        here = threading.get_ident()
        threads = []
        worker.start(Request(lambda _: threading.get_ident(), threads.append, seen.append))
        await until(lambda: not worker.busy)
        assert threads[0] != here
        worker.start(request(seen, "x", error=ValueError()))
        await until(lambda: not worker.busy)

    asyncio.run(go())
    assert seen == ["ValueError"]


def test_progress_is_shown_for_long_work_only_and_cancelling_ends_it(seen, progress_at_once):
    shown, reached = [], []

    async def go():
        worker = Worker(shown.append)
        worker.start(request(seen, "quick"))
        await until(lambda: not worker.busy)
        assert shown == [None]
        worker.start(request(seen, "slow", wait=threading.Event(), reached=reached))
        await until(lambda: len(shown) > 2)
        worker.cancel()
        await until(lambda: not worker.busy)

    asyncio.run(go())
    assert seen == ["quick", "Cancelled"]
    assert shown[1][2] == "slow"
    assert len(reached) < 50
    assert shown[-1] is None


def test_cancelling_ends_work_that_never_says_how_far_it_is(seen):
    begun = threading.Event()

    def work(_):
        begun.set()
        while True:
            with contextlib.suppress(Exception):  # as libraries do
                time.sleep(0.01)

    async def go():
        worker = Worker(lambda _: None)
        worker.start(Request(work, seen.append, lambda error: seen.append(type(error).__name__)))
        await until(begun.is_set)
        worker.cancel()
        await until(lambda: not worker.busy)
        worker.start(request(seen, "next"))
        await until(lambda: not worker.busy)

    asyncio.run(go())
    assert seen == ["Cancelled", "next"]


def test_what_was_cancelled_too_late_ends_nothing_else():
    doing = Interruptible()
    for _ in range(200):
        one = threading.Thread(target=doing.interrupt)
        with contextlib.suppress(Cancelled):
            doing.call(one.start)
        one.join()
        doing.interrupt()
        sum(range(1000))  # in which nothing is raised


@pytest.mark.slow
def test_cancelling_a_run_leaves_the_form_as_it_was(folder, drawn, progress_at_once):

    def slow(progress, settings):
        for place in range(200):
            progress(place, 200, "counting")
            time.sleep(0.01)

    async def go():
        form = DisclosureForm(examples.read("original"), examples.read("synthetic_1"))
        await until(lambda: form.state.files is not None)
        form.state.set_role("sex", "key")
        await until(lambda: not form.tasks.busy)
        before = form.assessment
        count_with(form, slow)
        form.open_step("Results")
        results = form.panel("Results")
        results.run.click()
        assert results.run.disabled
        await until(lambda: form.header.bar.layout.display == "")
        assert "counting" in form.header.said.value
        form.header.cancel.click()
        await until(lambda: not form.tasks.busy)
        assert form.assessment == before
        assert not results.run.disabled
        assert form.header.bar.layout.display == "none"

    asyncio.run(go())


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("module", "name", "button"),
    [(groups, "prepare", "Run: Groups"), (approver_questions, "mitigate", "Write the new file")],
)
def test_cells_are_warned_while_the_form_works(small_files, folder, drawn, monkeypatch, module, name, button):
    at_work, go_on = threading.Event(), threading.Event()
    real = getattr(module, name)

    def held(*files, **options):
        at_work.set()
        go_on.wait(10)
        return real(*files, **options)

    async def go():
        form = await after_a_run(small_files)
        step(form, "Questions")
        press(form, "Add the step")
        press(form, "Run: Before and after")
        await until(lambda: not form.tasks.busy)
        enter(form, "New file", "released.csv")
        monkeypatch.setattr(module, name, held)
        with pytest.warns(ComparisonWarning):
            await assess_meanwhile(form)
        go_on.set()
        await until(lambda: not form.tasks.busy)

    async def assess_meanwhile(form):
        press(form, button)
        await until(at_work.is_set)
        assess(pd.DataFrame({"sex": ["f", "m"] * 20}), pd.DataFrame({"sex": ["F", "M"] * 20}), keys=["sex"])

    asyncio.run(go())


@pytest.mark.slow
def test_an_answer_is_shown_though_its_drawing_was_given_up_for_another(small_files, folder, drawings):
    drawing, go_on = threading.Event(), threading.Event()

    def before():
        if drawings[-1] == "groups":
            drawing.set()
            go_on.wait(10)

    drawings.before = before

    async def go():
        form = await after_a_run(small_files)
        step(form, "Questions")
        press(form, "Run: Groups")
        await until(drawing.is_set)
        step(form, "Results")
        go_on.set()
        step(form, "Questions")
        await until(lambda: "The group that stands out most" in shown(form))

    asyncio.run(go())


@pytest.mark.slow
def test_a_run_of_a_saved_form_is_counted_again_beside_it_to_be_compared(small_files, folder, drawn):
    counted_in = []

    async def go():
        form = await after_a_run(small_files)
        form.state.change(max_denominator=9)
        form.tasks.run()
        await until(lambda: not form.tasks.busy)
        again = DisclosureForm.load("disclosure-report.form.json")
        await until(lambda: not again.tasks.busy)
        real = again.state.compute

        def noted(*given, **options):
            counted_in.append(threading.get_ident())
            return real(*given, **options)

        count_with(again, noted)
        press(again, "Compare")
        assert find(again, "Compare").disabled
        await until(lambda: "max_denominator" in shown(again))
        assert len(counted_in) == 1  # the latest was counted when the form was taken up
        assert threading.get_ident() not in counted_in
        press(again, "Compare")
        await until(lambda: not again.tasks.busy)
        assert len(counted_in) == 1

    asyncio.run(go())


@pytest.mark.slow
def test_files_beyond_memory_are_counted_where_they_are(small_files, folder, drawn):
    pytest.importorskip("duckdb")
    for file in small_files:
        (folder / file.stem).mkdir()
        pd.read_csv(file).to_parquet(folder / file.stem / "1.parquet")

    async def go():
        form = DisclosureForm("original/*.parquet", "synthetic/*.parquet")
        await until(lambda: form.state.files is not None)
        assert form.state.files.engine == "duckdb"
        form.state.change(keys=("village",), targets=("trade",), two_way_threshold=(1, 50.0))
        await until(lambda: not form.tasks.busy)
        form.open_step("Results")
        form.panel("Results").run.click()
        await until(lambda: not form.tasks.busy)
        return form

    form = asyncio.run(go())
    settings = form.assessment.settings
    again = assess(*small_files, **settings.model_dump(exclude_unset=True))
    assert_same(form.assessment, again)
    assert form.state.key_figures.results[0].values == pytest.approx(again.outcome.identity[0].values)
    form.open_step("Checks")
    assert "Excluding it would take" in form.panel("Checks").cards[0].consequence.value
    form.state.files.close()
