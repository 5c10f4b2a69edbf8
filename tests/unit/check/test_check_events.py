# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-check: what holds for every event: times, numbers, references."""

import _otf2

from check_cases import MASTER, OTHER, PROBLEMS, RANK_1, breaks, check, keeps, write
from harness.example import MAIN, MPI_IO, NON_BLOCKING, NOTE, OFFSET, S, THREAD, WRITE_AT, Example


# Times, processes, numbers


def replace_in(path, old, new):
    content = path.read_bytes()
    assert content.count(old) == 1
    path.write_bytes(content.replace(old, new))


def test_time_decreases(tmp_path):
    """OTF2 refuses to write that, so the time is changed in the file: 5 is a time's record type."""
    archive = Example()
    archive.enter()
    archive.time = 500
    archive.enter(WRITE_AT)
    archive.leave(WRITE_AT)
    archive.leave()
    directory = archive.write(tmp_path / "archive")
    replace_in(directory / "traces" / "0.evt", b"\x05" + (502).to_bytes(8, "little"),
               b"\x05" + (402).to_bytes(8, "little"))
    done = check("--quiet", directory)
    assert done.stdout == MASTER + "402: Leave: earlier than the record before it, of time 501\n"
    assert done.returncode == PROBLEMS


@breaks(MASTER + "1001: Enter: outside ClockProperties' times, 0 to 1000")
def test_outside_clock_properties(a):
    a.time = 1000
    a.enter()
    a.leave()


@breaks(RANK_1 + "1: BufferFlush: stops before it starts, at time 0")
def test_flush_stops_before_it_starts(a):
    a.event(1, "BufferFlush", 0)


@breaks("Location 0 \"Master thread\": has 1 events, 2 by its definition",
        "Location 1 \"Master thread\": has 1 events, 0 by its definition")
def test_number_of_events(a):
    a.redefine("Location", 0, S["Master thread"], _otf2.LOCATION_TYPE_CPU_THREAD, 2, 0)
    a.redefine("Location", 1, S["Master thread"], _otf2.LOCATION_TYPE_CPU_THREAD, 0, 1)
    a.event(0, "OmpJoin")
    a.event(1, "OmpJoin")


@breaks('LocationGroup 0 "MPI Rank 0": has a ProgramBegin, but no ProgramEnd',
        'LocationGroup 1 "MPI Rank 1": has a ProgramEnd, but no ProgramBegin')
def test_half_a_program(a):
    a.event(0, "ProgramBegin", S["main"], [])
    a.event(1, "ProgramEnd", 0)


@breaks(OTHER + "2: ProgramBegin: a second one in its process",
        OTHER + "3: ProgramEnd: a second one in its process")
def test_two_programs(a):
    a.event(0, "ProgramBegin", S["main"], [])
    a.event(THREAD, "ProgramBegin", S["main"], [])
    a.event(0, "ProgramEnd", 0)
    a.time -= 1
    a.event(THREAD, "ProgramEnd", 0)


@breaks(MASTER + "2: ProgramBegin: its process has a record before it, of time 1")
def test_record_before_program(a):
    a.event(THREAD, "OmpJoin")
    a.event(0, "ProgramBegin", S["main"], [])
    a.event(0, "ProgramEnd", 0)


@breaks(OTHER + "3: OmpJoin: later than the process's ProgramEnd, of time 2")
def test_record_after_program(a):
    a.event(0, "ProgramBegin", S["main"], [])
    a.event(0, "ProgramEnd", 0)
    a.event(THREAD, "OmpJoin")
    a.event(THREAD, "OmpJoin")


@keeps(marks="partial")
def test_partial_archives_need_not_end(a):
    a.event(0, "ProgramBegin", S["main"], [])
    a.enter()
    a.create()
    a.begin()
    a.begin(1, flags=NON_BLOCKING)


# References


@breaks(MASTER + "1: Enter: Region 7 is not defined", MASTER + "4: Leave: Region 8 is not defined")
def test_undefined_region(a):
    a.enter(7)
    a.leave(7)
    a.enter()
    a.leave(8)
    a.leave()


@breaks(MASTER + "1: CallingContextEnter: CallingContext 9 is not defined",
        MASTER + "3: CallingContextSample: CallingContext 9 is not defined",
        MASTER + "3: CallingContextSample: InterruptGenerator 8 is not defined")
def test_undefined_context(a):
    a.event(0, "CallingContextEnter", 9, 2)
    a.event(0, "CallingContextLeave", 9)
    a.event(0, "CallingContextSample", 9, 1, 8)


@breaks(MASTER + "1: IoOperationBegin: IoHandle 9 is not defined",
        MASTER + "2: IoOperationComplete: IoHandle 9 is not defined",
        MASTER + "3: IoCreateHandle: IoHandle 9 is not defined")
def test_undefined_handle(a):
    a.operation(handle=9)
    a.create(9)


@breaks(MASTER + "1: IoDeleteFile: IoParadigm 7 is not defined",
        MASTER + "2: IoDeleteFile: IoFile 7 is not defined")
def test_undefined_file(a):
    a.event(0, "IoDeleteFile", 7, 0)
    a.event(0, "IoDeleteFile", MPI_IO, 7)


@breaks(MASTER + "1: OmpJoin: Attribute 7 is not defined",
        MASTER + "2: OmpJoin: String 99 is not defined",
        MASTER + '3: OmpJoin: attribute 0 "Offset" has type 8, but is defined with 4')
def test_undefined_attribute(a):
    a.event(0, "OmpJoin", attributes=[(7, _otf2.TYPE_UINT64, 1)])
    a.event(0, "OmpJoin", attributes=[(NOTE, _otf2.TYPE_STRING, 99)])
    a.event(0, "OmpJoin", attributes=[(OFFSET, _otf2.TYPE_INT64, 1)])


@breaks(*(f"{MASTER}{time}: {record}: {missing} is not defined" for time, record, missing in (
    (1, "MpiSend", "Comm 7"), (2, "MpiCollectiveEnd", "Comm 8"), (3, "Metric", "Metric 9"),
    (4, "ParameterString", "Parameter 1"), (4, "ParameterString", "String 99"),
    (5, "RmaWinCreate", "RmaWin 3"), (6, "ThreadTeamBegin", "Comm 6"))))
def test_undefined_elsewhere(a):
    a.event(0, "MpiSend", 0, 7, 0, 0)
    a.event(0, "MpiCollectiveEnd", 0, 8, 0, 0, 0)
    a.event(0, "Metric", 9, [], [])
    a.event(0, "ParameterString", 1, 99)
    a.event(0, "RmaWinCreate", 3)
    a.event(0, "ThreadTeamBegin", 6)


@breaks(MASTER + "1: ProgramBegin: String 77 is not defined",
        MASTER + "1: ProgramBegin: String 78 is not defined")
def test_undefined_program(a):
    a.event(0, "ProgramBegin", 77, [S["main"], 78])
    a.event(0, "ProgramEnd", 0)


@breaks(MASTER + "1: Enter: Region 5 is not defined")
def test_references_are_mapped(a):
    a.mappings.append((0, _otf2.MAPPING_REGION, [5, MAIN]))
    a.enter(0)
    a.leave(0)
    a.enter(1)
    a.leave(1)
