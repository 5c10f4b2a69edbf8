# SPDX-License-Identifier: BSD-3-Clause
"""
The tracer above an MPI layer that does what neither Open MPI nor MPICH do with I/O requests. As in
tests/trace a test is a program and its trace; untraced these programs mean nothing.
"""

from pathlib import Path

import pytest

from harness.builds import build
from harness.expected import Expected

HERE = Path(__file__).parent
MPI_4_1 = "get_status_many"


@pytest.mark.parametrize("name", sorted(path.stem for path in HERE.glob("*.expected")
                                        if path.stem != MPI_4_1))
def test_scripted(name, tracer, mpi, tmp_path):
    """The records are exactly those of the expected trace."""
    expected = Expected(HERE / f"{name}.expected", mpi.name)
    program = mpi.build(HERE / f"{name}.c", ["-Wall", "-Wextra", "-rdynamic"])
    done = tracer.run(program, 1, tmp_path)
    assert done.returncode == 0 and not done.stderr, str(done)
    difference = expected.difference(tracer.read(tmp_path).lines())
    assert not difference, "\n" + difference


@pytest.fixture(scope="module")
def mpi41_tracer(tracer, mpi, builddir, srcdir):
    """A build of the library as if the MPI library had the procedures of MPI-4.1."""
    built = build("mpi41", builddir, srcdir, mpi,
                  ["--disable-static", "CFLAGS=-O0",
                   "ac_cv_func_MPI_Request_get_status_any=yes"],
                  [f"CPPFLAGS=-include {HERE / 'mpi41.h'}", "libmpiotrace.la"])
    built.check = tracer.check
    return built


def test_get_status_of_many(mpi41_tracer, mpi, tmp_path):
    """The procedures of MPI-4.1, from the program's MPI layer; the library is linked in."""
    expected = Expected(HERE / f"{MPI_4_1}.expected", mpi.name)
    libs = mpi41_tracer.library.parent
    program = mpi.build(HERE / f"{MPI_4_1}.c", ["-Wall", "-Wextra", "-rdynamic"],
                        [f"-L{libs}", f"-Wl,-rpath,{libs}", "-lmpiotrace"])
    (tmp_path / "run").mkdir()
    done = mpi.run([program], 1, tmp_path / "run", {"MPIOTRACE_OUTPUT": str(tmp_path / "trace")})
    assert done.returncode == 0 and not done.stderr, str(done)
    difference = expected.difference(mpi41_tracer.read(tmp_path).lines())
    assert not difference, "\n" + difference
