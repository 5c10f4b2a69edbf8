# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-report: sequential, strided, random; views; bytes read again."""

import pytest

from harness.example import COLLECTIVE, F, G

from report_cases import part, row


@pytest.mark.parametrize("offsets, sequential, strided, random", [
    ([0, 10, 20, 30], 3, 0, 0),
    ([0, 100, 200, 300], 0, 3, 0),
    ([300, 200, 100, 0], 0, 3, 0),                     # backwards
    ([0, 100, 5, 77], 0, 0, 3),
    ([0, 10, 100, 110, 200, 210], 3, 2, 0),            # blocks, each as far behind the last
    ([0, 10, 100, 110, 190, 200, 280], 3, 2, 1),
    ([0, 100, 200, 5], 0, 2, 1),
    ([0, 0, 0], 0, 2, 0),
    ([0, 100], 0, 0, 1),
    ([7], 0, 0, 0),
])
def test_pattern(job, offsets, sequential, strided, random):
    """Ten bytes each."""
    job.main(0, 1000, job.open(0, 10),
             *(job.transfer("write_at", 10 + i, 11 + i, 10, offset)
               for i, offset in enumerate(offsets)), job.close(900, 910))
    write = row(job.read()["calls"], call="MPI_File_write_at")["write"]
    assert part(write, "sequential", "strided", "random") == (sequential, strided, random)


def test_pattern_is_that_of_a_thread_and_direction(job):
    """Ranks, reads and writes do not disturb each other; shared pointers have no offset."""
    job.main(0, 1000, job.open(0, 10),
             *(part for i in range(4) for part in (
                 job.transfer("write_at", 10 + 20 * i, 20 + 20 * i, 10, 10 * i),
                 job.transfer("read_at", 20 + 20 * i, 30 + 20 * i, 10, 1000 + 10 * i),
                 job.transfer("write_shared", 30 + 20 * i, 30 + 20 * i, 5))), job.close(900, 910))
    job.main(0, 1000, job.open(0, 10),
             *(job.transfer("write_at", 10 + 20 * i, 20 + 20 * i, 10, 500 + 10 * i)
               for i in range(4)), job.close(900, 910), at=1)
    calls = job.read()["calls"]
    assert row(calls, call="MPI_File_write_at")["write"]["sequential"] == 6
    assert row(calls, call="MPI_File_read_at")["read"]["sequential"] == 3
    shared = row(calls, call="MPI_File_write_shared")["write"]
    assert part(shared, "sequential", "strided", "random") == (0, 0, 0)


def test_pattern_of_a_new_calls_first_operation(job):
    """A jump is counted for the call that makes it, also when the next one classifies it."""
    job.main(0, 1000, job.open(0, 10), job.transfer("write_at", 10, 20, 10, 0),
             job.transfer("write_all", 20, 30, 10, 100, flags=COLLECTIVE),
             job.transfer("write_at", 30, 40, 10, 200), job.close(900, 910))
    calls = job.read()["calls"]
    assert row(calls, call="MPI_File_write_at")["write"]["strided"] == 1
    assert row(calls, call="MPI_File_write_all")["write"]["strided"] == 1


@pytest.mark.parametrize("writes, counts, end", [
    ([(0, 8), (8, 8), (64, 8), (72, 8)], (2, 1, 0), 80),
    ([(0, 16), (64, 48), (256, 16)], (0, 2, 0), 272),       # whole tiles, not as many each time
    ([(0, 24), (72, 40), (256, 8)], (0, 2, 0), 264),        # parts of tiles
    ([(0, 24), (72, 40), (257, 8)], (0, 1, 1), 265),        # behind any hole
    ([(0, 48), (48, 16)], (0, 0, 1), 144),                  # its end in the file is not 48
    ([(0, 16), (64, 16), (64, 16), (0, 16)], (0, 1, 2), 80),
    ([(5, 8), (5, 0)], (0, 0, 1), 13),
])
def test_pattern_behind_holes(job, writes, counts, end):
    """16 bytes of data in each 64: what goes on where the view does is not at random."""
    job.main(0, 1000, job.open(0, 10), job.set_view(10, 11, 16, 64),
             *(job.transfer("write_at", 20 + i, 21 + i, size, offset)
               for i, (offset, size) in enumerate(writes)), job.close(900, 910))
    write = row(job.read()["calls"], call="MPI_File_write_at")["write"]
    assert part(write, "sequential", "strided", "random") == counts
    assert write["end"] == end


@pytest.mark.parametrize("without_holes", ["set_view", "open", "other"])
def test_view_ends(job, without_holes):
    """A view is one handle's, until another is set or the handle is created again."""
    ends = {"set_view": [job.set_view(20, 21, 64, 64)],
            "open": [job.close(20, 21), job.open(21, 22)],
            "other": [job.open(20, 21, G)]}[without_holes]
    handle = G if without_holes == "other" else F
    job.main(0, 1000, job.open(0, 10), job.set_view(10, 11, 16, 64), *ends,
             job.transfer("write_at", 30, 31, 16, 0, handle=handle),
             job.transfer("write_at", 31, 32, 16, 64, handle=handle),
             job.transfer("write_at", 32, 33, 32, 80, handle=handle))
    job.marks = "partial"
    write = row(job.read(clean=False)["calls"], call="MPI_File_write_at")["write"]
    assert part(write, "sequential", "strided", "random") == (1, 0, 1)


def test_read_again_behind_holes(job):
    """Column by column: what lies in another's holes is not read twice."""
    job.main(0, 1000, job.open(0, 10), job.set_view(10, 11, 10, 100),
             *(job.transfer("read_at", 20 + i, 21 + i, size, offset)
               for i, (offset, size) in enumerate([(0, 50), (10, 50), (20, 50), (10, 60),
                                                   (0, 20)])), job.close(900, 910))
    assert job.read()["files"][0]["read"]["bytes_reread"] == 50 + 20


def test_read_again_is_of_bytes_that_were_read(job):
    """Requests beyond the end of the file read nothing twice."""
    job.main(0, 1000, job.open(0, 10),
             *(job.transfer("read_at", 20 + i, 21 + i, 100, offset, result=result)
               for i, (offset, result) in enumerate([(0, 50), (0, 50), (50, 0), (50, 0), (40, 10),
                                                     (0, 0)])), job.close(900, 910))
    assert job.read()["files"][0]["read"]["bytes_reread"] == 50 + 10


@pytest.mark.parametrize("reads, again", [
    ([(0, 10), (10, 10)], 0),
    ([(0, 10), (0, 10)], 10),
    ([(0, 10), (5, 10), (0, 20)], 5 + 15),
    ([(0, 10), (20, 10), (40, 10), (0, 50)], 30),
    ([(20, 10), (0, 10), (10, 10), (0, 30)], 30),
    ([(0, 100), (20, 10), (99, 2)], 10 + 1),
])
def test_read_again(job, reads, again):
    job.main(0, 1000, job.open(0, 10),
             *(job.transfer("read_at", 10 + i, 11 + i, size, offset)
               for i, (offset, size) in enumerate(reads)),
             job.transfer("write_at", 800, 810, 100, 0), job.close(900, 910))
    job.main(0, 1000, job.open(0, 10), job.transfer("read_at", 10, 20, 7, 0), job.close(900, 910),
             at=1)
    assert job.read()["files"][0]["read"]["bytes_reread"] == again
