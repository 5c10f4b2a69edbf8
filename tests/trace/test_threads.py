# SPDX-License-Identifier: BSD-3-Clause
"""Many threads: nothing is lost, nothing deadlocks."""

import os
import re
from pathlib import Path

from harness.mpi import run

HERE = Path(__file__).parent
RANKS, THREADS, OPERATIONS = 2, 8, 10000


def summary(tracer, mpi, tmp_path, *args):
    """What mpiotrace-check, which must find no fault, counts in the trace of threads_many.c."""
    program = mpi.build(HERE / "threads_many.c", ["-pthread"])
    done = tracer.run(program, RANKS, tmp_path, args=args)
    assert done.returncode == 0 and not done.stderr, str(done)
    done = run([tracer.check, tmp_path / "trace"], tmp_path, dict(os.environ))
    assert done.returncode == 0, str(done)
    return {line.split()[0]: " ".join(line.split()[1:]) for line in done.stdout.splitlines()}


def test_many_threads(tracer, openmpi, tmp_path):
    """
    Collectives on two communicators in opposite order, requests that change threads. With Open MPI
    only: MPICH 4.0 hangs by itself.
    """
    found = summary(tracer, openmpi, tmp_path, OPERATIONS)
    all_of_them = RANKS * THREADS * OPERATIONS
    # an own file for each writer, one shared by them, and 2 x 10 opens on communicators
    opens = RANKS * (6 + 1 + 20)
    assert found["locations"] == str(RANKS * (1 + THREADS))
    assert found["handles"].endswith(f"created {opens} times, destroyed {opens} times")
    assert found["writes"].startswith(f"{all_of_them}, {all_of_them} completed")
    assert found["collective"].startswith(f"{RANKS * 2 * OPERATIONS} ")
    assert found["nonblocking"].startswith(f"{RANKS * 6 * (OPERATIONS // 3)} ")
    assert found["problems"] == "0"


def test_pauses_among_threads(tracer, openmpi, tmp_path):
    """Pausing and resuming while threads are amid their calls leaves a valid trace."""
    found = summary(tracer, openmpi, tmp_path, OPERATIONS // 4, "pause")
    begun, completed = re.match(r"(\d+), (\d+) completed", found["writes"]).groups()
    assert begun == completed and 0 < int(begun) < RANKS * THREADS * OPERATIONS // 4
    assert found["problems"] == "0"
