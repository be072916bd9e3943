"""Measure the engines beyond memory: time and peak memory for 1, 10 and 100 million records on each side.

    python tests/benchmarks/large.py                          # 1 and 10 million, DuckDB
    python tests/benchmarks/large.py 100_000_000              # so many
    python tests/benchmarks/large.py 10_000_000 --unique      # every key combination occurs once
    python tests/benchmarks/large.py 10_000_000 --engine spark --master "local-cluster[2,1,1024]"
    python tests/benchmarks/large.py 10_000_000 --engine duckdb --engine spark   # and compare their figures

The files are made with DuckDB from a hash of the record's number: the same on every machine. They go into
a temporary folder (--folder says where) and are removed afterwards. Each run is a process of its own;
memory is the peak of that process and, for Spark, of its workers, sampled every 0.2 seconds.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import duckdb

KEYS = ["region", "age_class", "sex", "occupation"]
TARGETS = ["health", "income_class"]
LEVELS = {"region": 18, "age_class": 12, "sex": 2, "occupation": 19, "health": 6, "income_class": 9}
UNIQUE = {"region": 1000, "age_class": 100, "sex": 2, "occupation": 1000}
PER_FILE = 10_000_000


def make(folder, n, side, unique):
    """Write n records as Parquet files of at most ten million."""
    folder.mkdir(parents=True)
    salt = 1 if side == "original" else 2
    columns = []
    radix = 1
    for name, n_levels in LEVELS.items():
        value = f"hash(i * 31 + {salt}, '{name}') % {n_levels}"
        if unique and name in UNIQUE:  # the digits of the record's number: no combination occurs twice
            value = f"(i // {radix}) % {UNIQUE[name]}"
            radix *= UNIQUE[name]
        columns.append(f"'{name} ' || ({value}) AS {name}")
    with duckdb.connect() as connection:
        connection.execute("SET memory_limit='2GB'; SET preserve_insertion_order=false")
        for start in range(0, n, PER_FILE):
            # The two sides of a file of unique keys share half of their combinations.
            shift = n // 2 if unique and side == "synthetic" else 0
            numbers = f"range({start + shift}, {min(start + PER_FILE, n) + shift}) AS numbers(i)"
            path = folder / f"{start // PER_FILE:04d}.parquet"
            connection.execute(f"COPY (SELECT {', '.join(columns)} FROM {numbers}) TO '{path}' (FORMAT parquet)")


def run_one(arguments):
    """Assess in this process and print figures and seconds."""
    from discoreport import assess

    start = time.perf_counter()
    assessment = assess(
        str(Path(arguments.folder) / "original" / "*.parquet"),
        str(Path(arguments.folder) / "synthetic" / "*.parquet"),
        keys=KEYS,
        targets=TARGETS,
        engine=arguments.engine[0],
        memory_limit=arguments.memory_limit,
        temporary_directory=arguments.folder,
        spark_master=arguments.master,
    )
    figures = {}
    for result in assessment.outcome.results:
        figures |= {f"{result.target} {name}": value for name, value in result.values.items()}
    print(json.dumps({"seconds": time.perf_counter() - start, "figures": figures}))


def resident(process):
    """Give the resident memory of a process and all of its children, in MB."""
    pages = 0
    waiting = [process]
    while waiting:
        number = waiting.pop()
        try:
            pages += int(Path(f"/proc/{number}/statm").read_text().split()[1])
            for task in Path(f"/proc/{number}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except (OSError, IndexError):
            continue
    return pages * 4096 / 2**20


def measured(engine, folder, arguments):
    """Run one engine in a process of its own, and sample its memory and the disk it takes."""
    command = [sys.executable, __file__, "--run", "--folder", str(folder), "--engine", engine]
    command += ["--memory-limit", arguments.memory_limit] if engine == "duckdb" else []
    command += ["--master", arguments.master] if arguments.master and engine == "spark" else []
    peak = {"memory": 0.0, "disk": 0}
    events = folder / "events"
    events.mkdir(exist_ok=True)
    settings = ("spark.eventLog.enabled=true", "spark.eventLog.compress=false", f"spark.eventLog.dir={events.as_uri()}")
    log = " ".join(f"--conf {setting}" for setting in settings) + " pyspark-shell"
    environment = {**os.environ, "PYSPARK_SUBMIT_ARGS": log}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:

        def sample():
            while process.poll() is None:
                peak["memory"] = max(peak["memory"], resident(process.pid))
                spilled = 0
                for file in folder.glob("discoreport-*/**/*"):
                    try:
                        spilled += file.stat().st_size if file.is_file() else 0
                    except OSError:
                        continue
                peak["disk"] = max(peak["disk"], spilled)
                time.sleep(0.2)

        watching = threading.Thread(target=sample)
        watching.start()
        written = process.stdout.read()
        watching.join()
    if process.returncode:
        raise SystemExit(f"{engine} failed")
    found = json.loads(written.strip().splitlines()[-1])
    return found["seconds"], peak["memory"], peak["disk"] / 2**20, found["figures"]


def shuffled(folder):
    """Say how much Spark moved between its workers, from its own log of events."""
    moved = 0
    for path in (folder / "events").rglob("*"):
        if path.is_file() and path.suffix != ".crc":
            for line in path.read_text().splitlines():
                event = json.loads(line) if line.startswith("{") else {"Event": ""}
                if event["Event"] == "SparkListenerTaskEnd":
                    metrics = event.get("Task Metrics") or {}
                    moved += metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)
            path.unlink()
    return f", {moved:,} bytes shuffled" if moved else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="*", type=int, help="on each side")
    parser.add_argument("--unique", action="store_true")
    parser.add_argument("--engine", action="append")
    parser.add_argument("--memory-limit", default="4GB")
    parser.add_argument("--master")
    parser.add_argument("--folder")
    parser.add_argument("--run", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        run_one(arguments)
        return
    for n in arguments.records or [1_000_000, 10_000_000]:
        with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
            folder = Path(name)
            for side in ("original", "synthetic"):
                make(folder / side, n, side, arguments.unique)
            size = sum(file.stat().st_size for file in folder.rglob("*.parquet")) / 2**20
            before = None
            for engine in arguments.engine or ["duckdb"]:
                seconds, memory, disk, figures = measured(engine, folder, arguments)
                what = f"{n:>13,} records each{', unique keys' if arguments.unique else ''}"
                print(
                    f"{what}, {size:,.0f} MB of Parquet, {engine}: {seconds:,.1f} s, peak {memory:,.0f} MB of memory, "
                    f"{disk:,.0f} MB of temporary files{shuffled(folder)}",
                    flush=True,
                )
                if before is not None:
                    apart = max(abs(figures[name] - before[name]) for name in figures if figures[name] is not None)
                    print(f"{'':>13} largest difference from the engine before: {apart:.1e}")
                before = figures


if __name__ == "__main__":
    main()
