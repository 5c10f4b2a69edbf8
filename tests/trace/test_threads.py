# SPDX-License-Identifier: BSD-3-Clause
"""Many threads: nothing is lost, nothing deadlocks."""

import os
from pathlib import Path

from harness.mpi import run

HERE = Path(__file__).parent
RANKS, THREADS, OPERATIONS = 2, 8, 10000


def test_many_threads(tracer, openmpi, tmp_path):
    """
    Collectives on two communicators in opposite order, requests that change threads. With Open MPI
    only: MPICH 4.0 hangs by itself.
    """
    program = openmpi.build(HERE / "threads_many.c", ["-pthread"])
    done = tracer.run(program, RANKS, tmp_path, args=[OPERATIONS])
    assert done.returncode == 0 and not done.stderr, str(done)
    done = run([tracer.check, tmp_path / "trace"], tmp_path, dict(os.environ))
    assert done.returncode == 0, str(done)
    found = {line.split()[0]: " ".join(line.split()[1:]) for line in done.stdout.splitlines()}
    all_of_them = RANKS * THREADS * OPERATIONS
    # an own file for each writer, one shared by them, and 2 x 10 opens on communicators
    opens = RANKS * (6 + 1 + 20)
    assert found["locations"] == str(RANKS * (1 + THREADS))
    assert found["handles"].endswith(f"created {opens} times, destroyed {opens} times")
    assert found["writes"].startswith(f"{all_of_them}, {all_of_them} completed")
    assert found["collective"].startswith(f"{RANKS * 2 * OPERATIONS} ")
    assert found["nonblocking"].startswith(f"{RANKS * 6 * (OPERATIONS // 3)} ")
    assert found["problems"] == "0"
