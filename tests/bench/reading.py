#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
How fast the tools read a trace, beside OTF2's own reader and Python's.

    reading.py BUILD MPICC [--quick] [--json FILE]

Prints events per second of the processor (user and system, of all processes) and peak memory on
traces of bench.c, and writes all figures as JSON. `make bench` runs it.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

from bench import Bench, build

TRACES = [("write_at", 0), ("write_at", 8), ("iwrite_wait", 0), ("iwrite_wait", 8)]
COUNT = """
import sys
import otf2
with otf2.reader.open(sys.argv[1]) as trace:
    for location, event in trace.events:
        pass
"""


def readers(tools):
    """Name, command that an anchor file is appended to, rounds."""
    return [("mpiotrace-report", [tools / "mpiotrace-report", "--json"], 5),
            ("mpiotrace-check", [tools / "mpiotrace-check", "--json"], 5),
            ("otf2-print --silent", ["otf2-print", "--silent"], 5),
            ("otf2-print", ["otf2-print"], 1),
            ("Python's otf2", ["/usr/bin/python3", "-c", COUNT], 1)]


def measure(command, output):
    """Seconds of the processor, and bytes of memory: those of this script, if it has more."""
    out = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    child = os.posix_spawnp(command[0], list(map(str, command)), os.environ,
                            file_actions=[(os.POSIX_SPAWN_DUP2, out, 1)])
    os.close(out)
    _, status, used = os.wait4(child, 0)
    if status:
        sys.exit(f"{command[0]}: exit status {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def read(name, command, rounds, anchor, events):
    runs = [measure([*command, anchor], "/dev/null") for _ in range(rounds)]
    seconds = statistics.median(seconds for seconds, _ in runs)
    return {"reader": name, "events": events, "seconds": seconds, "per_second": events / seconds,
            "memory": max(memory for _, memory in runs)}


def events_of(tools, anchor, scratch):
    output = Path(scratch) / "check.json"
    measure([tools / "mpiotrace-check", "--json", anchor], output)
    return json.loads(output.read_text())["summary"]["events"]


def readings(bench, tools, calls, quick):
    for case, depth in TRACES:
        with tempfile.TemporaryDirectory(dir=bench.memory) as scratch:
            bench.trace(scratch, case, calls, 3, callstack=depth)
            anchor = Path(scratch) / "trace" / "traces.otf2"
            events = events_of(tools, anchor, scratch)
            for name, command, rounds in readers(tools):
                yield {"case": case, "call_paths": depth > 0,
                       **read(name, command, 1 if quick else rounds, anchor, events)}


def main():
    parser = argparse.ArgumentParser(description="Speed of the tools that read traces")
    parser.add_argument("build", type=Path)
    parser.add_argument("mpicc")
    parser.add_argument("--quick", action="store_true", help="small traces: does it run at all")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    options.real = False
    results = []
    with tempfile.TemporaryDirectory() as directory:
        options.program = Path(directory) / "bench"
        build(options.build, options.mpicc, options.program)
        print(f"{'trace':14}{'paths':>6}{'events':>10}  {'reader':20}{'million events/s':>17}"
              f"{'MiB':>7}")
        for r in readings(Bench(options), options.build.resolve(),
                          20000 if options.quick else 200000, options.quick):
            print(f"{r['case']:14}{'yes' if r['call_paths'] else 'no':>6}{r['events']:10}  "
                  f"{r['reader']:20}{r['per_second'] / 1e6:17.2f}{r['memory'] / 2**20:7.0f}",
                  flush=True)
            results.append(r)
    if options.json:
        options.json.write_text(json.dumps({"schema": "mpiotrace-reading/1",
                                            "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
