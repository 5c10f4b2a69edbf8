# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-report: where the time of non-blocking operations goes, and which never end."""

import pytest

from harness.example import F, THREAD

from report_cases import part, row


def test_overlap(job):
    first = job.start("iwrite_at", 10, 15, 100, 0)
    one = job.matching_id
    second = job.start("iwrite_at", 15, 20, 100, 100)
    two = job.matching_id
    waitall = job.call("MPI_Waitall", 60, 80, job.ended(80, 100, number=one),
                       job.ended(80, 100, number=two))
    job.main(0, 100, job.open(0, 10), first, second, waitall, job.close(90, 91))
    write = row(job.read()["calls"], call="MPI_File_iwrite_at")["write"]
    # in flight: 10-80 and 15-80; issuing 10-15, 15-20; waiting 60-80 for each
    assert part(write, "non_blocking", "time_in_flight", "time_issuing", "time_waiting",
                "time_overlapped") == (2, 0.135, 0.01, 0.04, 0.085)


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


def test_never_seen_to_complete(job):
    start, number = job.start("iwrite_at", 10, 11, 100, 0), job.matching_id
    close = job.call("close", 50, 60, job.ended(60, 0, number=number, attributes=[
        job.number("Completion not observed", 1)]), job.destroy_at(60))
    job.main(0, 100, job.open(0, 10), start, close)
    write = row(job.read()["calls"], call="MPI_File_iwrite_at")["write"]
    assert part(write, "completed", "not_observed", "not_ended", "time_in_flight") == (1, 1, 0, 0)
