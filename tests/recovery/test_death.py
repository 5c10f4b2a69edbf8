# SPDX-License-Identifier: BSD-3-Clause
"""
Jobs that die: the exit status is as untraced, and mpiotrace-recover makes an archive with every
operation that had completed; what was open ends in it, marked (design, section 6).
"""

import os
import re
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from harness.mpi import descendants, end_all, run
from harness.tracing import run_untraced

HERE = Path(__file__).parent
RANKS = 3
DEATHS = ["kill-one", "kill-all", "abort", "_exit", "exit", "segv", "term"]


@pytest.fixture
def program(mpi):
    return mpi.build(HERE / "death.c")


def writes(count, mpi_file="f.dat"):
    """The records of so many blocking writes."""
    lines = []
    for i in range(count):
        lines += ["Enter MPI_File_write_at",
                  f"IoOperationBegin {mpi_file} WRITE bytes=4 id={i} | Offset={8 * i}",
                  f"IoOperationComplete {mpi_file} bytes=4 id={i}", "Leave MPI_File_write_at"]
    return lines


def open_lines():
    return ["Enter MPI_File_open | Path=$DIR/f.dat",
            "IoCreateHandle f.dat READ_WRITE create=CREATE comm=MPI_COMM_WORLD",
            "Leave MPI_File_open"]


def begun(count):
    """The two operations that are left open."""
    return ["Enter MPI_File_iwrite_at",
            f"IoOperationBegin f.dat WRITE NON_BLOCKING bytes=4 id={count} | Offset=0",
            f"IoOperationIssued f.dat id={count}", "Leave MPI_File_iwrite_at",
            "Enter MPI_File_write_at_all_begin",
            f"IoOperationBegin f.dat WRITE NON_BLOCKING COLLECTIVE bytes=4 id={count + 1} "
            "| Offset=4",
            f"IoOperationIssued f.dat id={count + 1}", "Leave MPI_File_write_at_all_begin"]


def ended(count, more=0):
    """What mpiotrace-recover adds."""
    return [f"IoOperationComplete f.dat bytes=0 id={count + i} | Unfinished=1"
            for i in range(2 + more)] + ["IoDestroyHandle f.dat | Unfinished=1"]


def stripped(lines):
    return [line.strip() for line in lines]


def mark(archive):
    """The archive's own word on itself."""
    return re.search(rb"MPIOTRACE::MARK\0([a-z,]*)", archive.anchor.read_bytes())[1].decode()


@pytest.mark.parametrize("how", DEATHS)
def test_death(how, program, tracer, mpi, recover, tmp_path):
    """Exit status as untraced; then every rank's records up to its death."""
    untraced = run_untraced(mpi, program, RANKS, tmp_path, args=[how])
    traced = tracer.run(program, RANKS, tmp_path, args=[how])
    assert traced.returncode and untraced.returncode
    if mpi.name == "openmpi":  # Hydra reports whichever rank ends first
        assert traced.returncode == untraced.returncode
    assert "mpiotrace" not in re.sub(r"\S*/mpiotrace\S*", "", traced.stderr)
    out = recover().stdout.splitlines()
    archive = tracer.read(tmp_path)
    for rank in range(RANKS):
        assert re.fullmatch(rf"rank {rank}: outside MPI-IO since \d+\.\d s", out[rank])
        assert stripped(archive.lines()[rank, 0]) == \
            open_lines() + writes(3) + begun(3) + ended(3)
    assert mark(archive) == "recovered"
    assert out[RANKS:] == [f"recovered: {tmp_path / 'trace'}"]
    assert not (tmp_path / "trace" / "raw").exists()


def last_time(archive, rank):
    """Seconds on the clock at the last record that the rank has made itself."""
    times = [event.time for event in archive.events[rank, 0]
             if not any(attribute.name == "Unfinished" for attribute in event.attributes or {})]
    return times[-1] / archive.definitions.clock_properties.timer_resolution


def hang(mpi, command, cwd, env, meanwhile=lambda: None):
    """A job whose ranks hang in a collective, and are killed there; its exit status."""
    cwd.mkdir()
    job = subprocess.Popen([*mpi.launch(RANKS), *map(str, command), "hang"], cwd=cwd,
                           env=mpi.environment(env), start_new_session=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (cwd / "f.dat").exists() or (cwd / "f.dat").stat().st_size < 28:
        time.sleep(0.1)
    time.sleep(0.2)
    meanwhile()
    for pid in descendants(job.pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    status = job.wait(30)
    end_all(job)
    return status


def test_hung(program, tracer, mpi, recover, tmp_path):
    """Hung in a collective and killed: the ranks that wait are named with file and time."""
    def too_early():
        line, = recover(status=2).stderr.splitlines()
        assert re.search(rf"{tmp_path}/trace: rank \d, process \d+, is still running$", line)

    untraced = hang(mpi, [program], tmp_path / "untraced", {})
    traced = hang(mpi, [tracer.launcher, program], tmp_path / "run",
                  {"MPIOTRACE_OUTPUT": str(tmp_path / "trace")}, too_early)
    assert traced == untraced != 0
    out = recover().stdout.splitlines()
    archive = tracer.read(tmp_path)
    last = [last_time(archive, rank) for rank in range(RANKS)]
    waiting = f"inside MPI_File_read_at_all on {tmp_path}/run/f.dat"
    for rank, what in enumerate([waiting, "outside MPI-IO", waiting]):
        assert out[rank] == f"rank {rank}: {what} since {max(last) - last[rank]:.1f} s"
    assert max(last) == last[1] > last[0] + 0.3
    assert stripped(archive.lines()[0, 0]) == open_lines() + writes(3) + begun(3) + [
        "Enter MPI_File_read_at_all",
        "IoOperationBegin f.dat READ COLLECTIVE bytes=1 id=5 | Offset=0",
        *ended(3, 1), "Leave MPI_File_read_at_all | Unfinished=1"]


@pytest.mark.parametrize("how", DEATHS)
def test_more_than_a_buffer(how, program, tracer, recover, tmp_path):
    """More events than one buffer of 4 MiB holds, and not one of them is lost."""
    ranks, count = 2, 75000
    tracer.run(program, ranks, tmp_path, {"MPIOTRACE_BUFFER_SIZE": "4M"}, [how, str(count)])
    assert (tmp_path / "trace" / "traces" / "0.evt").stat().st_size > 8 << 20
    recover()
    done = run([tracer.check, tmp_path / "trace"], tmp_path, dict(os.environ))
    assert done.returncode == 0 and not done.stderr, str(done)
    operations = ranks * (count + 2)
    assert re.search(rf"^writes +{operations}, {operations} completed.* {ranks * 4 * count} bytes$",
                     done.stdout, re.MULTILINE), done.stdout


def test_threads(tracer, mpi, recover, tmp_path):
    """Threads whose first records come at the same moment: none of them is lost."""
    program = mpi.build(HERE / "threads.c", ["-pthread"])
    for number in range(4):
        (tmp_path / f"{number}").mkdir()
        tracer.run(program, 1, tmp_path / f"{number}")
        recover(tmp_path / f"{number}" / "trace")
        archive = tracer.read(tmp_path / f"{number}")
        written = [line for (_, thread), lines in archive.lines().items() if thread
                   for line in stripped(lines) if line.startswith("IoOperationComplete")]
        assert len(written) == 32 and all("bytes=1" in line for line in written)


def test_at_random_times(program, tracer, mpi, recover, tmp_path):
    """Killed anywhere: what is recovered is a prefix of what a whole run records."""
    (tmp_path / "run").mkdir()
    for number, delay in enumerate([0.1, 0.2]):
        output = tmp_path / f"trace{number}"
        job = subprocess.Popen([*map(str, mpi.launch(1)), str(tracer.launcher), str(program), "end",
                                "100000000"], cwd=tmp_path / "run", start_new_session=True,
                               env=mpi.environment({"MPIOTRACE_OUTPUT": str(output)}),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while not list(output.glob("traces/*.evt")) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(delay)
        for pid in descendants(job.pid):
            os.kill(pid, signal.SIGKILL)
        end_all(job)
        job.wait()
        recover(output)
        tracer.verify(output, tmp_path)


def test_whole_archive(program, tracer, recover, tmp_path):
    """An archive that is whole is left as it is; so is one that has been recovered."""
    tracer.run(program, RANKS, tmp_path, args=["end"])
    before = {p: p.read_bytes() for p in (tmp_path / "trace").rglob("*") if p.is_file()}
    assert "whole" in recover().stdout
    assert before == {p: p.read_bytes() for p in (tmp_path / "trace").rglob("*") if p.is_file()}


def test_twice(program, tracer, recover, tmp_path):
    tracer.run(program, RANKS, tmp_path, args=["kill-all"])
    recover()
    before = {p: p.read_bytes() for p in (tmp_path / "trace").rglob("*") if p.is_file()}
    assert "whole" in recover().stdout
    assert before == {p: p.read_bytes() for p in (tmp_path / "trace").rglob("*") if p.is_file()}


@pytest.mark.parametrize("how", ["end", "kill-all"])
def test_archives_of_single_ranks(how, program, tracer, mpi, recover, tmp_path):
    """They are joined into one, whole ones and those of ranks that died."""
    tracer.run(program, RANKS, tmp_path, {"MPIOTRACE_ARCHIVE": "rank"}, [how])
    out = recover().stdout.splitlines()
    archive = tracer.read(tmp_path)
    assert sorted(archive.events) == [(rank, 0) for rank in range(RANKS)]
    assert [f.name for f in archive.definitions.io_files] == [str(tmp_path / "run" / "f.dat")]
    for rank in range(RANKS):
        assert stripped(archive.lines()[rank, 0])[:15] == open_lines() + writes(3)
        expected = "ended normally" if how == "end" else "outside MPI-IO"
        assert out[rank].startswith(f"rank {rank}: {expected}")


def test_nothing_there(recover, tmp_path):
    """One clear line."""
    done = recover(status=2)
    assert done.stderr == f"mpiotrace-recover: {tmp_path / 'trace'}: No such file or directory\n"
    (tmp_path / "trace").mkdir()
    assert len(recover(status=2).stderr.splitlines()) == 1
