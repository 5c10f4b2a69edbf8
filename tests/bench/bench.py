#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
What the tracer costs per call, beside what OTF2 and the clock cost by themselves (the floor).

    bench.py BUILD MPICC [--quick] [--real] [--instructions] [--json FILE]

Prints a table, and writes all figures as JSON. Ratios are within one process, where rounds of
traced calls, untraced ones and the floor take turns. `make bench` runs it.
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

# Case, calls per round, what a call is: blocking cases are held against the floor.
CASES = [("write_at", 5000), ("write_at_large", 5000), ("read", 5000),
         ("write_at_all", 5000), ("iwrite_wait", 4000), ("split", 4000),
         ("open_close", 300), ("waitall_1", 10000), ("waitall_10", 5000), ("waitall_100", 1000),
         ("wait_message", 1000000), ("test_message", 1000000),
         ("wait_message_pending", 1000000), ("waitall_messages_pending", 10000)]
REQUESTS = {"waitall_1": 1, "waitall_10": 10, "waitall_100": 100, "waitall_messages_pending": 100}
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def build(build_directory, mpicc, target):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "otf2"], check=True,
                           capture_output=True, text=True).stdout.split()
    sources = [HERE / name for name in ("bench.c", "stub.c", "floor.c")]
    subprocess.run([mpicc, "-O2", "-g", "-rdynamic", *sources, "-o", target, *flags, "-lpthread",
                    "-ldl"], check=True)


class Bench:
    def __init__(self, options):
        self.options = options
        self.library = Path(options.build) / ".libs" / "libmpiotrace.so"
        self.memory = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else None

    def trace(self, scratch, case, count, rounds, threads=1, callstack=8, before=()):
        """One process that leaves its trace in `scratch`."""
        env = {**os.environ, **ENVIRONMENT, "MPIOTRACE_OUTPUT": f"{scratch}/trace",
               "MPIOTRACE_CALLSTACK": str(callstack), "LD_PRELOAD": str(self.library)}
        command = map(str, [*before, self.options.program, case, count, rounds, threads,
                            scratch, *(["real"] if self.options.real else [])])
        done = subprocess.run(list(command), env=env, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{case}: exit status {done.returncode}\n{done.stderr}")
        return done

    def run(self, case, count, rounds, threads=1, callstack=8, before=()):
        """One process; returns its figures with the bytes per call."""
        with tempfile.TemporaryDirectory(dir=self.memory) as scratch:
            done = self.trace(scratch, case, count, rounds, threads, callstack, before)
            figures = json.loads(done.stdout)
            figures["bytes"] = Path(f"{scratch}/trace/traces/0.evt").stat().st_size / (
                count * rounds)
            figures["log"] = done.stderr
            return figures

    def measure(self, case, count, threads=1, callstack=8):
        rounds = 3 if self.options.quick else 9
        count = max(count // 100, 10) if self.options.quick else count
        runs = [self.run(case, count, rounds, threads, callstack)
                for _ in range(1 if self.options.quick else 3)]
        result = {key: statistics.median(run[key] for run in runs)
                  for key in ("traced", "direct", "floor", "bytes")}
        result["cost"] = result["traced"] - result["direct"]
        result["ratio"] = statistics.median((r["traced"] - r["direct"]) / r["floor"] for r in runs)
        if case in REQUESTS:
            result["cost_per_request"] = result["cost"] / REQUESTS[case]
        if self.options.instructions:
            result["instructions"] = self.instructions(case, callstack)
        return {"case": case, "threads": threads, "call_paths": callstack > 0, **result}

    def instructions(self, case, callstack):
        """Of call, PMPI call and floor together: by callgrind, from runs of two lengths."""
        valgrind = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")

        def total(count):
            log = self.run(case, count, 1, 1, callstack, valgrind)["log"]
            return int(re.search(r"Collected : (\d+)", log)[1])

        few, many = (2, 12) if case == "open_close" else (1000, 3000)
        return (total(many) - total(few)) / (many - few)


def table(results):
    print(f"{'case':26}{'paths':>6}{'threads':>8}{'cost ns':>9}{'floor ns':>9}{'ratio':>7}"
          f"{'bytes':>7}" + ("  instructions (call, PMPI, floor)" if "instructions" in results[0]
                             else ""))
    for r in results:
        print(f"{r['case']:26}{'yes' if r['call_paths'] else 'no':>6}{r['threads']:8}"
              f"{r['cost']:9.1f}{r['floor']:9.1f}{r['ratio']:7.2f}{r['bytes']:7.1f}"
              + (f"{r['instructions']:10.0f}" if "instructions" in r else ""))


def main():
    parser = argparse.ArgumentParser(description="Costs of the tracer per call")
    parser.add_argument("build")
    parser.add_argument("mpicc")
    parser.add_argument("--quick", action="store_true", help="few calls: does it run at all")
    parser.add_argument("--real", action="store_true", help="real MPI-IO in a memory file system")
    parser.add_argument("--instructions", action="store_true", help="count them, by callgrind")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        options.program = Path(directory) / "bench"
        build(options.build, options.mpicc, options.program)
        bench = Bench(options)
        cases = [c for c in CASES if not (options.real and "message" in c[0] or
                                          options.real and c[0].startswith("waitall"))]
        results = [bench.measure(case, count, callstack=depth)
                   for case, count in cases for depth in (0, 8)]
        many = min(8, os.cpu_count())
        results += [bench.measure("write_at", 100000, many, depth) for depth in (0, 8)]
    table(results)
    if options.json:
        options.json.write_text(json.dumps({
            "schema": "mpiotrace-bench/1", "machine": platform.processor() or platform.machine(),
            "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
