# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-check: the life cycle of I/O handles, in each process."""

from check_cases import MASTER, RANK_1, breaks
from harness.example import ALL, ALL_PROXY, F, MPI_IO, NONE, P, POSIX, PRE, S


@breaks(MASTER + '1: IoOperationBegin(handle 0 "f.dat"): the handle has not been created')
def test_used_before_created(a):
    a.operation()
    a.destroy()


@breaks(MASTER + '3: IoSeek(handle 0 "f.dat"): the handle has been destroyed')
def test_used_after_destroyed(a):
    a.create()
    a.destroy()
    a.event(0, "IoSeek", F, 0, 0, 0)


@breaks(MASTER + '1: IoDestroyHandle(handle 0 "f.dat"): the handle has not been created')
def test_destroyed_before_created(a):
    a.destroy()


@breaks(MASTER + '1: IoOperationComplete(handle 0 "f.dat"): the handle has not been created')
def test_completed_before_created(a):
    a.complete()


@breaks(RANK_1 + '2: IoChangeStatusFlags(handle 0 "f.dat"): the handle has not been created')
def test_created_in_another_process(a):
    a.create()
    a.event(1, "IoChangeStatusFlags", F, 0)
    a.destroy()


@breaks(MASTER + '1: IoAcquireLock(handle 0 "f.dat"): the handle has not been created',
        RANK_1 + '2: IoTryLock(handle 0 "f.dat"): the handle has not been created',
        RANK_1 + '4: IoReleaseLock(handle 2 "pipe"): the handle has not been created')
def test_locked_before_created(a):
    a.event(0, "IoAcquireLock", F, 0)
    a.event(1, "IoTryLock", F, 0)
    a.event(0, "IoReleaseLock", F, 0)
    a.event(1, "IoReleaseLock", P, 0)


@breaks(MASTER + '2: IoCreateHandle(handle 0 "f.dat"): the handle is active already')
def test_created_twice(a):
    a.create()
    a.create()
    a.destroy()


@breaks(MASTER + '1: IoCreateHandle(handle 3 "stdout"): the handle is active already')
def test_pre_created_is_active(a):
    a.create(PRE)


@breaks(MASTER + '3: IoDestroyHandle(handle 0 "f.dat"): an operation on it has not ended')
def test_destroyed_in_use(a):
    a.create()
    a.begin()
    a.destroy()
    a.complete()


@breaks(MASTER + '1: IoDuplicateHandle(handle 2 "pipe"): the handle has not been created')
def test_duplicate_of_inactive(a):
    a.define("IoHandle", 5, S["pipe"], NONE, POSIX, 0, NONE, NONE)
    a.event(0, "IoDuplicateHandle", P, 5, 0)


@breaks(MASTER + '2: IoDuplicateHandle(handle 2 "pipe"): the handle is active already')
def test_duplicate_onto_active(a):
    a.create(P)
    a.event(0, "IoDuplicateHandle", PRE, P, 0)


@breaks(MASTER + '2: IoDuplicateHandle(handle 5 "g.dat"): '
        'its communicator is not that of the handle it duplicates')
def test_duplicate_for_another_communicator(a):
    a.define("IoHandle", 5, S["g.dat"], 0, MPI_IO, 0, NONE, NONE)
    a.create(F)
    a.event(0, "IoDuplicateHandle", F, 5, 0)


@breaks(*(MASTER + f'{time}: {record}(handle 4 "sync"): '
          'not allowed on a handle with the flag ALL_PROXY' for time, record in
          enumerate(["IoCreateHandle", "IoChangeStatusFlags", "IoDuplicateHandle",
                     "IoDestroyHandle"], 1)))
def test_proxy_has_no_life_cycle(a):
    a.create(ALL)
    a.event(0, "IoChangeStatusFlags", ALL, 0)
    a.event(0, "IoDuplicateHandle", ALL, P, 0)
    a.destroy(ALL)
