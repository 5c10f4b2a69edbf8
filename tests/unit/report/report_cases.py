# SPDX-License-Identifier: BSD-3-Clause
"""
Archives whose content is known, for mpiotrace-report: a Job is an Example whose records are given
with their times. The clock has 1000 ticks per second.
"""

import json
import os
import subprocess
from pathlib import Path

import _otf2
import jsonschema

from harness.example import F, MAIN, NON_BLOCKING, OFFSET, READ, S, WRITE, Example

BUILD = Path(os.environ["MPIOTRACE_BUILDDIR"])
REPORT, CHECK = BUILD / "mpiotrace-report", BUILD / "mpiotrace-check"
DONE, NOTHING, UNREADABLE = 0, 1, 2
SCHEMA = Path(__file__).parents[3] / "src" / "tools" / "mpiotrace-report.schema.json"

METADATA = {"open", "close", "delete", "set_view", "get_size"}


def report(*arguments, env=None, timeout=60):
    env = {"PATH": os.environ["PATH"], "TERM": "xterm", **(env or {})}
    return subprocess.run([REPORT, *map(str, arguments)], text=True, capture_output=True, env=env,
                          timeout=timeout)


def report_json(*arguments):
    done = report("--json", *arguments)
    assert (done.returncode, done.stderr) == (DONE, "")
    document = json.loads(done.stdout)
    jsonschema.Draft202012Validator(without_more(json.loads(SCHEMA.read_text()))).validate(document)
    return document


def without_more(schema):
    """The schema, by which no object may have fields that it does not name."""
    if isinstance(schema, list):
        return [without_more(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: without_more(part) for key, part in schema.items()}
    return {**closed, "additionalProperties": False} if schema.get("type") == "object" else closed


def check_json(directory):
    done = subprocess.run([CHECK, "--json", directory], text=True, capture_output=True, timeout=60)
    document = json.loads(done.stdout)
    assert done.returncode == 0, document["problems"]
    return document["summary"]


def one_line(done, status=UNREADABLE):
    """What a failure says: one line, and nothing on standard output."""
    assert (done.returncode, done.stdout) == (status, ""), str(done)
    line, = done.stderr.splitlines()
    return line


def row(table, **key):
    """The one row of a table that has these values."""
    found, = [r for r in table if all(r[k] == v for k, v in key.items())]
    return found


def part(row, *names):
    return tuple(row[name] for name in names)


class Job(Example):
    """Short names of calls are those of MPI_File_*; `call` says what happens between two times."""

    def __init__(self, **options):
        super().__init__(**options)
        self.strings = dict(S)
        self.regions = {"main": MAIN}
        self.contexts = []
        self.matching_id = 0
        self.redefine("Region", MAIN, S["main"], S["main"], S[""], _otf2.REGION_ROLE_ARTIFICIAL, 0,
                      0, 0, 0, 0)
        self.clock(1000, 0)

    def clock(self, resolution, start, length=10**6):
        """Ticks per second; where the trace starts. It is as long as any test needs."""
        at, = [i for i, known in enumerate(self.definitions) if known[0] == "ClockProperties"]
        self.definitions[at] = ("ClockProperties", resolution, start, length, 2**64 - 1)

    def string(self, text):
        if text not in self.strings:
            self.strings[text] = len(self.strings)
            self.define("String", self.strings[text], text)
        return self.strings[text]

    def region(self, name, role=None):
        if name not in self.regions:
            self.regions[name] = len(self.regions) + 1      # WRITE_AT is the example's own
            full = self.string(f"MPI_File_{name}" if name.islower() else name)
            if role is None:
                role = (_otf2.REGION_ROLE_FILE_IO_METADATA if name in METADATA else
                        _otf2.REGION_ROLE_FILE_IO)
            self.define("Region", self.regions[name], full, full, S[""], role,
                        _otf2.PARADIGM_MPI, 0, 0, 0, 0)
        return self.regions[name]

    def attribute(self, name, kind=_otf2.TYPE_UINT64):
        """The identifier of an attribute."""
        known = [d for d in self.definitions if d[0] == "Attribute" and d[2] == self.string(name)]
        if known:
            return known[0][1]
        number = sum(d[0] == "Attribute" for d in self.definitions)
        self.define("Attribute", number, self.string(name), S[""], kind)
        return number

    def text(self, name, value):
        """An attribute of an event that is a string."""
        return (self.attribute(name, _otf2.TYPE_STRING), _otf2.TYPE_STRING, self.string(value))

    def number(self, name, value):
        return (self.attribute(name), _otf2.TYPE_UINT64, value)

    def context(self, name, parent=None, source=None, line=0):
        """A calling context; `source` is that of the call in it."""
        number = len(self.contexts)
        location = 2**32 - 1
        if source:
            location = number
            self.define("SourceCodeLocation", number, self.string(source), line)
        role = None if name.islower() and name != "main" or name.startswith("MPI_") else \
            _otf2.REGION_ROLE_FUNCTION
        self.define("CallingContext", number, self.region(name, role), location,
                    2**32 - 1 if parent is None else parent)
        self.contexts.append(name)
        return number

    def on(self, location, time, record, *fields, attributes=()):
        self.time = time
        self.events.append((location, time, record, fields, attributes))

    def main(self, begin, end, *parts, at=0):
        """A rank's program: what is in it are functions of the location."""
        self.on(at, begin, "ProgramBegin", S["main"], [])
        self.on(at, begin, "Enter", MAIN)
        for part in parts:
            part(at)
        self.on(at, end, "Leave", MAIN)
        self.on(at, end, "ProgramEnd", 0)

    def call(self, name, begin, end, *parts, context=None, enter=(), leave=()):
        region = self.region(name) if context is None else None

        def happen(at):
            if context is None:
                self.on(at, begin, "Enter", region, attributes=enter)
            else:
                self.on(at, begin, "CallingContextEnter", context, 2, attributes=enter)
            for part in parts:
                part(at)
            if context is None:
                self.on(at, end, "Leave", region, attributes=leave)
            else:
                self.on(at, end, "CallingContextLeave", context, attributes=leave)
        return happen

    def create_at(self, time, handle=F, attributes=()):
        return lambda at: self.on(at, time, "IoCreateHandle", handle, 2, 0, 0,
                                  attributes=attributes)

    def destroy_at(self, time, handle=F):
        return lambda at: self.on(at, time, "IoDestroyHandle", handle)

    def open(self, begin, end, handle=F, **options):
        return self.call("open", begin, end, self.create_at(end, handle), **options)

    def close(self, begin, end, handle=F, **options):
        return self.call("close", begin, end, self.destroy_at(end, handle), **options)

    def set_view(self, begin, end, size, extent, handle=F, **options):
        """A filetype with so many bytes of data in so many of the file."""
        extent_of = (self.attribute("Filetype extent", _otf2.TYPE_INT64), _otf2.TYPE_INT64, extent)
        return self.call("set_view", begin, end,
                         lambda at: self.on(at, end, "IoSeek", handle, 0, 0, 0),
                         leave=[self.number("Filetype size", size), extent_of], **options)

    def started(self, time, bytes, offset=None, handle=F, mode=WRITE, flags=0):
        """The begin of an operation; its matching id is one more than that of the one before."""
        self.matching_id += 1
        number = self.matching_id
        place = [] if offset is None else [(OFFSET, _otf2.TYPE_UINT64, offset)]
        return lambda at: self.on(at, time, "IoOperationBegin", handle, mode, flags, bytes, number,
                                  attributes=place)

    def ended(self, time, bytes, handle=F, number=None, attributes=()):
        number = self.matching_id if number is None else number
        return lambda at: self.on(at, time, "IoOperationComplete", handle, bytes, number,
                                  attributes=attributes)

    def issued(self, time, handle=F):
        number = self.matching_id
        return lambda at: self.on(at, time, "IoOperationIssued", handle, number)

    def transfer(self, name, begin, end, bytes, offset=None, result=None, handle=F, flags=0,
                 **options):
        """A whole blocking call: its name says whether it reads."""
        mode = READ if name.startswith("read") else WRITE
        return self.call(name, begin, end,
                         self.started(begin, bytes, offset, handle, mode, flags),
                         self.ended(end, bytes if result is None else result, handle), **options)

    def start(self, name, begin, end, bytes, offset=None, handle=F, **options):
        """A non-blocking call; its operation's number is `matching_id` after it."""
        mode = READ if name.startswith("iread") else WRITE
        return self.call(name, begin, end,
                         self.started(begin, bytes, offset, handle, mode, NON_BLOCKING),
                         self.issued(end, handle), **options)

    def wait(self, begin, end, number, bytes, handle=F, name="MPI_Wait", attributes=(), **options):
        return self.call(name, begin, end, self.ended(end, bytes, handle, number, attributes),
                         **options)
