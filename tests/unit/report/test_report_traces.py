# SPDX-License-Identifier: BSD-3-Clause
"""
mpiotrace-report on traces of real runs: its figures are those that Python's otf2 and
mpiotrace-check find in the same archive.
"""

import subprocess
from collections import defaultdict
from pathlib import Path

import otf2
import pytest
from otf2 import events

from harness.expected import Expected

from report_cases import check_json, part, report_json, row

TRACE = Path(__file__).parents[2] / "trace"
RECOVERY = Path(__file__).parents[2] / "recovery"
PROGRAMS = ["failing", "nonblocking", "request_free", "split", "test_mixed", "threads"]
ENTER = (events.Enter, events.CallingContextEnter)
LEAVE = (events.Leave, events.CallingContextLeave)


class Count:
    """An independent count; calls and times by region, operations by file."""

    def __init__(self, anchor):
        self.calls = defaultdict(lambda: [0, 0])
        self.operations = defaultdict(lambda: [0, 0, 0])    # begun, completed, bytes
        self.collective = self.tests = 0
        self.errors = defaultdict(int)
        self.places = defaultdict(int)
        entered, begun = defaultdict(list), {}
        with otf2.reader.open(str(anchor)) as trace:
            self.second = trace.definitions.clock_properties.timer_resolution
            for location, event in trace.events:
                if isinstance(event, ENTER):
                    entered[location].append(event.time)
                elif isinstance(event, LEAVE):
                    self.leave(event, entered[location])
                elif isinstance(event, events.IoOperationBegin):
                    self.begin(event)
                    begun[location.group, event.handle, event.matching_id] = event
                elif isinstance(event, events.IoOperationComplete):
                    self.complete(event, begun[location.group, event.handle, event.matching_id])

    def leave(self, event, entered):
        since = entered.pop()
        if not entered:
            return                      # the program
        region = getattr(event, "region", None) or event.calling_context.region
        self.calls[region.name][0] += 1
        self.calls[region.name][1] += event.time - since
        for attribute, value in (event.attributes or {}).items():
            if attribute.name == "MPI error class":
                self.errors[value, region.name] += 1

    def begin(self, event):
        self.operations[event.handle.file.name, mode_of(event)][0] += 1
        self.collective += bool(event.operation_flags.value & 2)

    def complete(self, event, begin):
        counts = self.operations[event.handle.file.name, mode_of(begin)]
        names = {attribute.name for attribute in event.attributes or {}}
        counts[1] += not names & {"Completion not observed", "Unfinished"}
        counts[2] += event.bytes_result
        for attribute, value in (event.attributes or {}).items():
            if attribute.name == "Unsuccessful tests":
                self.tests += value


def mode_of(event):
    return str(event.mode).rpartition(".")[2].lower()


def operations_of(rows):
    return [row[mode] for row in rows for mode in ("read", "write", "flush") if mode in row]


def agree(trace):
    report, count = report_json(trace), Count(trace / "traces.otf2")
    agree_with_count(report, count)
    agree_with_check(report, check_json(trace))
    return report


def trace_of(name, tracer, mpi, tmp_path, env=None):
    expected = Expected(TRACE / f"{name}.expected", mpi.name)
    program = mpi.build(TRACE / f"{name}.c")
    ran = tracer.run(program, expected.ranks, tmp_path, {**expected.env, **(env or {})},
                     expected.args)
    assert ran.returncode == 0, str(ran)
    return tmp_path / "trace"


@pytest.mark.parametrize("name", PROGRAMS)
def test_trace(name, tracer, mpi, tmp_path):
    agree(trace_of(name, tracer, mpi, tmp_path))


def test_trace_without_call_paths(tracer, mpi, tmp_path):
    report = agree(trace_of("nonblocking", tracer, mpi, tmp_path, {"MPIOTRACE_CALLSTACK": "0"}))
    assert not any(place["function"] or place["source"] for place in report["places"])


def test_recovered_trace(tracer, mpi, tmp_path):
    """Of each of two ranks that were killed, 40 writes and the two operations that were open."""
    program = mpi.build(RECOVERY / "death.c")
    assert tracer.run(program, 2, tmp_path, args=["kill-all", "40"]).returncode != 0
    subprocess.run([tracer.directory / "mpiotrace-recover", tmp_path / "trace"], check=True,
                   timeout=60, capture_output=True)
    report = agree(tmp_path / "trace")
    write = row(report["files"], file=str(tmp_path / "run" / "f.dat"))["write"]
    assert part(write, "begun", "completed", "not_ended", "bytes") == (84, 80, 4, 320)
    assert "recovered" in report["marks"]


def agree_with_count(report, count):
    assert {c["call"]: c["calls"] for c in report["calls"]} == {
        name: calls for name, (calls, _) in count.calls.items()}
    for call in report["calls"]:
        assert call["time"] == pytest.approx(count.calls[call["call"]][1] / count.second, abs=1e-9)
    assert {(f["file"], mode): [f[mode][key] for key in ("begun", "completed", "bytes")]
            for f in report["files"] for mode in ("read", "write", "flush") if mode in f} == \
        dict(count.operations)
    assert sum(o["collective"] for o in operations_of(report["calls"])) == count.collective
    assert sum(o["unsuccessful_tests"] for o in operations_of(report["calls"])) == count.tests
    for kind, call in count.errors:
        assert count.errors[kind, call] == sum(e["count"] for e in report["errors"]
                                               if (e["class"], e["call"]) == (kind, call))


def agree_with_check(report, check):
    assert report["events"] == check["events"]
    assert len(report["ranks"]) == check["processes"]
    for key, found in [("created", "opens"), ("destroyed", "closes"), ("deleted", "deletes"),
                       ("seeks", "seeks")]:
        assert check[key] == sum(f[found] for f in report["files"])
    for mode, totals in check["operations"].items():
        for key, value in totals.items():
            # The checker looks at records: at the ends of operations, observed or not.
            keys = {"completed": ["completed", "not_observed", "not_ended"]}.get(key, [key])
            for table in "calls", "files", "places", "accesses":
                assert value == sum(row[mode][k] for row in report[table] if mode in row
                                    for k in keys)
    for mode in "read", "write":
        key = {"read": "bytes_read", "write": "bytes_written"}[mode]
        assert check["operations"][mode]["bytes"] == sum(r[key] for r in report["ranks"])
    for key in "collective", "non_blocking":
        assert check[key] == sum(o[key] for o in operations_of(report["calls"]))
