# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-report --json: each table's figures, on archives whose content is known."""

import _otf2
import pytest

from harness.example import (COLLECTIVE, F, FLUSH, G, NON_BLOCKING, NONE, P, READ, S, THREAD,
                             UNKNOWN, WRITE)

from report_cases import part, row


# Ranks


def test_ranks(job):
    job.main(0, 1000, job.open(0, 100), job.transfer("write_at", 100, 300, 4096, 0),
             job.transfer("read_at", 300, 350, 4096, 0), job.close(350, 360))
    job.main(100, 500, job.open(100, 110), job.close(110, 120), at=1)
    report = job.read()
    ranks = report["ranks"]
    assert part(ranks[0], "rank", "name", "run_time", "io_time", "calls") == (
        0, "MPI Rank 0", 1.0, 0.36, 4)
    assert part(ranks[0], "time_reading", "time_writing", "time_flushing", "time_waiting",
                "time_metadata") == (0.05, 0.2, 0, 0, 0.11)
    assert part(ranks[0], "reads", "bytes_read", "writes", "bytes_written", "flushes") == (
        1, 4096, 1, 4096, 0)
    assert part(ranks[1], "rank", "run_time", "io_time", "calls") == (1, 0.4, 0.02, 2)
    assert report["run_time"] == 1.0
    assert report["spread"]["run_time"] == {"least": 0.4, "least_rank": 1, "median": 0.7,
                                            "most": 1.0, "most_rank": 0, "sum": 1.4}
    assert report["spread"]["io_share"]["most"] == 0.36


def test_ranks_are_numbered_by_name(job):
    """As in the archive that MPIOTRACE_ARCHIVE=rank writes, of one rank of many."""
    job.redefine("LocationGroup", 0, job.string("MPI Rank 7"),
                 _otf2.LOCATION_GROUP_TYPE_PROCESS, 1, NONE)
    job.main(0, 10, job.open(0, 1), job.close(1, 2))
    job.main(0, 10, job.open(0, 1), job.close(1, 2), at=1)
    report = job.read()
    assert [rank["rank"] for rank in report["ranks"]] == [1, 7]
    assert report["spread"]["run_time"]["least_rank"] == 1


@pytest.mark.parametrize("name", ["MPI Rank 4294967297", "MPI Rank -1", "MPI Rank 7x", "other"])
def test_other_names_have_no_number(job, name):
    """Such a process has its place among the others, not a number that only looks like one."""
    job.redefine("LocationGroup", 1, job.string(name), _otf2.LOCATION_GROUP_TYPE_PROCESS, 1, NONE)
    job.main(0, 10, job.open(0, 1), job.close(1, 2))
    job.main(0, 10, job.open(0, 1), job.close(1, 2), at=1)
    assert [part(r, "rank", "name") for r in job.read()["ranks"]] == [(0, "MPI Rank 0"), (1, name)]


def test_threads_are_in_io_together(job):
    """Time in which both threads of a rank are in I/O calls counts once."""
    job.main(0, 100, job.open(0, 10), job.transfer("write_at", 20, 60, 8, 0),
             job.transfer("write_at", 80, 90, 8, 8), job.close(95, 97))
    job.call("main", 0, 100, job.transfer("write_at", 30, 40, 8, 16),
             job.transfer("write_at", 50, 70, 8, 24),
             job.transfer("write_at", 75, 95, 8, 32))(THREAD)
    report = job.read()
    # 0-10, 20-70, 75-97
    assert report["ranks"][0]["io_time"] == 0.082
    assert report["ranks"][0]["time_writing"] == 0.1
    assert row(report["calls"], call="MPI_File_write_at")["time"] == 0.1


def test_many_threads_short_calls_in_a_long_one(job):
    """What is remembered of a rank's time in I/O is not forgotten while a call is open."""
    short = [job.transfer("write_at", 100 + 20 * i, 110 + 20 * i, 8, 8 * i) for i in range(200)]
    job.call("main", 0, 10000, *short)(THREAD)
    job.main(0, 10000, job.open(0, 10), job.transfer("write_at", 50, 9000, 8, 0),
             job.close(9000, 9010))
    assert job.read()["ranks"][0]["io_time"] == 8.97


def test_io_within_io_counts_once(job):
    """As Score-P records MPI-IO and, within, the POSIX calls it makes."""
    job.define("IoHandle", 5, S["f.dat"], 0, 1, 0, NONE, F)
    inner = job.call("pwrite", 110, 190, job.started(110, 64, handle=5),
                     job.ended(190, 64, handle=5))
    write = job.call("write_at", 100, 200, job.started(100, 64, 0), inner, job.ended(200, 64))
    job.main(0, 300, job.open(0, 10), job.create_at(10, 5), write, job.destroy_at(250, 5),
             job.close(260, 270))
    report = job.read()
    assert report["ranks"][0]["io_time"] == 0.12
    assert part(report["ranks"][0], "time_writing", "calls") == (0.1, 4)
    assert row(report["calls"], call="MPI_File_pwrite")["time"] == 0.08
    assert {f["paradigm"]: f["write"]["bytes"] for f in report["files"]} == {"MPI-IO": 64,
                                                                             "POSIX": 64}


def test_calls_that_the_trace_does_not_end(job):
    """Marked partial, as of a process that stopped recording: they last until its last event."""
    job.marks = "partial"
    job.call("main", 0, 100, job.open(0, 10), job.call("write_at", 20, 90, job.started(20, 8, 0)),
             job.transfer("write_at", 90, 100, 8, 8))(0)
    job.events = job.events[:-1]                                            # main is not left
    job.events = [e for e in job.events if e[1:3] != (90, "Leave")]         # nor is the first write
    report = job.read()
    call = row(report["calls"], call="MPI_File_write_at")
    assert part(call, "calls", "not_left", "time") == (2, 1, 0.09)
    assert part(row(report["files"], paradigm="MPI-IO")["write"], "begun", "completed",
                "not_ended") == (2, 1, 1)
    assert report["marks"] == ["partial"]


# Calls and files


def test_calls(job):
    job.main(0, 100, job.open(0, 10), job.transfer("write_at", 10, 20, 1000, 0),
             job.transfer("write_at", 20, 50, 1000, 1000, result=600), job.call("get_size", 60, 61),
             job.close(61, 62))
    calls = job.read()["calls"]
    assert [part(c, "call", "calls", "time", "time_metadata") for c in calls] == [
        ("MPI_File_write_at", 2, 0.04, 0), ("MPI_File_open", 1, 0.01, 0.01),
        ("MPI_File_get_size", 1, 0.001, 0.001), ("MPI_File_close", 1, 0.001, 0.001)]
    write = calls[0]["write"]
    assert part(write, "begun", "completed", "cancelled", "bytes_requested", "bytes", "time",
                "smallest", "largest", "end") == (2, 2, 0, 2000, 1600, 0.04, 1000, 1000, 2000)
    assert "read" not in calls[0] and "write" not in calls[1]


def test_files(job):
    hint = job.text("MPI hint: cb_nodes", "4")
    job.define("IoFileProperty", 0, job.string("MPI hint: cb_nodes"), _otf2.TYPE_STRING,
               _otf2.AttributeValue(uint64=job.string("1")))
    open_again = job.call("open", 40, 50, job.create_at(50, attributes=[hint]))
    job.main(0, 100, job.open(0, 10),
             job.transfer("write_at_all", 10, 20, 100, 0, flags=COLLECTIVE),
             job.call("seek", 20, 21, lambda at: job.on(at, 21, "IoSeek", F, 0, 0, 0)),
             job.close(30, 40), open_again, job.close(50, 60),
             job.call("delete", 60, 70, lambda at: job.on(at, 70, "IoDeleteFile", 0, 0)))
    file, = job.read()["files"]
    assert part(file, "file", "paradigm", "ranks", "opens", "closes", "deletes", "seeks", "calls",
                "time", "time_metadata") == ("/tmp/f.dat", "MPI-IO", 1, 2, 2, 1, 1, 7, 0.061, 0.05)
    assert file["properties"] == ["File system=node", "cb_nodes=1", "cb_nodes=4"]
    assert file["write"]["collective"] == 1


def test_ranks_of_a_file(job):
    job.define("IoRegularFile", 1, job.string("/tmp/other"), 0)
    job.define("IoHandle", 5, job.string("other"), 1, 0, 0, 1, NONE)
    job.main(0, 100, job.open(0, 10), job.close(10, 20), job.open(20, 30, 5), job.close(30, 40, 5))
    job.main(0, 100, job.open(0, 10, 5), job.close(10, 20, 5), at=1)
    files = job.read()["files"]
    assert {f["file"]: f["ranks"] for f in files} == {"/tmp/f.dat": 1, "/tmp/other": 2}


def test_handle_without_file(job):
    """As Score-P's of a pipe: named by the handle. A flush of unknown size moves no bytes."""
    job.main(0, 100, job.create_at(0, P), job.transfer("write", 10, 20, 8, handle=P),
             job.call("fsync", 20, 30, job.started(20, UNKNOWN, None, P, FLUSH),
                      job.ended(30, UNKNOWN, P)), job.destroy_at(50, P))
    file, = [f for f in job.read()["files"] if f["paradigm"] == "POSIX"]
    assert part(file, "file", "opens", "closes") == ("pipe", 1, 1)
    assert file["write"]["bytes"] == 8
    assert part(file["flush"], "begun", "bytes", "bytes_requested", "time") == (1, 0, 0, 0.01)


def test_file_that_is_only_opened(job):
    """Outside of calls, as when measurement is switched on in between."""
    job.main(0, 100, job.create_at(0), job.destroy_at(50))
    file, = job.read()["files"]
    assert part(file, "file", "ranks", "opens", "closes", "calls") == ("/tmp/f.dat", 1, 1, 1, 0)


def test_sizes(job):
    sizes = [0, 511, 512, 4095, 4096, 32767, 32768, 1 << 30, (1 << 30) - 1, 1 << 40]
    job.main(0, 1000, job.open(0, 10),
             *(job.transfer("write", 10 + i, 11 + i, size) for i, size in enumerate(sizes)),
             job.close(900, 910))
    write = row(job.read()["calls"], call="MPI_File_write")["write"]
    assert list(write["requests"].items()) == [
        ("below_512", 2), ("below_4096", 2), ("below_32768", 2), ("below_262144", 1),
        ("below_2097152", 0), ("below_16777216", 0), ("below_134217728", 0),
        ("below_1073741824", 1), ("from_1073741824", 2)]
    assert part(write, "smallest", "largest") == (0, 1 << 40)


# Places


def test_places(job):
    root = job.context("main")
    solve = job.context("Solve", root, "/src/solver.c", 212)
    library = job.context("H5Dwrite", solve)
    deep = job.context("write_at", library)
    plain = job.context("write_at", solve)
    other = job.context("Solve", root, "/src/solver.c", 300)
    third = job.context("write_at", other)
    bare = job.context("open", root)
    job.events = []
    job.on(0, 0, "CallingContextEnter", root, 2)
    for part_of in (job.open(0, 10, context=bare),
                    job.transfer("write_at", 10, 20, 100, 0, context=deep),
                    job.transfer("write_at", 20, 40, 50, 100, context=plain),
                    job.transfer("write_at", 40, 45, 50, 100, context=third)):
        part_of(0)
    job.on(0, 100, "IoDestroyHandle", F)
    job.on(0, 100, "CallingContextLeave", root)
    report = job.read(clean=False)
    assert [part(p, "function", "source", "line", "call", "calls", "time")
            for p in report["places"]] == [
        ("Solve", "/src/solver.c", 212, "MPI_File_write_at", 2, 0.03),
        ("main", "", 0, "MPI_File_open", 1, 0.01),
        ("Solve", "/src/solver.c", 300, "MPI_File_write_at", 1, 0.005)]
    assert report["places"][0]["write"]["bytes"] == 150
    access = row(report["accesses"], line=300)
    assert part(access, "file", "call", "calls") == ("/tmp/f.dat", "MPI_File_write_at", 1)


def test_many_places(job):
    """One row each; the same place under two references is one."""
    root = job.context("main")
    job.define("String", 10**6, "/src/solver.c")
    job.on(0, 0, "CallingContextEnter", root, 2)
    job.create_at(0)(0)
    for i in range(300):
        caller = job.context("Solve", root, "/src/solver.c", 1 + i // 2)
        if i % 2:
            job.redefine("SourceCodeLocation", caller, 10**6, 1 + i // 2)
        inner = job.context("write_at", caller)
        job.transfer("write_at", 10 + i, 11 + i, 8, 8 * i, context=inner)(0)
    job.on(0, 1000, "CallingContextLeave", root)
    places = job.read(clean=False)["places"]
    assert sorted(part(p, "line", "calls") for p in places) == [(1 + i, 2) for i in range(150)]


def test_no_places_without_calling_contexts(job):
    job.main(0, 10, job.open(0, 1), job.close(1, 2))
    assert [part(p, "function", "source", "line") for p in job.read()["places"]] == [
        ("", "", 0), ("", "", 0)]


# Errors


def test_errors(job):
    """A failed open has no file but a path; what fails in a wait is its operation's call's."""
    def fails(kind, text="the text"):
        return [job.text("MPI error class", kind), job.text("MPI error", text)]

    missing = [job.call("open", 10 * i, 10 * i + 5, enter=[job.text("Path", "/tmp/missing")],
                        leave=fails("MPI_ERR_NO_SUCH_FILE", f"text {i}")) for i in range(2)]
    start, number = job.start("iwrite_at", 50, 51, 100, 0), job.matching_id
    wait = job.wait(60, 70, number, 0, attributes=fails("MPI_ERR_IO"),
                    leave=fails("MPI_ERR_IN_STATUS"))
    failed = job.transfer("read_at", 70, 80, 100, 0, result=0, leave=fails("MPI_ERR_ACCESS"))
    job.main(0, 100, *missing, job.open(30, 40), start, wait, failed, job.close(80, 90))
    errors = job.read()["errors"]
    assert [part(e, "class", "call", "file", "count", "text") for e in errors] == [
        ("MPI_ERR_NO_SUCH_FILE", "MPI_File_open", "/tmp/missing", 2, "text 0"),
        ("MPI_ERR_IO", "MPI_File_iwrite_at", "/tmp/f.dat", 1, "the text"),
        ("MPI_ERR_IN_STATUS", "MPI_Wait", "/tmp/f.dat", 1, "the text"),
        ("MPI_ERR_ACCESS", "MPI_File_read_at", "/tmp/f.dat", 1, "the text")]


# Other writers


def test_as_score_p_writes_it(job):
    """One matching id for all blocking operations; a wait is a call by what happens in it."""
    job.creator = "Score-P 8.4"
    job.region("MPI_Wait", _otf2.REGION_ROLE_POINT2POINT)
    job.region("MPI_Send", _otf2.REGION_ROLE_POINT2POINT)
    job.define("IoHandle", 5, S["g.dat"], 0, 1, 0, NONE, NONE)
    nested = job.call("write", 10, 30,
                      lambda at: job.on(at, 10, "IoOperationBegin", F, WRITE, 0, 7, 1),
                      job.call("write", 15, 25,
                               lambda at: job.on(at, 15, "IoOperationBegin", 5, READ, 0, 9, 1),
                               lambda at: job.on(at, 25, "IoOperationComplete", 5, 9, 1)),
                      lambda at: job.on(at, 30, "IoOperationComplete", F, 7, 1))
    start, number = job.start("iwrite", 40, 45, 100), job.matching_id
    job.main(0, 100, job.open(0, 10), job.create_at(10, 5), nested, start,
             job.wait(50, 60, number, 100), job.call("MPI_Send", 60, 70),
             job.call("MPI_Wait", 70, 75), job.destroy_at(80, 5), job.close(90, 91))
    report = job.read()
    assert {c["call"]: c["calls"] for c in report["calls"]} == {
        "MPI_File_open": 1, "MPI_File_write": 2, "MPI_File_iwrite": 1, "MPI_Wait": 1,
        "MPI_File_close": 1}
    wait = row(report["calls"], call="MPI_Wait")
    assert part(wait, "time", "time_metadata") == (0.01, 0)
    assert report["ranks"][0]["io_time"] == 0.046
    assert part(report["ranks"][0], "bytes_read", "bytes_written") == (9, 107)
    write = row(report["calls"], call="MPI_File_iwrite")["write"]
    assert part(write, "time_in_flight", "time_waiting") == (0.02, 0.01)


def test_paradigms_of_score_p(job):
    """A thread writes by MPI-IO, which calls POSIX; another reads by ISO C. No attributes."""
    job.creator = "Score-P 8.4"
    isoc = job.string("ISOC")
    job.define("IoParadigm", 2, isoc, isoc, _otf2.IO_PARADIGM_CLASS_SERIAL, 0, [], [], [])
    job.define("IoRegularFile", 1, job.string("/tmp/in.txt"), 0)
    job.define("IoHandle", 5, S["f.dat"], 0, 1, 0, NONE, F)
    job.define("IoHandle", 6, job.string("in.txt"), 1, 2, 0, NONE, NONE)
    for number, name in enumerate(["pwrite64", "fopen", "fread", "fclose"], 10):
        full = job.string(name)
        job.define("Region", number, full, full, S[""], _otf2.REGION_ROLE_FILE_IO,
                   _otf2.PARADIGM_NONE, 0, 0, 0, 0)
        job.regions[name] = number
    outer, number = job.started(20, 80), job.matching_id
    inner = job.call("pwrite64", 25, 35, job.started(25, 80, handle=5), job.ended(35, 80, 5))
    job.main(0, 100, job.open(0, 10), job.create_at(10, 5),
             job.call("write", 20, 40, outer, inner, job.ended(38, 80, number=number)),
             job.destroy_at(50, 5), job.close(50, 60))
    job.call("main", 0, 100, job.call("fopen", 30, 32, job.create_at(31, 6)),
             job.call("fread", 32, 50, job.started(32, 64, handle=6, mode=READ),
                      job.ended(50, 48, 6)),
             job.call("fclose", 50, 52, job.destroy_at(51, 6)))(THREAD)
    report = job.read()
    assert {c["call"]: part(c, "calls", "time") for c in report["calls"]} == {
        "MPI_File_write": (1, 0.02), "fread": (1, 0.018), "MPI_File_open": (1, 0.01),
        "MPI_File_close": (1, 0.01), "pwrite64": (1, 0.01), "fopen": (1, 0.002),
        "fclose": (1, 0.002)}
    assert {part(f, "file", "paradigm"): part(f, "opens", "closes") for f in report["files"]} == {
        ("/tmp/f.dat", "MPI-IO"): (1, 1), ("/tmp/f.dat", "POSIX"): (1, 1),
        ("/tmp/in.txt", "ISOC"): (1, 1)}
    read = row(report["files"], paradigm="ISOC")["read"]
    assert part(read, "begun", "completed", "bytes_requested", "bytes", "sequential", "strided",
                "random") == (1, 1, 64, 48, 0, 0, 0)
    assert report["ranks"][0]["io_time"] == 0.01 + 0.04     # 0 to 10, 20 to 60


def test_operation_outside_of_calls(job):
    job.main(0, 100, job.open(0, 10), job.started(20, 8, 0), job.ended(30, 8), job.close(40, 50))
    outside, = [c for c in job.read()["calls"] if not c["call"]]
    assert part(outside, "calls", "time") == (0, 0)
    assert part(outside["write"], "begun", "bytes", "time") == (1, 8, 0.01)


def test_references_are_mapped(job):
    """The events' own numbers of regions and handles differ from the definitions'."""
    write, opened, closed = (job.region(name) for name in ("write_at", "open", "close"))
    job.mappings.append((0, _otf2.MAPPING_REGION, [0, opened, closed, write]))
    job.mappings.append((0, _otf2.MAPPING_IO_HANDLE, [G, F]))
    job.events = [(0, time, record, fields, ()) for time, record, fields in [
        (0, "Enter", (0,)), (0, "Enter", (1,)), (10, "IoCreateHandle", (1, 2, 0, 0)),
        (10, "Leave", (1,)), (20, "Enter", (3,)), (20, "IoOperationBegin", (1, WRITE, 0, 8, 1)),
        (30, "IoOperationComplete", (1, 8, 1)), (30, "Leave", (3,)), (40, "Enter", (2,)),
        (41, "IoDestroyHandle", (1,)), (41, "Leave", (2,)), (50, "Leave", (0,))]]
    report = job.read()
    assert [c["call"] for c in report["calls"]] == ["MPI_File_open", "MPI_File_write_at",
                                                    "MPI_File_close"]


def test_no_definition_of_what_events_refer_to(job):
    """Such an archive is damaged, but what can be said is."""
    job.main(0, 100, job.open(0, 10), job.transfer("write_at", 10, 20, 8, 0, handle=99),
             lambda at: job.on(at, 30, "Enter", 99), lambda at: job.on(at, 40, "Leave", 99),
             lambda at: job.on(at, 50, "Leave", 98), job.close(50, 60))
    report = job.read(clean=False)
    assert row(report["calls"], call="MPI_File_write_at")["calls"] == 1
    assert report["ranks"][0]["io_time"] == 0.03


def test_flags(job):
    job.main(0, 100, job.open(0, 10, G),
             job.transfer("write_at_all", 10, 20, 8, 0, handle=G, flags=COLLECTIVE),
             job.call("write_all_begin", 20, 21,
                      job.started(20, 8, 8, G, WRITE, COLLECTIVE | NON_BLOCKING),
                      job.issued(21, G)),
             job.call("write_all_end", 30, 31, job.ended(31, 8, G)), job.close(40, 41, G))
    job.main(0, 100, job.open(0, 10, G),
             job.transfer("write_at_all", 10, 20, 8, 0, handle=G, flags=COLLECTIVE),
             job.transfer("write_all", 20, 31, 8, 8, handle=G, flags=COLLECTIVE),
             job.close(40, 41, G), at=1)
    report = job.read()
    total = [part(f["write"], "begun", "collective", "non_blocking") for f in report["files"]]
    assert total == [(4, 4, 1)]
