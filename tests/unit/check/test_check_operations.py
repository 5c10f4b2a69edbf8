# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-check: I/O operations, their order, their sizes, and those that are collective."""

import _otf2
import pytest

from check_cases import CLEAN, MASTER, OTHER, PROBLEMS, RANK_1, SCORE_P, breaks, check, keeps, write
from harness.example import (COLLECTIVE, F, FLUSH, G, MPI_IO, NON_BLOCKING, NONE, P, READ, S,
                             THREAD, UNKNOWN, WORLD)


# Order of records


@breaks(MASTER + '2: IoOperationComplete(handle 0 "f.dat", id 7): no such operation begun')
def test_complete_without_begin(a):
    a.create()
    a.complete(id=7)
    a.destroy()


@breaks(MASTER + '3: IoOperationIssued(handle 0 "f.dat", id 0): the operation is blocking',
        MASTER + '4: IoOperationTest(handle 0 "f.dat", id 0): the operation is blocking',
        MASTER + '5: IoOperationCancelled(handle 0 "f.dat", id 0): the operation is blocking')
def test_blocking_has_only_begin_and_complete(a):
    a.create()
    a.begin()
    a.issue()
    a.test()
    a.cancel()
    a.destroy()


@breaks(MASTER + '3: IoOperationComplete(handle 0 "f.dat", id 0): '
        'the operation has not been issued',
        MASTER + '5: IoOperationTest(handle 0 "f.dat", id 1): the operation has not been issued',
        MASTER + '8: IoOperationCancelled(handle 0 "f.dat", id 2): '
        'the operation has not been issued')
def test_non_blocking_is_issued_first(a):
    a.create()
    a.begin(0, flags=NON_BLOCKING)
    a.complete(0)
    a.begin(1, flags=NON_BLOCKING)
    a.test(1)
    a.issue(1)
    a.begin(2, flags=NON_BLOCKING)
    a.cancel(2)
    a.complete(1)
    a.destroy()


@breaks(MASTER + '4: IoOperationIssued(handle 0 "f.dat", id 0): '
        'the operation has been issued before')
def test_issued_twice(a):
    a.create()
    a.begin(flags=NON_BLOCKING)
    a.issue()
    a.issue()
    a.complete()
    a.destroy()


@breaks(OTHER + '3: IoOperationComplete(handle 0 "f.dat", id 0): '
        'the operation is blocking and began on location 0')
def test_blocking_completes_elsewhere(a):
    a.create()
    a.begin()
    a.complete(at=THREAD)
    a.destroy()


@breaks(RANK_1 + '5: IoOperationComplete(handle 0 "f.dat", id 0): no such operation begun',
        MASTER + '3: IoOperationBegin(handle 0 "f.dat", id 0): not ended by the end of the trace')
def test_other_process_completes(a):
    a.create()
    a.create(at=1)
    a.begin(flags=NON_BLOCKING)
    a.issue()
    a.complete(at=1)


@breaks(MASTER + '4: IoOperationBegin(handle 0 "f.dat", id 5): '
        'an operation with this id, begun at time 2, has not ended', creator=SCORE_P)
def test_matching_id_in_use(a):
    a.create()
    a.begin(5, flags=NON_BLOCKING)
    a.issue(5)
    a.begin(5, flags=NON_BLOCKING)
    a.complete(5)
    a.destroy()


@breaks(MASTER + '8: IoOperationBegin(handle 0 "f.dat", id 1): an operation before had this id')
def test_matching_id_used_again(a):
    a.create()
    a.operation(0)
    a.operation(1)
    a.destroy()
    a.create()
    a.operation(1)
    a.destroy()


@breaks(MASTER + '2: IoOperationBegin(handle 0 "f.dat", id 0): not ended by the end of the trace',
        MASTER + '3: IoOperationBegin(handle 0 "f.dat", id 1): not ended by the end of the trace')
def test_operations_do_not_end(a):
    a.create()
    a.begin(0)
    a.begin(1, flags=NON_BLOCKING)
    a.issue(1)


# Sizes


@breaks(MASTER + '3: IoOperationComplete(handle 0 "f.dat", id 0): 9 bytes, but 8 were requested')
def test_more_than_requested(a):
    a.create()
    a.begin(bytes=8)
    a.complete(bytes=9)
    a.destroy()


@breaks(MASTER + '2: IoOperationBegin(handle 0 "f.dat", id 0): '
        'absurd request of 4611686018427387904 bytes',
        MASTER + f'4: IoOperationBegin(handle 0 "f.dat", id 1): absurd request of {UNKNOWN} bytes')
def test_absurd_request(a):
    a.create()
    a.operation(0, bytes=2**62)
    a.operation(1, bytes=UNKNOWN, mode=READ)
    a.destroy()


@breaks(MASTER + '3: IoOperationComplete(handle 0 "f.dat", id 0): '
        f'absurd result of {UNKNOWN} bytes')
def test_absurd_result(a):
    a.create()
    a.begin()
    a.complete(bytes=UNKNOWN)
    a.destroy()


@breaks(MASTER + '2: IoSeek(handle 0 "f.dat"): absurd offset')
def test_absurd_offset(a):
    a.create()
    a.event(0, "IoSeek", F, 0, 0, 2**62)
    a.destroy()


@breaks(MASTER + '2: IoSeek(handle 0 "f.dat"): unknown whence')
def test_unknown_whence(a):
    a.create()
    a.event(0, "IoSeek", F, 0, 5, 0)
    a.destroy()


@breaks(MASTER + '2: IoOperationBegin(handle 0 "f.dat", id 0): unknown mode 3')
def test_unknown_mode(a):
    a.create()
    a.operation(mode=3)
    a.destroy()


# Collective operations


@breaks(MASTER + '2: IoOperationBegin(handle 5 "g.dat", id 0): '
        'COLLECTIVE, but the handle has no communicator')
def test_collective_without_communicator(a):
    a.define("IoHandle", 5, S["g.dat"], 0, MPI_IO, 0, NONE, NONE)
    a.create(5)
    a.operation(handle=5, flags=COLLECTIVE)
    a.destroy(5)


@breaks(MASTER + '2: IoOperationBegin(handle 2 "pipe", id 0): '
        'COLLECTIVE, but "POSIX" is a serial paradigm')
def test_collective_of_serial_paradigm(a):
    a.create(P)
    a.operation(handle=P, flags=COLLECTIVE)
    a.destroy(P)


MEMBERS = '"MPI Rank 0", but '


def world(a, writes=(1, 1)):
    """Handle G on both ranks, with so many collective writes."""
    for rank in 0, 1:
        a.create(G, rank)
        for number in range(writes[rank]):
            a.operation(number, G, rank, flags=COLLECTIVE)
    for rank in 0, 1:
        a.destroy(G, rank)


def disagree(a):
    world(a, (1, 2))


test_writes_disagree = breaks(
    f'Comm 0 "MPI_COMM_WORLD": 1 collective writes by {MEMBERS}2 by "MPI Rank 1"')(disagree)


@breaks(f'Comm 0 "MPI_COMM_WORLD": 1 collective reads by {MEMBERS}0 by "MPI Rank 1"',
        f'Comm 0 "MPI_COMM_WORLD": 0 collective flushes by {MEMBERS}1 by "MPI Rank 1"')
def test_modes_disagree(a):
    a.create(G)
    a.create(G, 1)
    a.operation(handle=G, mode=READ, flags=COLLECTIVE)
    a.operation(handle=G, at=1, mode=FLUSH, flags=COLLECTIVE)
    a.destroy(G)
    a.destroy(G, 1)


@breaks(f'Comm 0 "MPI_COMM_WORLD": 1 IoCreateHandle records by {MEMBERS}0 by "MPI Rank 1"',
        f'Comm 0 "MPI_COMM_WORLD": 1 IoDestroyHandle records by {MEMBERS}0 by "MPI Rank 1"')
def test_one_rank_creates(a):
    a.create(G)
    a.destroy(G)


@breaks(f'Comm 0 "MPI_COMM_WORLD": 2 IoDestroyHandle records by {MEMBERS}1 by "MPI Rank 1"',
        f'Comm 0 "MPI_COMM_WORLD": 1 IoDuplicateHandle records by {MEMBERS}0 by "MPI Rank 1"')
def test_one_rank_duplicates(a):
    a.define("IoHandle", 5, S["g.dat"], 0, MPI_IO, 0, WORLD, NONE)
    a.create(G)
    a.create(G, 1)
    a.event(0, "IoDuplicateHandle", G, 5, 0)
    a.destroy(5)
    a.destroy(G)
    a.destroy(G, 1)


@breaks('Comm 2: "MPI Rank 1" is not a member, but takes part in its collectives')
def test_not_a_member(a):
    a.define("Group", 3, S[""], _otf2.GROUP_TYPE_COMM_GROUP, _otf2.PARADIGM_MPI, 0, [0])
    a.define("Comm", 2, S[""], 3, NONE, 0)
    a.define("IoHandle", 5, S["g.dat"], 0, MPI_IO, 0, 2, NONE)
    for rank in 0, 1:
        a.create(5, rank)
        a.destroy(5, rank)


@pytest.mark.parametrize("marks", ["recovered", "paused", "partial", "paused,recovered"])
def test_marked_archives_need_not_agree(marks, tmp_path):
    done = check("--quiet", write(disagree, tmp_path, marks=marks))
    assert (done.stdout, done.returncode) == ("", CLEAN)


def test_other_marks_mean_nothing(tmp_path):
    done = check("--quiet", write(disagree, tmp_path, marks="unpaused,part"))
    assert done.returncode == PROBLEMS


@keeps(creator=SCORE_P)
def test_measurement_is_switched_off(a):
    a.event(0, "MeasurementOnOff", _otf2.MEASUREMENT_OFF)
    world(a, (1, 2))
