# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-check: definitions, and that what they refer to is defined."""

import _otf2
import pytest

from check_cases import PROBLEMS, breaks, check, keeps, write
from harness.example import MAIN, MPI_IO, NONE, P, PARALLEL, POSIX, S, SELF, SERIAL, UNKNOWN, value


@breaks('IoParadigm 0 "MPI-IO": its class must be PARALLEL', 'IoHandle 0 "f.dat": '
        'has a communicator, but "MPI-IO" is a serial paradigm', 'IoHandle 1 "g.dat": '
        'has a communicator, but "MPI-IO" is a serial paradigm')
def test_parallel_paradigm_is_serial(a):
    a.redefine("IoParadigm", MPI_IO, S["MPI-IO"], S["MPI-IO"], SERIAL, 0, [], [], [])


@breaks('IoParadigm 1 "POSIX": its class must be SERIAL')
def test_serial_paradigm_is_parallel(a):
    a.redefine("IoParadigm", POSIX, S["POSIX"], S["POSIX"], PARALLEL, 1, [], [], [])


@breaks('IoParadigm 1 "POSIX": its flags are 0, they must be 1')
def test_paradigm_flags(a):
    a.redefine("IoParadigm", POSIX, S["POSIX"], S["POSIX"], SERIAL, 0, [], [], [])


KNOWN = {"ISOC": (SERIAL, 0), "PnetCDF": (PARALLEL, 0), "ADIOS": (PARALLEL, 0),
         "netCDF": (SERIAL, 0), "HDF5": (PARALLEL, 0), "something else": (SERIAL, 1)}


@keeps()
def test_known_paradigms(a):
    for number, (name, (paradigm_class, flags)) in enumerate(KNOWN.items(), 2):
        a.define("String", 50 + number, name)
        a.define("IoParadigm", number, 50 + number, 50 + number, paradigm_class, flags, [], [], [])


@breaks("String 0: defined twice", 'IoFile 0 "/tmp/f.dat": defined twice')
def test_defined_twice(a):
    a.define("String", 0, "again")
    a.define("IoDirectory", 0, S["/tmp/f.dat"], NONE)


@breaks('IoFileProperty "File system" of IoFile 0 "/tmp/f.dat": defined twice')
def test_property_defined_twice(a):
    a.define("IoFileProperty", 0, S["File system"], _otf2.TYPE_STRING, value(S["main"]))


@breaks("ClockProperties 0: not defined")
def test_no_clock_properties(a):
    a.redefine("ClockProperties", 1000)


@breaks("ClockProperties 0: the timer resolution is 0")
def test_no_timer_resolution(a):
    a.definitions[0] = ("ClockProperties", 0, 0, 1000, UNKNOWN)


def group(a, self, kind, members, paradigm=_otf2.PARADIGM_MPI):
    a.define("Group", self, S[""], kind, paradigm, 0, members)


@breaks("Group 3: member 2 is no index into the 2 members of COMM_LOCATIONS")
def test_group_member_is_no_index(a):
    group(a, 3, _otf2.GROUP_TYPE_COMM_GROUP, [0, 2])


@breaks("Group 3: member 1 is there twice")
def test_group_member_is_there_twice(a):
    group(a, 3, _otf2.GROUP_TYPE_COMM_GROUP, [1, 0, 1])


@breaks("Group 3: COMM_GROUP, but no COMM_LOCATIONS of its paradigm comes before it")
def test_group_without_locations(a):
    group(a, 3, _otf2.GROUP_TYPE_COMM_GROUP, [0], _otf2.PARADIGM_SHMEM)


@breaks("Group 3: a second COMM_LOCATIONS of its paradigm, after Group 0",
        "Group 4: a second COMM_SELF of its paradigm")
def test_second_group(a):
    group(a, 3, _otf2.GROUP_TYPE_COMM_LOCATIONS, [0, 1])
    group(a, 4, _otf2.GROUP_TYPE_COMM_SELF, [])


@breaks("Group 3: member: Location 7 is not defined", "Group 4: member: Region 8 is not defined")
def test_group_of_undefined(a):
    group(a, 3, _otf2.GROUP_TYPE_LOCATIONS, [0, 7])
    group(a, 4, _otf2.GROUP_TYPE_REGIONS, [MAIN, 8])


@breaks('Comm 2: Group 3 is neither a COMM_GROUP nor a COMM_SELF')
def test_comm_of_other_group(a):
    group(a, 3, _otf2.GROUP_TYPE_LOCATIONS, [0])
    a.define("Comm", 2, S[""], 3, NONE, 0)


@breaks('IoHandle 5 "pipe": has a communicator, but "POSIX" is a serial paradigm')
def test_communicator_in_serial_paradigm(a):
    a.define("IoHandle", 5, S["pipe"], NONE, POSIX, 0, SELF, NONE)


@breaks('IoHandle 2 "pipe": has an IoPreCreatedHandleState, but not the flag PRE_CREATED')
def test_state_without_flag(a):
    a.define("IoPreCreatedHandleState", P, 0, 0)


UNDEFINED = [
    (("Attribute", 9, 99, S[""], _otf2.TYPE_UINT64), "Attribute 9: name: String 99"),
    (("Attribute", 9, S["main"], 99, 1), 'Attribute 9 "main": description: String 99'),
    (("SystemTreeNode", 9, 99, S[""], NONE), "SystemTreeNode 9: name: String 99"),
    (("SystemTreeNode", 9, S["node"], 99, NONE), 'SystemTreeNode 9 "node": className: String 99'),
    (("SystemTreeNode", 9, S["node"], 0, 99),
     'SystemTreeNode 9 "node": parent: SystemTreeNode 99'),
    (("SystemTreeNodeDomain", 9, 0), "SystemTreeNode 9: domain: SystemTreeNode 9"),
    (("SystemTreeNodeProperty", 0, 99, 1, value(0)),
     'SystemTreeNode 0 "machine": property name: String 99'),
    (("LocationGroup", 9, S["main"], 1, 99, NONE),
     'LocationGroup 9 "main": systemTreeParent: SystemTreeNode 99'),
    (("LocationGroup", 9, S["main"], 1, 0, 99),
     'LocationGroup 9 "main": creatingLocationGroup: LocationGroup 99'),
    (("LocationGroupProperty", 9, S["main"], 1, value(0)),
     "LocationGroup 9: property: LocationGroup 9"),
    (("Location", 9, S["main"], 1, None, 99), 'Location 9 "main": locationGroup: LocationGroup 99'),
    (("LocationProperty", 0, S["main"], _otf2.TYPE_STRING, value(99)),
     'Location 0 "Master thread": property value: String 99'),
    (("Region", 9, 99, 0, 0, 0, 0, 0, NONE, 0, 0), "Region 9: name: String 99"),
    (("Region", 9, 0, 99, 0, 0, 0, 0, NONE, 0, 0), "Region 9: canonicalName: String 99"),
    (("Region", 9, 0, 0, 99, 0, 0, 0, NONE, 0, 0), "Region 9: description: String 99"),
    (("Region", 9, 0, 0, 0, 0, 0, 0, 99, 0, 0), "Region 9: sourceFile: String 99"),
    (("Callsite", 9, 0, 0, MAIN, 99), "Callsite 9: leftRegion: Region 99"),
    (("Callpath", 9, NONE, 99), "Callpath 9: region: Region 99"),
    (("Callpath", 9, 99, MAIN), "Callpath 9: parent: Callpath 99"),
    (("CallpathParameter", 9, 0, 1, value(0)), "Callpath 9: parameter: Callpath 9",
     "Callpath 9: parameter: Parameter 0"),
    (("Group", 9, 99, 0, 0, 0, []), "Group 9: name: String 99"),
    (("MetricMember", 9, 99, 0, 0, 0, 4, 0, 0, 0), "MetricMember 9: name: String 99"),
    (("MetricClass", 9, [99], 0, 0), "Metric 9: metricMember: MetricMember 99"),
    (("MetricInstance", 9, 98, 0, 0, 99), "Metric 9: metricClass: Metric 98",
     "Metric 9: scope: Location 99"),
    (("MetricClassRecorder", 9, 99), "Metric 9: recorder: Metric 9",
     "Metric 9: recorder: Location 99"),
    (("Comm", 9, 99, 1, NONE, 0), "Comm 9: name: String 99"),
    (("Comm", 9, 0, 99, NONE, 0), "Comm 9: group: Group 99"),
    (("Comm", 9, 0, NONE, NONE, 0), f"Comm 9: group: Group {NONE}"),
    (("Comm", 9, 0, 1, 99, 0), "Comm 9: parent: Comm 99"),
    (("InterComm", 9, 0, 1, 99, 98, 0), "Comm 9: groupB: Group 99",
     "Comm 9: commonCommunicator: Comm 98"),
    (("Parameter", 9, 99, 0), "Parameter 9: name: String 99"),
    (("RmaWin", 9, 0, 99, 0), "RmaWin 9: comm: Comm 99"),
    (("CartTopology", 9, 0, 99, [98]), "CartTopology 9: communicator: Comm 99",
     "CartTopology 9: cartDimension: CartDimension 98"),
    (("CartDimension", 9, 99, 1, 0), "CartDimension 9: name: String 99"),
    (("CartCoordinate", 9, 0, [0]), "CartTopology 9: coordinate: CartTopology 9"),
    (("SourceCodeLocation", 9, 99, 1), "SourceCodeLocation 9: file: String 99"),
    (("CallingContext", 9, 99, NONE, NONE), "CallingContext 9: region: Region 99"),
    (("CallingContext", 9, MAIN, 99, NONE),
     "CallingContext 9: sourceCodeLocation: SourceCodeLocation 99"),
    (("CallingContext", 9, MAIN, NONE, 99), "CallingContext 9: parent: CallingContext 99"),
    (("CallingContextProperty", 9, 0, 1, value(0)), "CallingContext 9: property: CallingContext 9"),
    (("InterruptGenerator", 9, 99, 0, 0, 0, 1), "InterruptGenerator 9: name: String 99"),
    (("Paradigm", 2, 99, 0), "Paradigm 2: name: String 99"),
    (("IoParadigm", 9, 99, 0, 0, 0, [], [], []), "IoParadigm 9: identification: String 99"),
    (("IoParadigm", 9, S["main"], 99, 0, 0, [], [], []), 'IoParadigm 9 "main": name: String 99'),
    (("IoParadigm", 9, S["main"], 0, 0, 0, [0], [_otf2.TYPE_STRING], [value(99)]),
     'IoParadigm 9 "main": property value: String 99'),
    (("IoRegularFile", 9, 99, 0), "IoFile 9: name: String 99"),
    (("IoDirectory", 9, S["main"], 99), 'IoFile 9 "main": scope: SystemTreeNode 99'),
    (("IoFileProperty", 9, 0, 1, value(0)), "IoFile 9: property: IoFile 9"),
    (("IoHandle", 9, 99, 0, MPI_IO, 0, SELF, NONE), "IoHandle 9: name: String 99"),
    (("IoHandle", 9, 0, 99, MPI_IO, 0, SELF, NONE), "IoHandle 9: file: IoFile 99"),
    (("IoHandle", 9, 0, 0, 99, 0, SELF, NONE), "IoHandle 9: ioParadigm: IoParadigm 99"),
    (("IoHandle", 9, 0, 0, MPI_IO, 0, 99, NONE), "IoHandle 9: comm: Comm 99"),
    (("IoHandle", 9, 0, 0, MPI_IO, 0, SELF, 99), "IoHandle 9: parent: IoHandle 99"),
    (("IoPreCreatedHandleState", 9, 0, 0), "IoPreCreatedHandleState 9: ioHandle: IoHandle 9"),
]


@pytest.mark.parametrize("definition, problems", [(first, rest) for first, *rest in UNDEFINED])
def test_undefined_reference(definition, problems, tmp_path):
    done = check("--quiet", write(lambda a: a.define(*definition), tmp_path))
    assert done.stdout.splitlines() == [f"{problem} is not defined" for problem in problems]
    assert done.returncode == PROBLEMS


@keeps()
def test_references_may_come_first(a):
    """In what order definitions come is the writer's business, but for COMM_LOCATIONS."""
    locations = [d for d in a.definitions if d[0] == "Group"]
    a.definitions = [d for d in reversed(a.definitions) if d[0] != "Group"] + locations
