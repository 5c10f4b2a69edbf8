# SPDX-License-Identifier: BSD-3-Clause
"""
An archive as text: one line per record, with everything that may differ between two runs (times,
references, the directory of the run) replaced by something that may not.

    Enter MPI_File_open | Path=$DIR/f.dat
      IoCreateHandle f.dat READ_WRITE create=CREATE comm=MPI_COMM_WORLD
    Leave MPI_File_open
    Enter MPI_File_write_at
      IoOperationBegin f.dat WRITE bytes=40 id=0 | Offset=0
      IoOperationComplete f.dat bytes=40 id=0
    Leave MPI_File_write_at

A file below the run's directory is named relative to it. A second handle definition of one file
is `f.dat#2`, in the order in which the location first uses them. A matching identifier is its
number among the handle's operations in the process, thread by thread. Attributes follow a bar,
sorted. The text of an MPI error is the MPI library's business: only that there is one is kept.
"""

from pathlib import Path

import otf2
from otf2 import events


class Archive:
    """Everything of one archive: `definitions`, and `events` by (rank, thread)."""

    def __init__(self, directory, run_directory):
        self.run_directory = str(run_directory)
        self.events = {}
        anchors = list(Path(directory).glob("*.otf2"))
        assert len(anchors) == 1, f"{directory} has {len(anchors)} anchor files"
        self.anchor = anchors[0]
        with otf2.reader.open(str(self.anchor)) as trace:
            self.definitions = trace.definitions
            for location in self.definitions.locations:
                self.events[place_of(location)] = []
            for location, event in trace.events:
                self.events[place_of(location)].append(event)

    def name_of(self, path):
        """`path` as the expected traces write it."""
        return path.replace(self.run_directory, "$DIR") if isinstance(path, str) else path

    def lines(self):
        """The records of each place, without those that frame it (see root_lines)."""
        numbers = self.number_operations()
        return {place: Text(self, numbers[place[0]]).lines(split_frame(events)[1])
                for place, events in self.events.items()}

    def number_operations(self):
        """By rank, handle and matching identifier: the operation's number on that handle."""
        numbers = {}
        for (rank, _), events_here in sorted(self.events.items()):
            of_rank = numbers.setdefault(rank, {})
            for event in events_here:
                if isinstance(event, events.IoOperationBegin):
                    of_handle = of_rank.setdefault(event.handle, {})
                    again = event.matching_id in of_handle
                    of_handle[event.matching_id] = "used twice" if again else len(of_handle)
        return numbers

    def frame(self):
        """The records of each place that frame the program: ProgramBegin, the root region, ..."""
        return {place: [Text(self, {}).line(event) for event in split_frame(framed)[0]]
                for place, framed in self.events.items()}


class Text:
    """Turns the records of one location into lines; `numbers` of its rank's operations."""

    def __init__(self, archive, numbers):
        self.archive = archive
        self.numbers = numbers
        self.handles = {}
        self.depth = 0

    def lines(self, records):
        result = []
        for event in records:
            if isinstance(event, (events.Leave, events.CallingContextLeave)):
                self.depth -= 1
            result.append("  " * self.depth + self.line(event))
            if isinstance(event, (events.Enter, events.CallingContextEnter)):
                self.depth += 1
        return result

    def line(self, event):
        kind = type(event).__name__.replace("CallingContext", "")
        words = [kind, *getattr(self, "words_" + kind, self.words_other)(event)]
        attributes = self.attributes(event)
        return " ".join(words) + (" | " + attributes if attributes else "")

    def attributes(self, event):
        values = {a.name: v for a, v in (event.attributes or {}).items()}
        text = values.pop("MPI error", None)
        if ("MPI error class" in values) != bool(text):
            values["MPI error"] = f"missing or without class: {text!r}"
        return ", ".join(f"{k}={self.archive.name_of(v)}" for k, v in sorted(values.items()))

    def handle(self, event):
        handle = event.handle
        if handle not in self.handles:
            same = sum(h.file is handle.file for h in self.handles)
            name = self.archive.name_of(handle.file.name)
            name = name[len("$DIR/"):] if name.startswith("$DIR/") else name
            self.handles[handle] = name + (f"#{same + 1}" if same else "")
        return self.handles[handle]

    def matching_id(self, event):
        number = self.numbers.get(event.handle, {}).get(event.matching_id, "never begun")
        return f"id={number}"

    def words_Enter(self, event):
        return [region_of(event).name]

    words_Leave = words_Enter

    def words_IoCreateHandle(self, event):
        comm = event.handle.comm
        return [self.handle(event), name_of(event.mode),
                *flags("create", event.creation_flags), *flags("status", event.status_flags),
                f"comm={comm.name if comm else None}"]

    def words_IoDestroyHandle(self, event):
        return [self.handle(event)]

    def words_IoDeleteFile(self, event):
        return [event.io_paradigm.name, self.archive.name_of(event.file.name)]

    def words_IoSeek(self, event):
        return [self.handle(event), name_of(event.whence), f"request={event.offset_request}",
                f"result={event.offset_result}"]

    def words_IoOperationBegin(self, event):
        return [self.handle(event), name_of(event.mode), *bits(event.operation_flags),
                f"bytes={event.bytes_request}", self.matching_id(event)]

    def words_IoOperationComplete(self, event):
        return [self.handle(event), f"bytes={event.bytes_result}", self.matching_id(event)]

    def words_IoOperationIssued(self, event):
        return [self.handle(event), self.matching_id(event)]

    words_IoOperationTest = words_IoOperationIssued
    words_IoOperationCancelled = words_IoOperationIssued

    def words_other(self, _event):
        return []


def place_of(location):
    """(rank, thread) of a location; its identifier is thread << 32 | rank."""
    return location._ref & 0xffffffff, location._ref >> 32


def region_of(event):
    return event.calling_context.region if hasattr(event, "calling_context") else event.region


def split_frame(records):
    """The records that frame a location's program, and those in between."""
    begin, end = 0, len(records)
    while begin < end and isinstance(records[begin], (events.ProgramBegin, events.Enter,
                                                      events.CallingContextEnter)):
        begin += 1
        if not isinstance(records[begin - 1], events.ProgramBegin):
            break
    while end > begin and isinstance(records[end - 1], (events.ProgramEnd, events.Leave,
                                                        events.CallingContextLeave)):
        end -= 1
        if not isinstance(records[end], events.ProgramEnd):
            break
    return records[:begin] + records[end:], records[begin:end]


def name_of(enumerator):
    return str(enumerator).rpartition(".")[2]


def bits(flagset):
    """The names of the flags that are set, in the order of their bits."""
    kind = type(flagset)
    names = [n for n in dir(kind) if n.isupper() and n != "NONE"]
    names = [(getattr(kind, n).value, n) for n in names if getattr(kind, n).value & flagset.value]
    return [name for _, name in sorted(names)]


def flags(key, flagset):
    names = bits(flagset)
    return [f"{key}={'+'.join(names)}"] if names else []
