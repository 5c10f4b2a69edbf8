# SPDX-License-Identifier: BSD-3-Clause
"""
Small archives for the checker, record by record, through OTF2's own writer.

An Example starts with the definitions of a job of two ranks that breaks no rule. A test adds
events, and changes whatever it wants to see reported.
"""

import _otf2

NONE = 2**32 - 1                    # undefined, of 32-bit references
UNKNOWN = 2**64 - 1                 # undefined, of 64-bit values
WORLD, SELF = 0, 1                  # Comm
MPI_IO, POSIX = 0, 1                # IoParadigm
F, G, P, PRE, ALL = 0, 1, 2, 3, 4   # IoHandle
MAIN, WRITE_AT = 0, 1               # Region
OFFSET, NOTE = 0, 1                 # Attribute
READ, WRITE, FLUSH = 0, 1, 2        # mode of an operation
NON_BLOCKING, COLLECTIVE = 1, 2     # flags of an operation
PRE_CREATED, ALL_PROXY = 1, 2       # flags of a handle
SERIAL, PARALLEL = 0, 1             # class of a paradigm
THREAD = 2**32                      # location of rank 0's second thread

STRINGS = ["", "machine", "node", "MPI Rank 0", "MPI Rank 1", "Master thread", "Thread 1", "main",
           "MPI_File_write_at", "MPI-IO", "POSIX", "/tmp/f.dat", "f.dat", "g.dat", "pipe",
           "Offset", "Note", "MPI_COMM_WORLD", "MPI_COMM_SELF", "stdout", "sync", "MPI",
           "File system"]
S = {text: number for number, text in enumerate(STRINGS)}


def value(number):
    return _otf2.AttributeValue(uint64=number)


def definitions():
    """Those of the example: the record's name and its fields."""
    group = (S[""], _otf2.GROUP_TYPE_COMM_LOCATIONS, _otf2.PARADIGM_MPI, 0)
    return [
        ("ClockProperties", 1000, 0, 1000, UNKNOWN),
        *(("String", number, text) for text, number in S.items()),
        ("Paradigm", _otf2.PARADIGM_MPI, S["MPI"], 0),
        ("IoParadigm", MPI_IO, S["MPI-IO"], S["MPI-IO"], PARALLEL, 0, [0], [_otf2.TYPE_STRING],
         [value(S["MPI"])]),
        ("IoParadigm", POSIX, S["POSIX"], S["POSIX"], SERIAL, 1, [], [], []),
        ("Attribute", OFFSET, S["Offset"], S[""], _otf2.TYPE_UINT64),
        ("Attribute", NOTE, S["Note"], S[""], _otf2.TYPE_STRING),
        ("SystemTreeNode", 0, S["machine"], S["machine"], NONE),
        ("SystemTreeNode", 1, S["node"], S["node"], 0),
        ("LocationGroup", 0, S["MPI Rank 0"], _otf2.LOCATION_GROUP_TYPE_PROCESS, 1, NONE),
        ("LocationGroup", 1, S["MPI Rank 1"], _otf2.LOCATION_GROUP_TYPE_PROCESS, 1, NONE),
        ("Location", 0, S["Master thread"], _otf2.LOCATION_TYPE_CPU_THREAD, None, 0),
        ("Location", 1, S["Master thread"], _otf2.LOCATION_TYPE_CPU_THREAD, None, 1),
        ("Location", THREAD, S["Thread 1"], _otf2.LOCATION_TYPE_CPU_THREAD, None, 0),
        ("Region", MAIN, S["main"], S["main"], S[""], 0, 0, 0, NONE, 0, 0),
        ("Region", WRITE_AT, S["MPI_File_write_at"], S["MPI_File_write_at"], S[""], 0, 0, 0, NONE,
         0, 0),
        ("Group", 0, *group, [0, 1]),
        ("Group", 1, S[""], _otf2.GROUP_TYPE_COMM_GROUP, _otf2.PARADIGM_MPI, 0, [0, 1]),
        ("Group", 2, S[""], _otf2.GROUP_TYPE_COMM_SELF, _otf2.PARADIGM_MPI, 0, []),
        ("Comm", WORLD, S["MPI_COMM_WORLD"], 1, NONE, 0),
        ("Comm", SELF, S["MPI_COMM_SELF"], 2, NONE, 0),
        ("IoRegularFile", 0, S["/tmp/f.dat"], 0),
        ("IoFileProperty", 0, S["File system"], _otf2.TYPE_STRING, value(S["node"])),
        ("IoHandle", F, S["f.dat"], 0, MPI_IO, 0, SELF, NONE),
        ("IoHandle", G, S["g.dat"], 0, MPI_IO, 0, WORLD, NONE),
        ("IoHandle", P, S["pipe"], NONE, POSIX, 0, NONE, F),
        ("IoHandle", PRE, S["stdout"], NONE, POSIX, PRE_CREATED, NONE, NONE),
        ("IoPreCreatedHandleState", PRE, 1, 0),
        ("IoHandle", ALL, S["sync"], NONE, POSIX, ALL_PROXY, NONE, NONE),
    ]


class Example:
    """An archive to be written. Times count up from 1, over all locations."""

    def __init__(self, creator="mpiotrace 0", marks=None):
        self.creator = creator
        self.marks = marks
        self.definitions = definitions()
        self.mappings = []     # (location, type, global identifiers)
        self.events = []       # (location, time, record, fields, attributes)
        self.time = 0

    def define(self, record, *fields):
        self.definitions.append((record, *fields))

    def redefine(self, record, identifier, *fields):
        """Replaces a definition, in its place; none if no fields are given."""
        at, = [i for i, known in enumerate(self.definitions) if known[:2] == (record, identifier)]
        self.definitions[at:at + 1] = [(record, identifier, *fields)] if fields else []

    def event(self, location, record, *fields, attributes=()):
        """Adds a record. Attributes are given as identifier, type, value."""
        self.time += 1
        self.events.append((location, self.time, record, fields, attributes))

    def enter(self, region=MAIN, at=0):
        self.event(at, "Enter", region)

    def leave(self, region=MAIN, at=0):
        self.event(at, "Leave", region)

    def create(self, handle=F, at=0):
        self.event(at, "IoCreateHandle", handle, 2, 0, 0)

    def destroy(self, handle=F, at=0):
        self.event(at, "IoDestroyHandle", handle)

    def begin(self, id=0, handle=F, at=0, mode=WRITE, flags=0, bytes=8):
        self.event(at, "IoOperationBegin", handle, mode, flags, bytes, id)

    def issue(self, id=0, handle=F, at=0):
        self.event(at, "IoOperationIssued", handle, id)

    def test(self, id=0, handle=F, at=0):
        self.event(at, "IoOperationTest", handle, id)

    def complete(self, id=0, handle=F, at=0, bytes=8):
        self.event(at, "IoOperationComplete", handle, bytes, id)

    def cancel(self, id=0, handle=F, at=0):
        self.event(at, "IoOperationCancelled", handle, id)

    def operation(self, id=0, handle=F, at=0, **details):
        """A whole blocking operation."""
        self.begin(id, handle, at, **details)
        self.complete(id, handle, at)

    def write(self, directory):
        archive = _otf2.Archive_Open(str(directory), "traces", _otf2.FILEMODE_WRITE, 256 << 10,
                                     256 << 10, _otf2.SUBSTRATE_POSIX, _otf2.COMPRESSION_NONE)
        flush = _otf2.FlushCallbacks(pre_flush=lambda *_: _otf2.FLUSH, post_flush=None)
        _otf2.Archive_SetFlushCallbacks(archive, flush, None)
        _otf2.Archive_SetSerialCollectiveCallbacks(archive)
        _otf2.Archive_SetCreator(archive, self.creator)
        if self.marks is not None:
            _otf2.Archive_SetProperty(archive, "MPIOTRACE::MARK", self.marks, True)
        self.write_events(archive)
        self.write_mappings(archive)
        self.write_definitions(_otf2.Archive_GetGlobalDefWriter(archive))
        _otf2.Archive_Close(archive)
        return directory

    def locations(self):
        return [fields[0] for record, *fields in self.definitions if record == "Location"]

    def write_events(self, archive):
        _otf2.Archive_OpenEvtFiles(archive)
        writers = {location: _otf2.Archive_GetEvtWriter(archive, location)
                   for location in self.locations()}
        attribute_list = _otf2.AttributeList_New()
        for location, time, record, fields, attributes in self.events:
            for attribute, kind, number in attributes:
                _otf2.AttributeList_AddAttribute(attribute_list, attribute, kind, value(number))
            getattr(_otf2, f"EvtWriter_{record}")(writers[location], attribute_list, time, *fields)
        for writer in writers.values():
            _otf2.Archive_CloseEvtWriter(archive, writer)
        _otf2.Archive_CloseEvtFiles(archive)

    def write_mappings(self, archive):
        _otf2.Archive_OpenDefFiles(archive)
        for location in self.locations():
            writer = _otf2.Archive_GetDefWriter(archive, location)
            for mapped, kind, identifiers in self.mappings:
                if mapped == location:
                    table = _otf2.IdMap_CreateFromUint64Array(identifiers, False)
                    _otf2.DefWriter_WriteMappingTable(writer, kind, table)
                    _otf2.IdMap_Free(table)
            _otf2.Archive_CloseDefWriter(archive, writer)
        _otf2.Archive_CloseDefFiles(archive)

    def write_definitions(self, writer):
        for record, *fields in self.definitions:
            if record == "Location" and fields[3] is None:
                fields[3] = sum(event[0] == fields[0] for event in self.events)
            getattr(_otf2, f"GlobalDefWriter_Write{record}")(writer, *fields)
