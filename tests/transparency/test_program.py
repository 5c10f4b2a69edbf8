# SPDX-License-Identifier: BSD-3-Clause
"""The program must not notice: same output, exit status and files with and without the tracer."""

import sys
from pathlib import Path

import pytest

from harness.archive import Archive
from harness.tracing import files_of, run_untraced

HERE = Path(__file__).parent


def both(tracer, mpi, name, tmp_path, args=(), ranks=1, env=None):
    """The results of `name` untraced and traced."""
    program = mpi.build(HERE / f"{name}.c")
    untraced = run_untraced(mpi, program, ranks, tmp_path, env, args)
    traced = tracer.run(program, ranks, tmp_path, env, args)
    assert files_of(tmp_path / "run") == files_of(tmp_path / "untraced" / "run")
    return untraced, traced


@pytest.mark.parametrize("on", ["file", "null"])
def test_fatal_error_handler(on, tracer, mpi, tmp_path):
    """A program that dies of its error handler dies in the same way (mpirun's words on it vary)."""
    if on == "null" and mpi.name == "mpich":
        pytest.skip("MPICH 4.0 crashes by itself: MPI_ERRORS_ARE_FATAL on MPI_FILE_NULL")
    untraced, traced = both(tracer, mpi, "fatal", tmp_path, [on])
    assert untraced.returncode != 0
    assert traced.returncode == untraced.returncode
    assert traced.stdout == untraced.stdout
    assert "mpiotrace:" not in traced.stderr


@pytest.mark.parametrize("how", ["return", "exit", "_exit"])
def test_exit_status(how, tracer, mpi, tmp_path):
    """The exit status is the program's, and the trace is complete before MPI_Finalize returns."""
    untraced, traced = both(tracer, mpi, "exit_status", tmp_path, [how, "7"])
    assert (untraced.returncode, traced.returncode) == (7, 7)
    assert "mpiotrace:" not in traced.stderr
    assert len(tracer.read(tmp_path).lines()[0, 0]) == 6


def test_errno(tracer, mpi, tmp_path):
    """errno is what the MPI library left, and a call that did not touch it leaves it alone."""
    untraced, traced = both(tracer, mpi, "errno", tmp_path)
    assert str(traced) == str(untraced)


def test_fork(tracer, mpi, tmp_path):
    """A child records nothing and writes nothing of its parent's, however it ends."""
    untraced, traced = both(tracer, mpi, "fork", tmp_path, ranks=2)
    assert traced.returncode == untraced.returncode == 0
    assert sorted(traced.stdout.splitlines()) == sorted(untraced.stdout.splitlines())
    for lines in tracer.read(tmp_path).lines().values():
        assert len(lines) == 2 * 4 + 2 * 3
    assert not list(tmp_path.glob("trace?*"))


def test_fork_in_python(tracer, openmpi, tmp_path):
    """os.fork with os._exit, subprocess, multiprocessing."""
    command = [sys.executable, "-B", HERE / "fork.py"]
    cwd = tmp_path / "untraced"
    cwd.mkdir()
    untraced = openmpi.run(command, 1, cwd)
    traced = tracer.run(*command[:1], 1, tmp_path, args=command[1:])
    assert traced.returncode == untraced.returncode == 0, str(traced)
    assert traced.stdout == untraced.stdout and "mpiotrace" not in traced.stderr
    # mpi4py sets an error handler on each file
    assert len(tracer.read(tmp_path).lines()[0, 0]) == 2 * 4 + 2 * 3 + 2
    assert not list(tmp_path.glob("trace?*"))


@pytest.mark.parametrize("mode", ["job", "rank"])
def test_spawn(mode, tracer, openmpi, tmp_path):
    """Each MPI_COMM_WORLD writes its own archive, or a directory of archives of its ranks."""
    (tmp_path / "run").mkdir()
    env = {"LD_PRELOAD": str(tracer.library), "MPIOTRACE_OUTPUT": str(tmp_path / "trace"),
           "MPIOTRACE_ARCHIVE": mode, "OMPI_MCA_btl": "self,vader,tcp"}
    done = openmpi.run([openmpi.build(HERE / "spawn.c")], 1, tmp_path / "run", env)
    assert done.returncode == 0 and not done.stderr, str(done)
    assert sorted(done.stdout.splitlines()) == ["child ends"] * 4 + ["parent ends"]
    worlds = {}
    for anchor in tmp_path.glob("trace*/**/*.otf2"):
        tracer.verify(anchor.parent, tmp_path)
        archive = Archive(anchor.parent, tmp_path / "run")
        directory = anchor.parent if mode == "job" else anchor.parent.parent
        ranks, files = worlds.setdefault(directory.name, ([], set()))
        ranks += [rank for rank, _ in archive.events]
        files |= {f.name.rpartition("/")[2] for f in archive.definitions.io_files}
    assert sorted(worlds) == ["trace", "trace.1", "trace.2"]
    parent = ([0], {"parent.dat", "merged.dat"})
    child = ([0, 1], {"child.dat", "merged.dat"})
    assert sorted((sorted(r), f) for r, f in worlds.values()) == sorted([parent, child, child])


def test_started_late(tracer, mpi, tmp_path):
    """A process whose MPI_Init the tracer has not seen never communicates: own archive, said."""
    untraced, traced = both(tracer, mpi, "late", tmp_path, ranks=2)
    assert traced.returncode == untraced.returncode == 0, str(traced)
    lines = traced.stderr.splitlines()
    assert 1 <= len(lines) <= 2 and all("MPI_Init" in line for line in lines), traced.stderr
    anchors = sorted(tmp_path.glob("trace*/**/*.otf2"))
    assert len(anchors) == 2
    for anchor in anchors:
        tracer.verify(anchor.parent, tmp_path)
