"""Measure how long whole reports take, and print a table.

    python -m tests.benchmarks.reports            # all
    python -m tests.benchmarks.reports demo 192   # some of them

The command line is run as a user runs it, from files to bundle, in a process of its own: wall clock, time of the
processor, peak of memory, pages. The demo's page and PDF are timed apart. A machine that is loaded takes longer, by
the processor's time, too: the yardstick, the same loop before each case, says how fast it is just then.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pypdf

from tests.benchmarks.run import of_a_survey

KEYS = ["sex", "age", "region", "size", "education"]
CASES = {"50": (50, 20, 10), "192": (192, 25, 15), "603": (598, 25, 20)}
"""Targets, and the pages and seconds that they may take."""
APART = """
import time
from discoreport import Report, assess, examples, read_documentation, read_policy

said, policy = read_documentation(examples.FOLDER / "documentation.toml"), read_policy(examples.FOLDER / "policy.toml")
assessment = assess(examples.path("original"), examples.path("synthetic_1"), **examples.SETTINGS)
report = Report(assessment.with_policy(policy).with_documentation(said))
for what in ("html", "pdf"):
    wall, cpu = time.perf_counter(), time.process_time()
    getattr(report, what)
    print(f"  of which {what}: {time.perf_counter() - wall:.1f} s, processor {time.process_time() - cpu:.1f} s")
"""


def yardstick():
    start, total = time.process_time(), 0
    for number in range(4_000_000):
        total += number & 7
    return time.process_time() - start


def measured(what, command, folder=None):
    """Run a command, and print what it took."""
    stick, wall = yardstick(), time.perf_counter()
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall, cpu = time.perf_counter() - wall, used.ru_utime + used.ru_stime
    pages = len(pypdf.PdfReader(folder / "report.pdf").pages) if folder else 0
    took = f"{wall:>7.1f} s   processor {cpu:>6.1f} s   {used.ru_maxrss / 1024:>6.0f} MB   {pages or '-':>3} pages"
    now = f"yardstick {stick:.2f} s   load {os.getloadavg()[0]:.0f}{'' if status == 0 else '   FAILED'}"
    print(f"{what:<34}{took}   {now}", flush=True)


def demo():
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        measured("demo, files to bundle", ["-m", "discoreport", "demo", "--out", str(out)], out)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", APART], capture_output=True, text=True, check=True)
    print(done.stdout, end="")


def of_many(n_targets):
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / f"{seed}.csv") for seed in (1, 2)]
        for seed, file in enumerate(files):
            of_a_survey(5_000, n_targets + len(KEYS), seed).to_csv(file, index=False)
        out = Path(folder) / "out"
        keys = [f"--key={name}" for name in KEYS]
        measured(
            f"{n_targets} targets, files to bundle",
            ["-m", "discoreport", "assess", *files, *keys, "--out", str(out)],
            out,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", help=f"demo, {', '.join(CASES)}; none: all")
    chosen = parser.parse_args().cases or ["demo", *CASES]
    for case in chosen:
        if case == "demo":
            demo()
        else:
            of_many(CASES[case][0])
