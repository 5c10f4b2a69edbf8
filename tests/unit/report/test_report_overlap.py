# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-report: where the time of non-blocking operations goes, and which never end."""

import pytest

from harness.example import F, THREAD

from report_cases import part, report, row


def times(operations):
    return part(operations, "time_in_flight", "time_issuing", "time_waiting", "time_overlapped")


def test_overlap(job):
    first = job.start("iwrite_at", 10, 15, 100, 0)
    one = job.matching_id
    second = job.start("iwrite_at", 15, 20, 100, 100)
    two = job.matching_id
    waitall = job.call("MPI_Waitall", 60, 80, job.ended(80, 100, number=one),
                       job.ended(80, 100, number=two))
    job.main(0, 100, job.open(0, 10), first, second, waitall, job.close(90, 91))
    write = row(job.read()["calls"], call="MPI_File_iwrite_at")["write"]
    assert part(write, "non_blocking", "time") == (2, pytest.approx(0.07))          # 10-80
    assert times(write) == pytest.approx((0.07, 0.01, 0.02, 0.04))  # 10-20, 60-80, 20-60


def test_operations_share_the_time(job):
    """What each has of the time in which both are in flight: sums are time that passed."""
    write, one = job.start("iwrite_at", 10, 12, 100, 0), job.matching_id
    read, two = job.start("iread_at", 12, 14, 100, 0), job.matching_id
    job.main(0, 100, job.open(0, 10), write, read, job.wait(20, 24, one, 100),
             job.wait(26, 30, two, 100), job.close(90, 91))
    calls = job.read()["calls"]
    assert times(row(calls, call="MPI_File_iwrite_at")["write"]) == pytest.approx(
        (0.008, 0.003, 0.002, 0.003))
    assert times(row(calls, call="MPI_File_iread_at")["read"]) == pytest.approx(
        (0.012, 0.001, 0.006, 0.005))


def test_waiting_for_one_is_waiting_for_all(job):
    """A program that does nothing but to wait overlaps nothing, also if it waits one by one."""
    starts, numbers = [], []
    for i in range(10):
        starts.append(job.start("iwrite_at", 10 + i, 11 + i, 100, 100 * i))
        numbers.append(job.matching_id)
    waits = [job.wait(20 + 5 * i, 25 + 5 * i, number, 100) for i, number in enumerate(numbers)]
    job.main(0, 100, job.open(0, 10), *starts, *waits, job.close(90, 91))
    write = row(job.read()["calls"], call="MPI_File_iwrite_at")["write"]
    assert times(write) == pytest.approx((0.06, 0.01, 0.05, 0))


def test_threads_overlap_each_other(job):
    """Time counts once, as issuing if any thread begins operations."""
    start, number = job.start("iwrite_at", 10, 20, 100, 0), job.matching_id
    job.call("main", 0, 100, job.wait(30, 60, number, 100))(THREAD)
    job.main(0, 100, job.open(0, 10), start, job.call("get_size", 25, 40),
             job.transfer("write_at", 40, 50, 8, 200), job.close(90, 91))
    write = row(job.read()["calls"], call="MPI_File_iwrite_at")["write"]
    assert times(write) == pytest.approx((0.05, 0.02, 0.025, 0.005))


def test_another_thread_waits(job):
    """What one thread begins, another may complete; OTF2 keeps them in files of their own."""
    start = job.start("iwrite_at", 10, 15, 100, 0)
    job.call("main", 0, 100, job.wait(20, 40, job.matching_id, 60))(THREAD)
    job.main(0, 100, job.open(0, 10), start, job.close(50, 51))
    write = row(job.read()["calls"], call="MPI_File_iwrite_at")["write"]
    assert part(write, "bytes", "time_in_flight", "time_waiting",
                "not_ended") == (60, 0.03, 0.02, 0)


@pytest.mark.parametrize("records, attribute, tests",
                         [(1, 5, 5), (1, None, 1), (3, 3, 3), (0, None, 0)])
def test_unsuccessful_tests(job, records, attribute, tests):
    """MPIOTRACE_TEST_EVENTS=first records the first of them, and their number at the end."""
    start, number = job.start("iread_at", 10, 11, 100, 0), job.matching_id
    test = job.call("MPI_Test", 20, 25,
                    *[lambda at: job.on(at, 20, "IoOperationTest", F, number)] * records)
    attributes = [job.number("Unsuccessful tests", attribute)] if attribute else []
    job.main(0, 100, job.open(0, 10), start, test,
             job.wait(30, 40, number, 100, attributes=attributes), job.close(50, 51))
    assert row(job.read()["calls"],
               call="MPI_File_iread_at")["read"]["unsuccessful_tests"] == tests


def test_cancelled(job):
    start, number = job.start("iread_at", 10, 11, 100, 0), job.matching_id
    job.main(0, 100, job.open(0, 10), start,
             job.call("MPI_Wait", 20, 30, lambda at: job.on(at, 30, "IoOperationCancelled", F,
                                                            number)), job.close(50, 51))
    read = row(job.read()["calls"], call="MPI_File_iread_at")["read"]
    assert part(read, "begun", "completed", "cancelled", "time", "not_ended") == (1, 0, 1, 0, 0)


def test_another_thread_ends_a_blocking_operation(job):
    """Against OTF2's order of records, as mpiotrace-check says; it has ended nevertheless."""
    write = job.started(10, 8, 0)
    ended = job.ended(50, 8)
    job.call("main", 0, 100, job.call("write_at", 10, 20, write))(THREAD)
    job.main(0, 100, job.open(0, 5), job.call("close", 40, 50, ended, job.destroy_at(50)))
    write = row(job.read(clean=False)["calls"], call="MPI_File_write_at")["write"]
    assert part(write, "completed", "not_ended", "bytes", "time") == (1, 0, 8, 0.04)


def test_never_seen_to_complete(job):
    start, number = job.start("iwrite_at", 10, 11, 100, 0), job.matching_id
    close = job.call("close", 50, 60, job.ended(60, 0, number=number, attributes=[
        job.number("Completion not observed", 1)]), job.destroy_at(60))
    job.main(0, 100, job.open(0, 10), start, close)
    write = row(job.read()["calls"], call="MPI_File_iwrite_at")["write"]
    assert part(write, "completed", "not_observed", "not_ended", "time_in_flight",
                "time") == (0, 1, 0, 0, 0)


def test_the_process_died(job, tmp_path):
    """mpiotrace-recover ends what was open, and marks it: none of that has completed."""
    job.marks = "recovered"
    mark = [job.number("Unfinished", 1)]
    start, number = job.start("iwrite_at", 10, 11, 100, 0), job.matching_id
    write = job.call("write_at", 20, 60, job.started(20, 8, 0), job.ended(60, 0, attributes=mark),
                     leave=mark)
    job.main(0, 60, job.open(0, 10), start, write,
             job.ended(60, 0, number=number, attributes=mark),
             lambda at: job.on(at, 60, "IoDestroyHandle", F, attributes=mark))
    document = job.read()
    call = row(document["calls"], call="MPI_File_write_at")
    assert part(call, "calls", "not_left", "time") == (1, 1, 0.04)
    assert part(call["write"], "begun", "completed", "not_ended", "time") == (1, 0, 1, 0)
    start = row(document["calls"], call="MPI_File_iwrite_at")
    assert part(start, "calls", "not_left") == (1, 0)
    assert part(start["write"], "begun", "completed", "not_ended", "time") == (1, 0, 1, 0)
    text = " ".join(report(tmp_path / "archive").stdout.split())
    assert ("Operations that were never seen to complete 1 of 1 of MPI_File_write_at on /tmp/f.dat "
            "1 of 1 of MPI_File_iwrite_at on /tmp/f.dat") in text
    findings = [f for f in document["findings"] if f["time"] == 0]
    assert {f["text"] for f in findings} == {
        "1 of 1 calls of MPI_File_write_at on /tmp/f.dat had not returned when the trace ended",
        "1 of 1 operations of MPI_File_write_at on /tmp/f.dat were never seen to complete",
        "1 of 1 operations of MPI_File_iwrite_at on /tmp/f.dat were never seen to complete"}
