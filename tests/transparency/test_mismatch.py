# SPDX-License-Identifier: BSD-3-Clause
"""A library built for another MPI library than the program's must not disturb it."""

import pytest


@pytest.fixture(params=["ours", "theirs"])
def pair(request, tracer, other_tracer):
    """A tracer, and the other's MPI library."""
    return ((tracer, other_tracer.mpi) if request.param == "theirs"
            else (other_tracer, tracer.mpi))


def test_preloaded(pair, tracer, tmp_path):
    """One clear message per process, no trace, the program runs undisturbed."""
    wrong, mpi = pair
    program = mpi.build(tracer.tests / "trace" / "blocking.c")
    plain = mpi.run([program], 2, tmp_path)
    env = {"MPIOTRACE_OUTPUT": str(tmp_path / "trace")}
    command = ["env", f"LD_PRELOAD={wrong.library}", program]
    done = mpi.run(command, 2, tmp_path, env)
    assert done.returncode == plain.returncode == 0, str(done)
    assert sorted(done.stdout.splitlines()) == sorted(plain.stdout.splitlines())
    lines = done.stderr.splitlines()
    assert 1 <= len(lines) <= 2 and all("mpiotrace" in line for line in lines), done.stderr
    assert not (tmp_path / "trace").exists()


def test_launcher_refuses(pair, tracer, tmp_path):
    """The launcher sees it before it starts the program."""
    wrong, mpi = pair
    program = mpi.build(tracer.tests / "trace" / "blocking.c")
    done = mpi.run([wrong.launcher, program], 1, tmp_path)
    assert done.returncode != 0
    assert "Open MPI" in done.stderr and "MPICH" in done.stderr
    assert not (tmp_path / "f.dat").exists()
