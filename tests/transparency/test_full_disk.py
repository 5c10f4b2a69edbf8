# SPDX-License-Identifier: BSD-3-Clause
"""A file system without room for the trace: the program runs on, and what has room is kept."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from harness.mpi import run
from harness.tracing import files_of, run_untraced

HERE = Path(__file__).parent
RANKS = 2


@pytest.fixture
def run_in(tracer, mpi, tmp_path):
    """
    Runs full_disk.c with its trace in a file system of so many bytes, and compares it with an
    untraced run; what was in the file system is in tmp/kept afterwards.
    """
    disk = tmp_path / "disk"
    disk.mkdir()
    (tmp_path / "run").mkdir()
    program = mpi.build(HERE / "full_disk.c")

    def run_in(size, *args):
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(disk)]
        if subprocess.run(["unshare", "-m", *mount], capture_output=True).returncode:
            pytest.skip("this user may not mount a file system of its own")
        untraced = run_untraced(mpi, program, RANKS, tmp_path, args=args[:1])
        script = f'{" ".join(mount)} && "$@"; status=$?; cp -r {disk} {tmp_path}/kept; exit $status'
        done = run(["unshare", "-m", "sh", "-c", script, "sh", *mpi.launch(RANKS), tracer.launcher,
                    program, *args], tmp_path / "run",
                   mpi.environment({"MPIOTRACE_OUTPUT": str(disk / "trace")}))
        assert done.returncode == untraced.returncode == 0, str(done)
        assert sorted(done.stdout.splitlines()) == sorted(untraced.stdout.splitlines())
        assert files_of(tmp_path / "run") == files_of(tmp_path / "untraced" / "run")
        return done
    return run_in


def completed(directory, tracer, tmp_path):
    """Number of writes, of an archive that readers find clean and in which all has ended."""
    for command in (["otf2-print", "--silent", directory / "traces.otf2"],
                    [tracer.check, directory]):
        done = run(command, tmp_path, dict(os.environ))
        assert done.returncode == 0 and not done.stderr, f"{command}: {done}"
    writes, complete = re.search(r"^writes +(\d+), (\d+) completed", done.stdout, re.M).groups()
    created, destroyed = re.search(r"created (\d+) times, destroyed (\d+)", done.stdout).groups()
    assert (writes, created) == (complete, destroyed), done.stdout
    return int(complete)


def verify_partial(done, tracer, tmp_path, most):
    """Each rank has said that it stops, and a part of the operations is in the archive."""
    lines = done.stderr.splitlines()
    assert sorted(line.split(":")[1] for line in lines) == [f" rank {r}" for r in range(RANKS)]
    assert all("no room" in line and str(tmp_path / "disk" / "trace") in line for line in lines)
    trace = tmp_path / "kept" / "trace"
    assert sorted(path.name for path in trace.iterdir()) == ["traces", "traces.def", "traces.otf2"]
    assert most / 20 < completed(trace, tracer, tmp_path) < most
    found = run(["otf2-print", "--show-info", trace / "traces.otf2"], tmp_path,
                dict(os.environ))
    assert "MPIOTRACE::MARK" in found.stdout and "partial" in found.stdout, str(found)


def writes(count):
    return RANKS * (2 * count + 1)


def test_little_suffices(run_in, tracer, tmp_path):
    """1 MiB has no room for an event buffer, but for the records of a short run."""
    done = run_in("1M", 100)
    assert not done.stderr, done.stderr
    assert completed(tmp_path / "kept" / "trace", tracer, tmp_path) == writes(100)


@pytest.mark.parametrize("size, count", [("1M", 20000), ("16M", 120000)])
def test_trace_fills_it(size, count, run_in, tracer, tmp_path):
    """The trace ends where there is no room left, with everything ended that was open."""
    verify_partial(run_in(size, count), tracer, tmp_path, writes(count))


def test_others_fill_it(run_in, tracer, tmp_path):
    """It fills up while the job runs: not one byte more than is reserved can be had."""
    done = run_in("64M", 80000, str(tmp_path / "disk" / "filler"))
    verify_partial(done, tracer, tmp_path, writes(80000))


def test_nothing_left(run_in, tmp_path):
    """Not even an empty archive can be made: each rank says so."""
    lines = run_in("4k", 100).stderr.splitlines()
    for rank in range(RANKS):
        own = [line for line in lines if f": rank {rank}:" in line]
        assert "no room" in own[0] and "not complete: No space left" in own[1] and len(own) == 2
    assert not (tmp_path / "kept" / "trace" / "traces.otf2").exists()
