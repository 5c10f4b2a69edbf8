# SPDX-License-Identifier: BSD-3-Clause
"""LD_PRELOAD exported over programs without MPI: they behave as ever and leave no file."""

import os
import sys

import pytest

from harness.mpi import run

PROGRAMS = {
    "sh": ["sh", "-c", "echo hello; exit 3"],
    "ls": ["ls", "/"],
    "python": [sys.executable, "-c", "print(6 * 7)"],
    "pipeline": ["sh", "-c", "seq 1000 | sort -n | tail -1"],
    "crash": ["sh", "-c", "kill -SEGV $$"],
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_without_mpi(name, tracer, mpi, tmp_path):
    if name == "crash" and mpi.name == "mpich":
        pytest.skip("UCX, which Debian's MPICH is linked with, sets signal handlers when loaded")
    env = dict(os.environ)
    plain = run(PROGRAMS[name], tmp_path, env)
    env.update(LD_PRELOAD=str(tracer.library), MPIOTRACE_OUTPUT=str(tmp_path / "trace"))
    assert str(run(PROGRAMS[name], tmp_path, env)) == str(plain)
    assert not list(tmp_path.iterdir())


def test_launcher_and_ranks_without_mpi(tracer, mpi, tmp_path):
    """mpirun itself is inert, and so are ranks that never call MPI."""
    env = {"LD_PRELOAD": str(tracer.library), "MPIOTRACE_OUTPUT": str(tmp_path / "trace")}
    done = mpi.run(["echo", "hello"], 2, tmp_path, env)
    assert (done.returncode, done.stdout, done.stderr) == (0, "hello\nhello\n", "")
    assert not list(tmp_path.iterdir())


def test_mpi_program_under_exported_preload(tracer, mpi, tmp_path):
    """The whole job under an exported LD_PRELOAD is traced as under the launcher."""
    (tmp_path / "run").mkdir()
    env = {"LD_PRELOAD": str(tracer.library), "MPIOTRACE_OUTPUT": str(tmp_path / "trace")}
    program = mpi.build(tracer.tests / "trace" / "before_init.c")
    done = mpi.run([program], 2, tmp_path / "run", env)
    assert done.returncode == 0 and not done.stderr, str(done)
    lines = tracer.read(tmp_path).lines()
    assert [len(lines[rank, 0]) for rank in range(2)] == [6, 6]
