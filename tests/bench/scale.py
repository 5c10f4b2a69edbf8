#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
What the tracer costs at the start and the end of a run, and how that grows with the ranks.

    scale.py BUILD MPICC MPIRUN [--quick] [--json FILE]

Unification and the global definitions, with simulated ranks (unify_bench.c); then real runs with
more ranks than cores, traced and untraced in turn; then what a program that uses no MPI pays.
Prints tables, and writes all figures as JSON. `make bench` runs it.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CASES = ("equal", "file", "communicators")
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def output(command, **environment):
    done = subprocess.run(list(map(str, command)), env={**os.environ, **ENVIRONMENT, **environment},
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command[0]}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def median_of(runs):
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def unify(options, case, ranks):
    runs = []
    for _ in range(1 if options.quick else 5):
        with tempfile.TemporaryDirectory(dir=MEMORY) as scratch:
            runs.append(json.loads(output([options.build / "unify-bench", case, ranks, scratch])))
    steps = max((ranks - 1).bit_length(), 1)
    result = median_of(runs)
    return {"case": case, "ranks": ranks, "steps": steps,
            "step_seconds": result["root_seconds"] / steps, **result}


def unification(options):
    sizes = (1, 16, 64) if options.quick else (1, 16, 64, 256, 1024, 4096, 16384)
    print(f"{'simulated ranks':16}{'P':>6}{'steps':>6}{'rank 0 ms':>11}{'us/step':>9}"
          f"{'us/rank':>9}{'rank 0 KiB':>12}{'others KiB':>12}{'definitions':>12}"
          f"{'write ms':>10}{'write KiB':>10}")
    for case in CASES:
        for ranks in sizes:
            r = unify(options, case, ranks)
            print(f"{case:16}{ranks:6}{r['steps']:6}{r['root_seconds'] * 1e3:11.2f}"
                  f"{r['step_seconds'] * 1e6:9.1f}{r['seconds'] / ranks * 1e6:9.1f}"
                  f"{r['root_peak'] / 1024:12.0f}{r['peak'] / 1024:12.0f}{r['definitions']:12.0f}"
                  f"{r['write_seconds'] * 1e3:10.1f}{r['write_bytes'] / 1024:10.0f}", flush=True)
            yield r


def run(options, program, ranks, calls, traced):
    library = options.build / ".libs" / "libmpiotrace.so"
    with tempfile.TemporaryDirectory(dir=MEMORY) as scratch:
        trace = Path(scratch) / "trace"
        preload = ["env", f"LD_PRELOAD={library}", f"MPIOTRACE_OUTPUT={trace}"] if traced else []
        start = time.monotonic()
        result = json.loads(output([options.mpirun, "-n", ranks, *preload, program, calls,
                                    Path(scratch) / "data"]))
        result["wall"] = time.monotonic() - start
        if traced:
            files = [f for f in trace.rglob("*") if f.is_file()]
            size = sum(f.stat().st_size for f in files)
            result["bytes_per_call"] = size / (ranks * calls)
        return result


def real_runs(options, program):
    print(f"\n{'real ranks':>10}{'':10}{'init s':>9}{'finalize s':>12}{'whole s':>9}{'us/call':>9}"
          f"{'MiB/rank':>10}{'bytes/call':>12}")
    rounds, calls = (1, 10) if options.quick else (5, 1000)
    for ranks in (2,) if options.quick else (1, 8, 64):
        runs = {traced: [] for traced in (False, True)}
        for _ in range(rounds):
            for traced in runs:
                runs[traced].append(run(options, program, ranks, calls, traced))
        for traced in runs:
            r = median_of(runs[traced])
            print(f"{ranks:10}{'  traced' if traced else '  untraced':10}{r['init']:9.3f}"
                  f"{r['finalize']:12.3f}{r['wall']:9.2f}{r['call'] * 1e6:9.2f}"
                  f"{r['memory'] / 2**20:10.1f}{r.get('bytes_per_call', 0):12.1f}", flush=True)
            yield {"ranks": ranks, "traced": traced, **r}


def without_mpi(options):
    """Milliseconds of true(1), alone and with the tracer preloaded."""
    times = {False: [], True: []}
    for _ in range(3 if options.quick else 101):
        for traced in times:
            library = str(options.build / ".libs" / "libmpiotrace.so") if traced else ""
            start = time.monotonic()
            output(["true"], LD_PRELOAD=library)
            times[traced].append((time.monotonic() - start) * 1e3)
    alone, traced = (statistics.median(times[t]) for t in times)
    print(f"\nwithout MPI: {alone:.2f} ms, with the tracer preloaded {traced:.2f} ms")
    return {"alone_ms": alone, "traced_ms": traced}


def main():
    parser = argparse.ArgumentParser(description="Costs of the tracer per run")
    parser.add_argument("build", type=Path)
    parser.add_argument("mpicc")
    parser.add_argument("mpirun")
    parser.add_argument("--quick", action="store_true", help="few ranks: does it run at all")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    options.build = options.build.resolve()
    with tempfile.TemporaryDirectory() as directory:
        program = Path(directory) / "scale_run"
        output([options.mpicc, "-O2", HERE / "scale_run.c", "-o", program])
        results = {"schema": "mpiotrace-scale/1", "unification": list(unification(options)),
                   "real": list(real_runs(options, program)), "without_mpi": without_mpi(options)}
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
