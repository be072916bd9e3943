"""Measure how soon Cancel in the form ends whatever is under way, and how much memory it takes.

    python -m tests.benchmarks.cancelling                      # everything, 100,000 records a file
    python -m tests.benchmarks.cancelling sensitivity pdf      # these alone
    python -m tests.benchmarks.cancelling --records 20_000

A row for each task: how long it takes, its peak memory above what the process held before, and how long Cancel
takes to be noticed, at several moments of it: the longest, and at which second that was. Each task is a process of
its own; times are wall clock, so that a busy machine shows longer ones.
"""

import argparse
import asyncio
import contextlib
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from discoreport import examples
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.python_warnings import unwarned
from discoreport.charts.drawing.to_svg import _converted
from discoreport.form.model.background_work import Request, Worker
from discoreport.form.model.file_choice import Choice
from discoreport.form.model.report_files import write_all, write_report
from discoreport.form.model.state import FormState
from discoreport.form.widgets.style import get_ready_to_draw

MOMENTS = (0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98)
"""Parts of the whole time at which Cancel is pressed."""
LONGEST = 25.0
"""Seconds after which a task is cancelled that is only to be looked at; moments are parts of them, then."""
KEYS = ("sex", "age", "region", "settlement")
STEPS = [{"step": "remove replicated uniques"}]
ASKED = {
    "pooled": {"earlier": ["synthetic_3.parquet"]},
    "sensitivity": {"candidates": ["sex", "age", "region", "settlement", "marital", "education", "employment"]},
    "control": {"control": "control.parquet"},
    "membership": {"control": "control.parquet", "differing": "2"},
    "groups": {"by": ["region", "education"]},
    "release_size": {"draws": "1000", "sizes": ["5000", "50000"]},
    "releases": {"releases": {"another": ["synthetic_3.parquet"]}},
    "mitigation": {"steps": STEPS},
    "trade_off": {"steps": STEPS},
}
"""What is asked of each analysis; of the others as they are."""
TASKS = ("read parquet", "read csv", "assess", *ANALYSES, "html", "pdf", "bundle")


def write_files(folder, n):
    """Draw files of n records from the example survey: numbers moved a little, other variables now and then."""
    for seed, name in enumerate(("original", "synthetic_1", "synthetic_2", "synthetic_3", "control")):
        random = np.random.default_rng(seed)
        frame = examples.read(name).sample(n, replace=True, random_state=seed, ignore_index=True)
        frame["age"] = (frame["age"] + random.integers(-3, 4, n)).clip(16, 99)
        frame["income"] = frame["income"] + 10 * random.integers(-9, 10, n) * (frame["income"] > 0)
        for column in ("region", "settlement", "education"):
            moved = random.random(n) < 0.1
            frame.loc[moved, column] = frame[column].sample(int(moved.sum()), random_state=seed).to_numpy()
        frame.to_parquet(folder / f"{name}.parquet")
        frame.to_csv(folder / f"{name}.csv", index=False)


def form(ending, n_synthetic=2):
    """Choose the files in a form."""
    state = FormState("report", Choice())
    state.autosave.write = lambda _: None
    state.choice.choose(f"original{ending}", [f"synthetic_{place}{ending}" for place in range(1, n_synthetic + 1)])
    return state


def measured(name):
    """Give what a task does, as the form has it done."""
    if name.startswith("read "):
        return form(f".{name.removeprefix('read ')}").choice.open
    state = form(".parquet", 1 if name == "release_size" else 2)  # of several files nothing is drawn
    state.take(state.choice.open())
    keys, targets = KEYS, [one for one in state.files.facts if one not in KEYS]
    state.change(keys=keys, targets=tuple(targets), numeric_groups={"income": 20}, special_codes={"income": ("-8",)})
    if name == "assess":
        return state.compute
    state.accept(state.compute())
    if name in ANALYSES:
        state.questions.options[name] = ASKED.get(name, {})
        return lambda progress: state.ask(name, progress)
    get_ready_to_draw()  # as a form does once it has files
    path = Path(f"report.{name}")

    def written(progress):
        _converted.cache_clear()  # figures are drawn anew each time
        if name == "bundle":
            return write_all(state.ready(), Path("bundle"), "internal", progress)
        return write_report(state.ready(), path, "internal", progress, replace=True)

    return written


def memory():
    """Give the peak of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def took(work, cancelled_after=None):
    """Give how long a task takes; or how soon its being cancelled is noticed, None where it was done before."""
    ended, done = [], asyncio.Event()

    def end(result):
        ended.append(result)
        done.set()

    worker, started = Worker(lambda _: None), time.monotonic()
    worker.start(Request(work, end, end))
    if cancelled_after is None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), LONGEST)
        if not ended:
            worker.cancel()
            await done.wait()
        elif isinstance(ended[0], BaseException):
            raise ended[0]
        return time.monotonic() - started
    await asyncio.sleep(cancelled_after)
    if done.is_set():
        return None
    pressed = started + cancelled_after  # the loop may have been kept from running, too
    worker.cancel()
    await done.wait()
    return time.monotonic() - pressed


def one(name):
    """Measure one task; prints its row."""
    with unwarned():
        work = measured(name)
        before = memory()
        whole = asyncio.run(took(work))
        above = memory() - before
        waits = [(asyncio.run(took(work, part * whole)), part * whole) for part in MOMENTS]
    longest, at = max(((wait, at) for wait, at in waits if wait is not None), default=(0, 0))
    left = threading.active_count() - 1
    more = ">" if whole >= LONGEST else " "
    row = f"{name:14} {more}{whole:6.1f} s {above:7.0f} MB   {longest:5.2f} s at {at:6.2f} s   {left} threads left"
    print(row, flush=True)


def main():
    """Measure, each task in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", choices=[[], *TASKS], help="what is measured; by default everything")
    parser.add_argument("--records", type=int, default=100_000, help="records a file")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        one(chosen.one)
        return
    with tempfile.TemporaryDirectory() as made:
        write_files(Path(made), chosen.records)
        print(f"{chosen.records:,} records a file; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
        for name in chosen.tasks or TASKS:
            command = [sys.executable, "-m", "tests.benchmarks.cancelling", "--one", name]
            subprocess.run(
                command, cwd=made, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}, check=False
            )


if __name__ == "__main__":
    main()
