# SPDX-License-Identifier: BSD-3-Clause
"""
Programs and libraries that others wrote: output, exit status and files are as untraced, the trace
is clean, and where the program says how much it moves, the trace says the same.
"""

import sys
from pathlib import Path

import pytest

from harness.archive import region_of
from harness.tracing import files_of

HERE = Path(__file__).parent
RANKS = 2
NETCDF = Path("/usr/lib/x86_64-linux-gnu/netcdf/mpi")


class Totals:
    """What a trace amounts to: calls by region, and bytes by file and mode."""

    def __init__(self, archive):
        self.calls = {}
        self.bytes = {}
        for events in archive.events.values():
            modes = {}
            for event in events:
                kind = type(event).__name__
                if kind in ("Enter", "CallingContextEnter"):
                    name = region_of(event).name
                    self.calls[name] = self.calls.get(name, 0) + 1
                elif kind == "IoOperationBegin":
                    modes[event.handle, event.matching_id] = str(event.mode).rpartition(".")[2]
                elif kind == "IoOperationComplete":
                    name = event.handle.file.name.rpartition("/")[2]
                    key = name, modes[event.handle, event.matching_id]
                    self.bytes[key] = self.bytes.get(key, 0) + event.bytes_result

    def left_open(self):
        return self.calls.get("MPI_File_open", 0) - self.calls.get("MPI_File_close", 0)


@pytest.fixture
def side_by_side(tracer, openmpi, tmp_path):
    """Runs commands in a row untraced and traced, compares, and returns the last one's totals."""

    def run(*commands):
        untraced = tmp_path / "untraced"
        untraced.mkdir()
        for number, command in enumerate(commands):
            step = tmp_path / str(number)
            (step / "run").mkdir(parents=True)
            if number:
                copy_files(tmp_path / str(number - 1) / "run", step / "run")
            plain = openmpi.run(command, RANKS, untraced)
            traced = openmpi.run([tracer.launcher, *command], RANKS, step / "run",
                                 {"MPIOTRACE_OUTPUT": str(step / "trace")})
            assert plain.returncode == 0, str(plain)
            assert outcome(traced) == outcome(plain)
            assert sorted(files_of(step / "run")) == sorted(files_of(untraced))
            totals = Totals(tracer.read(step))
        return totals
    return run


def copy_files(source, target):
    for path in source.iterdir():
        (target / path.name).write_bytes(path.read_bytes())


def outcome(result):
    """Ranks print in any order, and the launcher may break their lines anywhere."""
    return result.returncode, sorted(result.stdout), sorted(result.stderr)


def test_mpi4py(side_by_side):
    """Collective, shared, ordered and non-blocking I/O; an open that fails raises."""
    totals = side_by_side([sys.executable, HERE / "io_mpi4py.py"])
    assert totals.bytes["data.bin", "WRITE"] == RANKS * (4000 + 4 * 400)
    assert totals.bytes["data.bin", "READ"] == RANKS * (4000 + 4000)
    assert totals.bytes["log.bin", "WRITE"] == 40 * RANKS + 4 * sum(range(RANKS)) + 20 * RANKS
    assert totals.bytes["log.bin", "READ"] == 40 * RANKS
    assert totals.calls["MPI_File_open"] == 3 * RANKS
    assert totals.calls["MPI_Waitall"] == totals.calls["MPI_Wait"] == RANKS
    assert totals.left_open() == RANKS


@pytest.mark.parametrize("how", ["close", "open"])
def test_h5py(how, side_by_side):
    """The mpio driver; what is left open, HDF5 closes inside MPI_Finalize."""
    totals = side_by_side([sys.executable, HERE / "io_h5py.py", how])
    size = RANKS * 8 * 1000 * 8
    assert size <= totals.bytes["data.h5", "WRITE"] <= size + 16384
    assert totals.bytes["data.h5", "READ"] >= size
    assert totals.calls["MPI_File_open"] == RANKS
    assert totals.left_open() == 0


def test_pnetcdf(side_by_side, openmpi):
    """Collective, independent and non-blocking access; PnetCDF opens two handles a file."""
    program = openmpi.build(HERE / "io_pnetcdf.c", ["-Wall"], ["-lpnetcdf"])
    totals = side_by_side([program])
    size = RANKS * 4 * 500 * 4
    assert 2 * size <= totals.bytes["data.nc", "WRITE"] <= 2 * size + 1024
    assert totals.bytes["data.nc", "READ"] >= 2 * size
    assert totals.left_open() == 0


def test_pnetcdf_utilities(side_by_side, tmp_path):
    """ncmpigen, ncmpidump and ncmpidiff, which nobody here wrote."""
    cdl = tmp_path / "in.cdl"
    cdl.write_text("netcdf small {\ndimensions:\n x = 4 ;\nvariables:\n int v(x) ;\n"
                   "data:\n v = 1, 2, 3, 4 ;\n}\n")
    totals = side_by_side(["ncmpigen", "-o", "small.nc", cdl], ["ncmpidump", "small.nc"],
                          ["ncmpidiff", "small.nc", "small.nc"])
    assert totals.calls["MPI_File_open"] >= 2 * RANKS
    assert totals.left_open() == 0


def test_netcdf4(side_by_side, openmpi):
    """Parallel NetCDF-4, that is HDF5."""
    program = openmpi.build(HERE / "io_netcdf4.c", ["-Wall", f"-I{NETCDF}/include"],
                            [f"-L{NETCDF}", f"-Wl,-rpath,{NETCDF}", "-lnetcdf_mpi"])
    totals = side_by_side([program])
    size = RANKS * 4 * 500 * 8
    assert totals.bytes["data.nc4", "WRITE"] >= size
    assert totals.bytes["data.nc4", "READ"] >= size
    # a create, an open, and one to look what kind of file it is
    assert totals.calls["MPI_File_open"] == 3 * RANKS
    assert totals.left_open() == 0
