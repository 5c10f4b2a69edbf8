# SPDX-License-Identifier: BSD-3-Clause
"""Runs under the tracer, and the checks that every archive of the suite must pass."""

import hashlib
import os
import subprocess
from pathlib import Path

from harness.archive import Archive, place_of, region_of
from harness.mpi import run


class Tracer:
    """The build under test. `directory` is its top build directory."""

    def __init__(self, directory, mpi):
        self.directory = Path(directory)
        self.mpi = mpi
        self.launcher = self.directory / "mpiotrace"
        self.check = self.directory / "mpiotrace-check"
        self.library = self.directory / ".libs" / "libmpiotrace.so"
        self.tests = Path(__file__).resolve().parent.parent

    def run(self, program, ranks, tmp, env=None, args=(), timeout=60):
        """Runs `program` under the launcher in tmp/run, tracing into tmp/trace."""
        cwd = tmp / "run"
        cwd.mkdir()
        env = {"MPIOTRACE_OUTPUT": str(tmp / "trace"), **(env or {})}
        return self.mpi.run([self.launcher, program, *args], ranks, cwd, env, timeout)

    def read(self, tmp):
        """The archive of a run in `tmp`, checked."""
        self.verify(tmp / "trace", tmp)
        archive = Archive(tmp / "trace", tmp / "run")
        verify_frame(archive)
        return archive

    def verify(self, directory, cwd):
        """An archive is clean to mpiotrace-check, and otf2-print reads it without complaint."""
        anchor, = Path(directory).glob("*.otf2")
        for command in ([self.check, directory], ["otf2-print", anchor],
                        ["otf2-print", "-G", anchor]):
            done = run(command, cwd, dict(os.environ))
            assert done.returncode == 0 and not done.stderr, f"{command}: {done}"


def run_untraced(mpi, program, ranks, tmp, env=None, args=(), timeout=60):
    """The same program in a fresh tmp/untraced/run, as if there were no tracer."""
    cwd = tmp / "untraced" / "run"
    cwd.mkdir(parents=True)
    return mpi.run([program, *args], ranks, cwd, env, timeout)


def check_trace(program, expected, tracer, tmp):
    """Runs `program` untraced and traced: it does not notice, and its trace is as `expected`."""
    how = (expected.env, expected.args, expected.timeout)
    untraced = run_untraced(tracer.mpi, program, expected.ranks, tmp, *how)
    traced = tracer.run(program, expected.ranks, tmp, *how)

    assert untraced.returncode == 0, f"not a correct program: {untraced}"
    assert traced.outcome() == untraced.outcome()
    assert files_of(tmp / "run") == files_of(tmp / "untraced" / "run")
    difference = expected.difference(tracer.read(tmp).lines())
    assert not difference, "\n" + difference


def files_of(directory):
    """What a run left behind: content by name."""
    directory = Path(directory)
    return {str(path.relative_to(directory)): content_of(path)
            for path in sorted(directory.rglob("*")) if path.is_file()}


def copy_sparse(source, target):
    """Copies a directory; chunks of events are mostly holes."""
    subprocess.run(["cp", "-r", "--sparse=always", source, target], check=True)


def content_of(path):
    """Enough of a file to compare two; sparse test files are large, their data is at the ends."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(1 << 20)
        file.seek(max(0, size - (1 << 20)))
        return size, hashlib.sha256(head + file.read()).hexdigest()


def verify_frame(archive):
    """
    Design, section 4: ProgramBegin and ProgramEnd once per rank, a program root region around
    each location's records, no time before the last or outside the clock's range. Where
    mpiotrace-recover has ended it, the end is marked.
    """
    clock = archive.definitions.clock_properties
    frames = archive.frame()
    for location in archive.definitions.locations:
        place = place_of(location)
        events = archive.events[place]
        region = region_of(events[0 if place[1] else 1])
        root = [f"Enter {region.name}", f"Leave {region.name}"]
        expected = root if place[1] else ["ProgramBegin", *root, "ProgramEnd"]
        framed = [line.replace(" | Unfinished=1", "") for line in frames[place]]
        assert framed == expected, f"{place} is framed by {framed}"
        assert str(region.region_role) == "RegionRole.ARTIFICIAL"
        times = [event.time for event in events]
        assert times == sorted(times), f"{place}: time runs backwards"
        assert clock.global_offset <= times[0], f"{place}: record before the trace begins"
        assert times[-1] <= clock.global_offset + clock.trace_length, f"{place}: record after end"
