# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-report: the text, its width, what it says of archives that it cannot read."""

import re

from harness.example import FLUSH, NON_BLOCKING, NONE

from report_cases import NOTHING, Job, check_json, one_line, report


def everything(job):
    """Two ranks: one does some of everything to a file, the other writes a block."""
    write = [job.transfer("write_at", 20 + 10 * i, 30 + 10 * i, 4096, offset)
             for i, offset in enumerate([0, 4096, 12288])]
    read = [job.transfer("read_at", 50, 60, 100, 0, result=50),
            job.transfer("read_at", 60, 70, 100, 0, result=100)]
    start = job.start("iwrite_at", 70, 72, 1 << 20, 1 << 20)
    wait = job.wait(90, 100, job.matching_id, 1 << 20)
    sync = job.call("sync", 100, 110, job.started(100, 0, mode=FLUSH), job.ended(110, 0))
    job.main(0, 200, job.open(10, 20), *write, *read, start, wait, sync, job.close(110, 130))
    job.main(0, 100, job.open(0, 50), job.transfer("write_at", 50, 60, 512, 8192),
             job.close(60, 61), at=1)


TEXT = """\
{archive}
2 ranks, 200 ms, 55 events; written by mpiotrace 0

Findings
  - rank 0 of 2 writes 100.0 % of all bytes (1.01 MiB)
  - 49.7 % of the time in I/O calls is for metadata, 81.0 ms (27.0 % of run
    time): above all 2 calls of MPI_File_open, 60.0 ms

Ranks
                 least (rank)   median   most (rank)
  run time         100 ms (1)   150 ms    200 ms (0)
  in I/O calls    61.0 ms (1)  81.5 ms    102 ms (0)
    of run time    51.0 % (0)   56.0 %    61.0 % (1)
    reading           0 s (1)  10.0 ms   20.0 ms (0)
    writing       10.0 ms (1)  21.0 ms   32.0 ms (0)
    flushing          0 s (1)  5.00 ms   10.0 ms (0)
    waiting           0 s (1)  5.00 ms   10.0 ms (0)
    metadata      30.0 ms (0)  40.5 ms   51.0 ms (1)
  bytes read          0 B (1)     75 B     150 B (0)
  bytes written     512 B (1)  518 KiB  1.01 MiB (0)

Calls (all ranks)
  call                count     time  of run     bytes  per second
  MPI_File_open           2  60.0 ms  20.0 %         -           -
  MPI_File_write_at       4  40.0 ms  13.3 %  12.5 KiB   312 KiB/s
  MPI_File_close          2  21.0 ms   7.0 %         -           -
  MPI_File_read_at        2  20.0 ms   6.7 %     150 B  7.32 KiB/s
  MPI_Wait                1  10.0 ms   3.3 %         -           -
  MPI_File_sync           1  10.0 ms   3.3 %       0 B           -
  MPI_File_iwrite_at      1  2.00 ms   0.7 %  1.00 MiB  33.3 MiB/s

Files (all ranks)
  /tmp/f.dat (MPI-IO)
      ranks: 2, opens: 2, calls: 13 in 163 ms, metadata 81.0 ms
      read 150 B, 7.32 KiB/s; operations: 2
            requests below 512 B: 2
            offsets 0.0 % sequential, 0.0 % strided, 100.0 % random
            of it read before by the same rank: 50 B
      written 1.01 MiB, 14.5 MiB/s; operations: 5, 1 non-blocking
            requests below 4 KiB: 1, below 32 KiB: 3, below 2 MiB: 1
            offsets 33.3 % sequential, 0.0 % strided, 66.7 % random
      flushed: 1
      File system=node

Non-blocking operations
  call                operations  in flight  issuing  waiting  overlap  tests
  MPI_File_iwrite_at           1    30.0 ms  2.00 ms  10.0 ms   60.0 %      0
"""


def test_text(tmp_path):
    job = Job()
    everything(job)
    archive = job.write(tmp_path / "archive")
    check_json(archive)
    done = report(archive)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == TEXT.format(archive=archive)


def test_cut_lists_say_how_to_see_all(tmp_path):
    """Each list of the text is cut, says so, and is whole with --all."""
    job = Job()
    parts = []
    for i in range(25):
        job.define("IoRegularFile", 10 + i, job.string(f"/tmp/{i}.dat"), 0)
        job.define("IoHandle", 10 + i, job.string(f"{i}.dat"), 10 + i, 0, 0, 1, NONE)
        fails = [job.text("MPI error class", f"MPI_ERR_{i}"), job.text("MPI error", "text")]
        parts += [job.open(100 * i, 100 * i + 10, 10 + i),
                  job.transfer(f"write_{i}", 100 * i + 10, 100 * i + 20, 100, handle=10 + i),
                  *(job.transfer("read", 100 * i + 20 + k, 100 * i + 21 + k, 0, handle=10 + i,
                                 leave=fails) for k in range(1 + i // 24)),
                  job.call(f"start_{i}", 100 * i + 30, 100 * i + 40,
                           job.started(100 * i + 30, 8, None, 10 + i, flags=NON_BLOCKING))]
    job.main(0, 10000, *parts)
    archive = job.write(tmp_path / "archive")
    cut = report(archive).stdout.splitlines()
    whole = report("--all", archive).stdout.splitlines()
    assert [line for line in cut if line.startswith("  ...")] == [
        "  ... and 43 more findings: see --all", "  ... and 32 more calls: see --all",
        "  ... and 15 more files: see --all", "  ... and 5 more calls: see --all",
        "  ... and 5 more errors: see --all", "  ... and 5 more operations: see --all"]
    assert not [line for line in whole if "..." in line]
    kept = [line for line in cut if not line.startswith("  ...")]
    assert all(any(line.split() == other.split() for other in whole) for line in kept)
    for name in "write_24", "start_24", "/tmp/24.dat (MPI-IO)", "MPI_ERR_24":
        assert any(name in line for line in whole)
    assert next(line for line in cut if " x " in line).startswith("  2 x MPI_ERR_24 ")


def test_rank_without_events(tmp_path):
    """It is no part of the spread, and the head says so."""
    job = Job()
    job.main(0, 100, job.open(0, 10), job.close(20, 30))
    lines = report(job.write(tmp_path / "archive")).stdout.splitlines()
    assert lines[1].startswith("2 ranks (1 without events), 100 ms, ")
    run_time, = [line.split() for line in lines if line.startswith("  run time ")]
    assert run_time[2:] == ["100", "ms", "(0)"] + ["100", "ms"] + ["100", "ms", "(0)"]


def test_numbers_keep_their_units(tmp_path):
    job = Job()
    everything(job)
    archive = job.write(tmp_path / "archive")
    for columns in range(40, 100):
        text = report(archive, env={"COLUMNS": str(columns)}).stdout
        assert not re.search("%$", text, re.MULTILINE)
        assert not re.search(r"^ *(%|[mun]?s|([KMG]i)?B)(?!\S*[A-Za-z])", text, re.MULTILINE)


def test_error_without_a_file(tmp_path):
    """A non-blocking call that failed began no operation that would name one."""
    job = Job()
    fails = [job.text("MPI error class", "MPI_ERR_COUNT"), job.text("MPI error", "bad count")]
    job.main(0, 100, job.open(0, 10), job.call("iwrite", 10, 20, leave=fails), job.close(20, 30))
    text = report(job.write(tmp_path / "archive")).stdout
    assert text.endswith("Errors\n  1 x MPI_ERR_COUNT in MPI_File_iwrite: bad count\n")


def test_no_io_records(tmp_path):
    job = Job()
    job.main(0, 10)
    archive = job.write(tmp_path / "archive")
    assert one_line(report(archive), NOTHING) == f"mpiotrace-report: {archive}: no I/O records"
