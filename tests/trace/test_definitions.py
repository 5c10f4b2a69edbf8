# SPDX-License-Identifier: BSD-3-Clause
"""The global definitions: unified over all ranks, dense, and no more than there are things."""

import re
import socket
import subprocess
from pathlib import Path

import pytest

from harness import definitions
from harness.archive import name_of

HERE = Path(__file__).parent


def record(tracer, mpi, name, ranks, tmp_path, env=None):
    done = tracer.run(mpi.build(HERE / f"{name}.c"), ranks, tmp_path, env)
    assert done.returncode == 0 and not done.stderr, str(done)
    return tracer.read(tmp_path)


@pytest.fixture(scope="module")
def archive(tracer, mpi, tmp_path_factory):
    return record(tracer, mpi, "communicators", 4, tmp_path_factory.mktemp("communicators"))


def test_references_are_dense(archive):
    """Global definitions are written dense and in order: readers may use them as indices."""
    for kind, references in definitions.references(archive.definitions).items():
        assert references == list(range(len(references))), kind


def test_system_tree(archive):
    """Machine, then node; a location group per rank, a location per thread."""
    machine, node = definitions.system_tree(archive.definitions)
    assert [c for c, _ in machine] == ["machine"]
    assert [c for c, _ in node] == ["machine", "node"]
    assert node[1][1].split(".")[0] == socket.gethostname().split(".")[0]
    assert definitions.locations(archive.definitions) == [
        (f"MPI Rank {rank}", "Master thread", "CPU_THREAD") for rank in range(4)]
    for group in archive.definitions.location_groups:
        assert group.system_tree_parent.class_name == "node"
        assert name_of(group.location_group_type) == "PROCESS"


def test_communicators(archive):
    """Equal groups stay apart; one member: COMM_SELF; a communicator is one to all its members."""
    comms = definitions.communicators(archive.definitions)
    assert [c for c in comms if c[0] not in ("single", "MPI_COMM_SELF")] == [
        ("MPI_COMM_WORLD", [0, 1, 2, 3]), ("even", [0, 2]), ("first", [0, 1, 2, 3]),
        ("odd", [1, 3]), ("second", [0, 1, 2, 3]), ("third", [0, 1, 2, 3])]
    assert [c for c in comms if c[0] == "MPI_COMM_SELF"] == [("MPI_COMM_SELF", None)]
    assert {c for _, c in comms if _ == "single"} == {None}


def test_handles(archive):
    """A handle is one to all ranks of its communicator; those on MPI_COMM_SELF share one."""
    found = definitions.handles(archive)
    assert {paradigm for _, paradigm, _ in found} == {"MPI-IO"}
    assert [(f, c) for f, _, c in found if c != "single"] == [
        ("$DIR/even.dat", "even"), ("$DIR/odd.dat", "odd"), ("$DIR/self.dat", "MPI_COMM_SELF"),
        ("$DIR/world.dat", "MPI_COMM_WORLD"), ("$DIR/world.dat", "first"),
        ("$DIR/world.dat", "second"), ("$DIR/world.dat", "third")]


def test_paradigm(archive, mpi):
    """MPI-IO is paradigm 0, parallel, with the MPI library's version, and no other is recorded."""
    assert definitions.paradigms(archive.definitions) == [
        (0, "MPI-IO", "MPI-IO", "PARALLEL", [])]
    # Python's otf2 drops the properties of an IoParadigm.
    printed = subprocess.run(["otf2-print", "-G", archive.anchor], text=True, capture_output=True,
                             check=True).stdout
    version = re.search(r'IO_PARADIGM .*\(VERSION; STRING; "([^"]*)"', printed)[1]
    assert {"openmpi": "Open MPI", "mpich": "MPICH"}[mpi.name] in version


def test_regions(archive):
    """Regions of MPI procedures are of paradigm MPI; data access is FILE_IO, others METADATA."""
    roles = {r.name: name_of(r.region_role) for r in archive.definitions.regions
             if r.name.startswith("MPI_") and name_of(r.paradigm) == "MPI"}
    assert roles == {"MPI_File_open": "FILE_IO_METADATA", "MPI_File_close": "FILE_IO_METADATA",
                     "MPI_File_write_at_all": "FILE_IO"}


def test_file_properties(archive):
    """A file's scope is the node where its file system is; file system type and mount point."""
    mount = subprocess.run(["stat", "-c", "%m", archive.run_directory], text=True,
                           capture_output=True, check=True).stdout.strip()
    kind = subprocess.run(["findmnt", "-n", "-o", "FSTYPE", "--mountpoint", mount], text=True,
                          capture_output=True).stdout.split()
    files = definitions.file_properties(archive)
    assert sorted(files) == ["$DIR/even.dat", "$DIR/odd.dat", "$DIR/self.dat", "$DIR/world.dat"]
    for scope, properties in files.values():
        assert scope == "node"
        assert properties["Mount point"] == mount
        assert not kind or properties["File system"] == kind[-1]


def test_hints(tracer, mpi, tmp_path):
    """The hints in effect at the first open are properties of the file, once."""
    archive = record(tracer, mpi, "hints", 2, tmp_path)
    _, properties = definitions.file_properties(archive)["$DIR/f.dat"]
    assert properties["MPI hint: cb_buffer_size"] == "1048576"


@pytest.mark.parametrize("name, ranks, handles, opens", [("many_opens", 2, 3, 1000),
                                                         ("many_communicators", 2, 200, 200)])
def test_definitions_do_not_grow_with_opens(name, ranks, handles, opens, tracer, mpi, tmp_path):
    """A later open of the same file on the same communicator uses the same definition again."""
    archive = record(tracer, mpi, name, ranks, tmp_path)
    assert len(list(archive.definitions.io_handles)) == handles
    for lines in archive.lines().values():
        assert sum(line.lstrip().startswith("IoCreateHandle") for line in lines) == opens


def test_failed_open_leaves_no_definition(tracer, mpi, tmp_path):
    """A failed open leaves no file and no handle behind."""
    archive = record(tracer, mpi, "open_close", 2, tmp_path)
    assert sorted(definitions.file_properties(archive)) == [
        f"$DIR/{n}.dat" for n in ("append", "excl", "gone", "plain", "self", "sequential")]


def test_archive_per_rank(tracer, mpi, tmp_path):
    """MPIOTRACE_ARCHIVE=rank: one self-contained archive for each rank."""
    done = tracer.run(mpi.build(HERE / "communicators.c"), 4, tmp_path,
                      {"MPIOTRACE_ARCHIVE": "rank"})
    assert done.returncode == 0 and not done.stderr, str(done)
    anchors = sorted(tmp_path.rglob("*.otf2"))
    assert len(anchors) == 4
    for anchor in anchors:
        tracer.verify(anchor.parent, tmp_path)
