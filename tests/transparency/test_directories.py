# SPDX-License-Identifier: BSD-3-Clause
"""Directories that exist, that ranks do not share, that several jobs want at the same time."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.archive import Archive
from harness.mpi import run


@pytest.fixture
def program(mpi, tracer):
    """A program of one open and close, which leaves 6 records on each rank."""
    return mpi.build(tracer.tests / "trace" / "before_init.c")


def events_by_rank(tracer, directory, tmp_path):
    tracer.verify(directory, tmp_path)
    lines = Archive(directory, tmp_path / "run").lines()
    return {rank: len(of_rank) for (rank, _), of_rank in lines.items()}


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def test_archive_per_rank(program, tracer, tmp_path):
    """MPIOTRACE_ARCHIVE=rank: the ranks of a job share a directory, another job takes another."""
    env = {"MPIOTRACE_ARCHIVE": "rank"}
    done = tracer.run(program, 2, tmp_path, env)
    assert done.returncode == 0 and not done.stderr, str(done)
    (tmp_path / "run").rename(tmp_path / "first")
    (tmp_path / "trace" / "rank-0").rename(tmp_path / "moved")
    done = tracer.run(program, 2, tmp_path, env)
    assert done.returncode == 0 and not done.stderr, str(done)
    assert names(tmp_path / "trace") == ["job", "rank-1"]
    assert names(tmp_path / "trace.1") == ["job", "rank-0", "rank-1"]
    for rank in range(2):
        directory = tmp_path / "trace.1" / f"rank-{rank}"
        assert events_by_rank(tracer, directory, tmp_path) == {rank: 6}


def test_default_name_of_ranks(program, tracer, mpi, tmp_path):
    """Ranks that do not communicate still put their archives into one directory."""
    (tmp_path / "run").mkdir()
    done = mpi.run([tracer.launcher, program], 3, tmp_path / "run", {"MPIOTRACE_ARCHIVE": "rank"})
    assert done.returncode == 0 and not done.stderr, str(done)
    directory, = (tmp_path / "run").glob("mpiotrace-*")
    assert names(directory) == ["job", "rank-0", "rank-1", "rank-2"]


def test_jobs_at_the_same_time(program, tracer, mpi, tmp_path):
    """Jobs that want the same name, and start in the same second, each get one."""
    jobs = 4
    for job in range(jobs):
        (tmp_path / f"run-{job}").mkdir()
    (tmp_path / "trace").mkdir()

    def run(job):
        return mpi.run([tracer.launcher, program], 2, tmp_path / f"run-{job}",
                       {"MPIOTRACE_OUTPUT": str(tmp_path / "trace")})

    with ThreadPoolExecutor(jobs) as pool:
        for done in pool.map(run, range(jobs)):
            assert done.returncode == 0 and not done.stderr, str(done)
    assert names(tmp_path)[jobs:] == ["trace", "trace.1", "trace.2", "trace.3"]
    for directory in tmp_path.glob("trace*"):
        assert events_by_rank(tracer, directory, tmp_path) == {0: 6, 1: 6}


@pytest.fixture
def private_mount():
    command = ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("this user may not make a mount namespace")


@pytest.mark.parametrize("theirs", ["nothing", "an older archive"])
def test_ranks_do_not_share_it(theirs, private_mount, program, tracer, mpi, tmp_path):
    """Rank 1 is on a node where the directory is another one: each writes its own archive."""
    (tmp_path / "run").mkdir()
    (tmp_path / "out").mkdir()
    script = f"""
        [ ${{OMPI_COMM_WORLD_RANK-$PMI_RANK}} = 0 ] && exec "{tracer.launcher}" "$0"
        mount -t tmpfs none {tmp_path}/out
        [ "$1" = nothing ] || mkdir -p {tmp_path}/out/trace/traces
        "{tracer.launcher}" "$0" || exit
        cp -r {tmp_path}/out {tmp_path}/there
    """
    done = mpi.run(["unshare", "-m", "sh", "-c", script, program, theirs], 2, tmp_path / "run",
                   {"MPIOTRACE_OUTPUT": str(tmp_path / "out" / "trace")})
    assert done.returncode == 0, str(done)
    assert len(done.stderr.splitlines()) == 1 and f"{tmp_path}/out/trace" in done.stderr, str(done)
    taken = "trace" if theirs == "nothing" else "trace.1"
    assert names(tmp_path / "out") == ["trace"]
    assert names(tmp_path / "out" / "trace") == ["job", "rank-0"]
    assert names(tmp_path / "there" / taken) == ["job", "rank-1"]
    for rank, place in enumerate([tmp_path / "out" / "trace", tmp_path / "there" / taken]):
        assert events_by_rank(tracer, place / f"rank-{rank}", tmp_path) == {rank: 6}


def test_read_only(private_mount, program, tracer, mpi, tmp_path):
    """The program runs on; one line says that there is no trace and why."""
    (tmp_path / "run").mkdir()
    (tmp_path / "out").mkdir()
    script = f'mount -t tmpfs -o ro none {tmp_path}/out && exec "{tracer.launcher}" "$0"'
    done = mpi.run(["unshare", "-m", "sh", "-c", script, program], 2, tmp_path / "run",
                   {"MPIOTRACE_OUTPUT": str(tmp_path / "out" / "trace")})
    assert done.returncode == 0 and (tmp_path / "run" / "f.dat").exists(), str(done)
    line, = done.stderr.splitlines()
    assert f"{tmp_path}/out/trace" in line and "Read-only" in line and "nothing is traced" in line


def test_missing_parents(program, tracer, mpi, tmp_path):
    """They are made."""
    (tmp_path / "run").mkdir()
    done = mpi.run([tracer.launcher, program], 2, tmp_path / "run",
                   {"MPIOTRACE_OUTPUT": "new/newer/trace"})
    assert done.returncode == 0 and not done.stderr, str(done)
    directory = tmp_path / "run" / "new" / "newer" / "trace"
    assert events_by_rank(tracer, directory, tmp_path) == {0: 6, 1: 6}


def test_job_step_of_slurm(program, tracer, mpi, tmp_path):
    """A step of a Slurm job is a job; nothing else names it where srun starts the ranks."""
    (tmp_path / "run").mkdir()
    env = mpi.environment({"MPIOTRACE_ARCHIVE": "rank", "MPIOTRACE_OUTPUT": str(tmp_path / "trace"),
                           "SLURM_JOB_ID": "77", "SLURM_STEP_ID": "3"})
    done = run([tracer.launcher, program], tmp_path / "run", env)
    assert done.returncode == 0 and not done.stderr, str(done)
    assert os.readlink(tmp_path / "trace" / "job") == "77.3"


def test_nothing_overwritten(program, tracer, mpi, tmp_path):
    """Whatever has the name, a file, a link or an archive, is as before."""
    done = tracer.run(program, 1, tmp_path)
    assert done.returncode == 0 and not done.stderr, str(done)
    (tmp_path / "trace.1").write_text("mine")
    os.symlink("nowhere", tmp_path / "trace.2")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("trace*/**/*")}
    done = mpi.run([tracer.launcher, program], 1, tmp_path / "run",
                   {"MPIOTRACE_OUTPUT": str(tmp_path / "trace")})
    assert done.returncode == 0 and not done.stderr, str(done)
    assert before == {path: path.stat().st_mtime_ns for path in before}
    assert (tmp_path / "trace.1").read_text() == "mine"
    assert names(tmp_path) == ["run", "trace", "trace.1", "trace.2", "trace.3"]
    assert events_by_rank(tracer, tmp_path / "trace.3", tmp_path) == {0: 6}
