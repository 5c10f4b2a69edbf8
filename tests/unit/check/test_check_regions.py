# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-check: nesting of regions and calling contexts."""

from check_cases import MASTER, breaks, keeps
from harness.example import MAIN, NONE, S, WRITE_AT


@breaks(MASTER + '2: Leave(region 1 "MPI_File_write_at"): '
        'region 0 "main" was entered last, at time 1')
def test_left_another(a):
    a.enter()
    a.leave(WRITE_AT)
    a.leave()


@breaks(MASTER + '3: Leave(region 0 "main"): '
        'region 1 "MPI_File_write_at" was entered last, at time 2')
def test_left_outer_first(a):
    a.enter()
    a.enter(WRITE_AT)
    a.leave()


@breaks(MASTER + '1: Leave(region 0 "main"): nothing is entered')
def test_left_without_enter(a):
    a.leave()


@breaks(MASTER + '2: Enter(region 1 "MPI_File_write_at"): not left by the end of the trace',
        MASTER + '1: Enter(region 0 "main"): not left by the end of the trace')
def test_never_left(a):
    a.enter()
    a.enter(WRITE_AT)


def contexts(a):
    """Contexts 0: main, 1: main/write_at, 2: main/main, 3: main/main/write_at."""
    for self, region, parent in (0, MAIN, NONE), (1, WRITE_AT, 0), (2, MAIN, 0), (3, WRITE_AT, 2):
        a.define("CallingContext", self, region, NONE, parent)
    a.define("InterruptGenerator", 0, S["main"], 0, 1, 0, 1)


def enter_context(a, context, distance):
    a.event(0, "CallingContextEnter", context, distance)


def leave_context(a, context):
    a.event(0, "CallingContextLeave", context)


@breaks(MASTER + '3: CallingContextEnter: '
        'Enter and Leave are mixed with records of calling contexts')
def test_mixed(a):
    contexts(a)
    a.enter()
    a.leave()
    enter_context(a, 0, 2)
    leave_context(a, 0)


@breaks(MASTER + '3: CallingContextLeave(context 0 "main"): '
        'context 1 "MPI_File_write_at" was entered last, at time 2')
def test_left_outer_context_first(a):
    contexts(a)
    enter_context(a, 0, 2)
    enter_context(a, 1, 2)
    leave_context(a, 0)


@breaks(MASTER + '1: CallingContextEnter(context 0 "main"): not left by the end of the trace')
def test_context_never_left(a):
    contexts(a)
    enter_context(a, 0, 2)


@breaks(MASTER + '1: CallingContextEnter(context 0 "main"): '
        'unwind distance 3 is longer than the path')
def test_unwind_distance_too_long(a):
    contexts(a)
    enter_context(a, 0, 3)
    leave_context(a, 0)


@breaks(MASTER + '2: CallingContextEnter(context 3 "MPI_File_write_at"): '
        'unwind distance 2 leads to a context that is not part of the one before',
        MASTER + '4: CallingContextEnter(context 1 "MPI_File_write_at"): '
        'unwind distance 0 leads to a context that is not part of the one before')
def test_unwind_distance_too_short(a):
    contexts(a)
    enter_context(a, 0, 2)
    enter_context(a, 3, 2)
    leave_context(a, 3)
    enter_context(a, 1, 0)
    leave_context(a, 1)
    leave_context(a, 0)


@breaks(MASTER + '3: CallingContextEnter(context 3 "MPI_File_write_at"): '
        'unwind distance 4 leads beyond the region entered last')
def test_unwind_distance_beyond_entered(a):
    contexts(a)
    enter_context(a, 0, 2)
    enter_context(a, 2, 2)
    enter_context(a, 3, 4)
    leave_context(a, 3)
    leave_context(a, 2)
    leave_context(a, 0)


@keeps()
def test_unwind_distances(a):
    contexts(a)
    enter_context(a, 0, 2)
    enter_context(a, 3, 3)      # main has gone on to main/write_at in one step
    leave_context(a, 3)
    enter_context(a, 3, 2)      # main/main was not left
    leave_context(a, 3)
    enter_context(a, 1, 2)
    a.event(0, "CallingContextSample", 1, 1, 0)
    a.event(0, "CallingContextSample", 1, 0, 0)
    leave_context(a, 1)
    leave_context(a, 0)
    enter_context(a, 0, 2)
    leave_context(a, 0)


@breaks('CallingContext 4: its parents form a circle')
def test_contexts_form_a_circle(a):
    contexts(a)
    a.define("CallingContext", 4, MAIN, NONE, 5)
    a.define("CallingContext", 5, MAIN, NONE, 4)
    enter_context(a, 5, 3)
    leave_context(a, 5)
