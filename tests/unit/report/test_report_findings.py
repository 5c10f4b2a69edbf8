# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-report: the findings, each at its threshold and just below it."""

import pytest

from harness.example import COLLECTIVE, F, G

from report_cases import Job, check_json, report, report_json


@pytest.fixture
def job(tmp_path):
    """A Job, with `find()` for the findings in it."""
    job = Job()

    def find(clean=True):
        archive = job.write(tmp_path / "archive")
        if clean:
            check_json(archive)
        found = report_json(archive)["findings"]
        text = " ".join(report(archive).stdout.split())
        for finding in found[:8]:
            assert "- " + finding["text"] in text
        return found
    job.find = find
    return job


def kinds(findings):
    return [finding["kind"] for finding in findings]


def figures(finding):
    return finding["count"], finding["of"], finding["time"]


def writes(job, count, size, begin=100, handle=F, gap=0, **options):
    """So many writes of 10 ticks, one behind the other in time and in the file."""
    return [job.transfer("write_at", begin + 10 * i, begin + 10 * i + 10, size, i * (size + gap),
                         handle=handle, **options) for i in range(count)]


def test_nothing_to_say(job):
    job.main(0, 10000, job.open(0, 10), *writes(job, 150, 1 << 20), job.close(1800, 1810))
    job.main(0, 10000, job.open(0, 10), *writes(job, 150, 1 << 20), job.close(1800, 1810), at=1)
    assert job.find() == []


# Small requests


@pytest.mark.parametrize("count, size, expected", [(100, 4095, True), (99, 4095, False),
                                                   (100, 4096, False)])
def test_small_requests(job, count, size, expected):
    for rank in 0, 1:
        job.main(0, 10000, job.open(0, 10), *(writes(job, count, size) if rank == 0 else []),
                 *writes(job, 1, 1 << 20, 5000), job.close(6000, 6010), at=rank)
    found = [f for f in job.find() if f["kind"] == "small_requests"]
    assert bool(found) == expected
    if expected:
        assert found[0]["text"] == (
            "100 writes below 4 KiB to /tmp/f.dat, independent, 1.02 s (5.1 % of run time): "
            "consider collective calls")
        assert (found[0]["file"], found[0]["call"]) == ("/tmp/f.dat", "MPI_File_write_at")
        assert figures(found[0]) == (100, 102, 1.02)


def test_small_requests_name_the_place(job):
    root = job.context("main")
    caller = job.context("Solve", root, "/src/solver.c", 212)
    inner = job.context("write_at", caller)
    job.on(0, 0, "CallingContextEnter", root, 2)
    job.create_at(0)(0)
    for write in writes(job, 100, 8, context=inner):
        write(0)
    job.on(0, 2000, "IoDestroyHandle", F)
    job.on(0, 2000, "CallingContextLeave", root)
    finding = job.find(clean=False)[0]
    assert finding["text"] == (
        "100 writes below 4 KiB to /tmp/f.dat, independent, from Solve solver.c:212, "
        "1.00 s (50.0 % of run time): consider larger ones")
    assert (finding["function"], finding["source"], finding["line"]) == ("Solve", "/src/solver.c",
                                                                         212)


def test_small_collective_requests_are_what_is_advised(job):
    for rank in 0, 1:
        job.main(0, 10000, job.open(0, 10, G),
                 *writes(job, 150, 8, handle=G, flags=COLLECTIVE), job.close(6000, 6010, G),
                 at=rank)
    assert job.find() == []


def test_small_requests_must_be_most(job):
    job.main(0, 10000, job.open(0, 10), *writes(job, 100, 8), *writes(job, 101, 1 << 20, 2000),
             job.close(6000, 6010))
    assert "small_requests" not in kinds(job.find())


def test_small_requests_must_matter(job):
    """Less than 1 % of the time that all ranks run."""
    job.main(0, 50000, job.open(0, 10), *writes(job, 100, 8), job.close(6000, 6010))
    job.main(0, 50001, job.open(0, 10), job.close(6000, 6010), at=1)
    assert "small_requests" not in kinds(job.find())


# Offsets, bytes read again


@pytest.mark.parametrize("jumps, rest, expected", [(100, 100, True), (99, 0, False),
                                                   (100, 101, False)])
def test_random_offsets(job, jumps, rest, expected):
    offsets = [(i * i + 10) << 21 for i in range(jumps + 1)]
    offsets += [offsets[-1] + (1 + i << 20) for i in range(rest)]
    job.main(0, 10000, job.open(0, 10),
             *(job.transfer("read_at", 100 + 10 * i, 110 + 10 * i, 1 << 20, offset)
               for i, offset in enumerate(offsets)), job.close(6000, 6010))
    found = [f for f in job.find() if f["kind"] == "random_offsets"]
    assert bool(found) == expected
    if expected:
        assert found[0]["text"] == ("100 of 200 reads of /tmp/f.dat are at random offsets, "
                                    "2.01 s (20.1 % of run time)")
        assert figures(found[0]) == (100, 200, 2.01)


@pytest.mark.parametrize("size, again, expected", [(1 << 20, 1, True), ((1 << 20) - 1, 1, False),
                                                   (1 << 20, 4, False)])
def test_read_again(job, size, again, expected):
    """At least 1 MiB, and at least a quarter: with 1 of `again` more reads read again."""
    job.main(0, 10000, job.open(0, 10), job.transfer("read_at", 100, 200, size, 0),
             job.transfer("read_at", 200, 300, size, 0),
             *(job.transfer("read_at", 300 + i, 301 + i, size, (1 + i) * size)
               for i in range(again - 1)), job.close(6000, 6010))
    found = [f for f in job.find() if f["kind"] == "read_again"]
    assert bool(found) == expected
    if expected:
        assert found[0]["text"] == (
            "1.00 MiB of 2.00 MiB read from /tmp/f.dat had been read before by the same rank; "
            "reading takes 200 ms (2.0 % of run time)")
        assert figures(found[0]) == (1 << 20, 2 << 20, 0.2)


def test_read_again_is_of_bytes_that_were_read(job):
    """Of what was asked for behind the end of the file, nothing is a part of all bytes read."""
    job.main(0, 10000, job.open(0, 10), job.transfer("read_at", 100, 200, 1 << 20, 0),
             job.transfer("read_at", 200, 300, 1 << 20, 0),
             *(job.transfer("read_at", 300 + i, 301 + i, 1 << 20, 1 << 20, result=0)
               for i in range(10)), job.close(6000, 6010))
    found, = [f for f in job.find() if f["kind"] == "read_again"]
    assert figures(found)[:2] == (1 << 20, 2 << 20)


# Ranks


@pytest.mark.parametrize("longer, expected", [(3001, True), (2990, False)])
def test_imbalance(job, longer, expected):
    """1.5 times the median, which is half way between two ranks."""
    for rank, length in (0, 1000), (1, longer):
        job.main(0, 10000, job.open(0, 0), job.transfer("write_at", 100, 100 + length, 1 << 20, 0),
                 job.close(6000, 6000), at=rank)
    found = job.find()
    assert kinds(found) == (["imbalance"] if expected else [])
    if expected:
        assert found[0]["text"] == ("rank 1 spends 3.00 s in I/O calls, the median rank 2.00 s, "
                                    "rank 0 1.00 s")
        assert (found[0]["rank"], found[0]["time"]) == (1, 1.0005)


@pytest.mark.parametrize("bytes, rest, expected", [
    (4 << 18, 1 << 18, True), ((4 << 18) - 1, 1 << 18, False), ((1 << 20) - 1, 0, False)])
def test_one_rank(job, bytes, rest, expected):
    for rank, size in (0, bytes), (1, rest):
        job.main(0, 10000, job.open(0, 0), job.transfer("write_at", 100, 1100, size, 0),
                 job.close(6000, 6000), at=rank)
    found = job.find()
    assert kinds(found) == (["one_rank"] if expected else [])
    if expected:
        assert found[0]["text"] == "rank 0 of 2 writes 80.0 % of all bytes (1.25 MiB)"
        assert (found[0]["rank"], *figures(found[0])) == (0, 4 << 18, 5 << 18, 1.0)


@pytest.mark.parametrize("late, expected", [(200, True), (199, False)])
def test_late_ranks(job, late, expected):
    """Twice as many ticks early as a tenth of the time in calls on that file, 4000 here."""
    for rank in 0, 1:
        own = late if rank == 1 else 0
        job.main(0, 10000, job.open(0, 0, G),
                 *(job.transfer("write_all", begin + own, end, 1 << 20, handle=G, flags=COLLECTIVE)
                   for begin, end in ((100, 1100 + late // 2), (2000, 3000 + late // 2))),
                 job.close(6000, 6000, G), at=rank)
    found = job.find()
    assert kinds(found) == (["late_ranks"] if expected else [])
    if expected:
        assert found[0]["text"] == (
            "ranks come to collective calls on /tmp/f.dat at different times: together they are up "
            "to 400 ms (2.0 % of run time) early; rank 1 is the last in 2 of 2")
        assert (found[0]["rank"], *figures(found[0])) == (1, 2, 2, 0.4)


def test_ranks_alone_are_not_late(job):
    """A handle of MPI_COMM_SELF is one definition for all ranks, which do not wait for others."""
    for rank in 0, 1:
        job.main(0, 10000, job.open(0, 0),
                 job.transfer("write_all", 100 + 3000 * rank, 3100 + 3000 * rank, 1 << 20,
                              flags=COLLECTIVE), job.close(9000, 9000), at=rank)
    assert job.find() == []


# Calls


@pytest.mark.parametrize("metadata, expected", [(1000, True), (990, False)])
def test_metadata(job, metadata, expected):
    job.main(0, 10000, job.open(0, metadata - 100), job.transfer("write_at", 2000, 5000, 1 << 20),
             job.close(6000, 6100))
    found = [f for f in job.find() if f["kind"] == "metadata"]
    assert bool(found) == expected
    if expected:
        assert found[0]["text"] == (
            "25.0 % of the time in I/O calls is for metadata, 1.00 s (10.0 % of run time): "
            "above all 1 call of MPI_File_open, 900 ms")
        assert (found[0]["call"], *figures(found[0])) == ("MPI_File_open", 1, 2, 1.0)


@pytest.mark.parametrize("pause, count, expected", [(5, 10, True), (6, 10, False), (5, 9, False)])
def test_no_overlap(job, pause, count, expected):
    """In flight for 60 ticks, of which the program does something else in less than 6."""
    def parts():
        for i in range(count):
            begin = 100 + 100 * i
            yield job.start("iwrite_at", begin, begin + 30, 1 << 20, i << 20)
            yield job.wait(begin + 30 + pause, begin + 60, job.matching_id, 1 << 20)
    job.main(0, 10000, job.open(0, 0), *parts(), job.close(6000, 6000))
    found = job.find()
    assert kinds(found) == (["no_overlap"] if expected else [])
    if expected:
        assert found[0]["text"] == (
            "10 operations of MPI_File_iwrite_at overlap with nothing: in flight for 600 ms "
            "(6.0 % of run time), of which the program does something else in 8.3 %")
        assert figures(found[0]) == (10, 10, 0.55)


def test_failures_come_first(job):
    kind = [job.text("MPI error class", "MPI_ERR_NO_SUCH_FILE"), job.text("MPI error", "text")]
    job.main(0, 10000, *(job.call("open", 10 * i, 10 * i + 5, leave=kind,
                                  enter=[job.text("Path", "/tmp/missing")]) for i in range(2)),
             job.open(30, 40), *writes(job, 100, 8), job.close(6000, 6010))
    found = job.find()
    assert kinds(found)[:2] == ["failures", "small_requests"]
    assert found[0]["text"] == ("MPI_File_open failed 2 times with MPI_ERR_NO_SUCH_FILE "
                                "on /tmp/missing")
    assert figures(found[0]) == (2, 0, 0)


def test_not_completed(job):
    start, number = job.start("iwrite_at", 10, 11, 1 << 20, 0), job.matching_id
    close = job.call("close", 50, 60, job.ended(60, 0, number=number, attributes=[
        job.number("Completion not observed", 1)]), job.destroy_at(60))
    job.main(0, 10000, job.open(0, 10), start, close)
    found = job.find()
    assert found[0]["kind"] == "not_completed"
    assert found[0]["text"] == ("1 of 1 operations of MPI_File_iwrite_at on /tmp/f.dat were never "
                                "seen to complete")
