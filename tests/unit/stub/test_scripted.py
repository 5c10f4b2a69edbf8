# SPDX-License-Identifier: BSD-3-Clause
"""
The tracer above an MPI layer that does what neither Open MPI nor MPICH do with I/O requests. As in
tests/trace a test is a program and its trace; untraced these programs mean nothing.
"""

from pathlib import Path

import pytest

from harness.expected import Expected

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", sorted(path.stem for path in HERE.glob("*.expected")))
def test_scripted(name, tracer, mpi, tmp_path):
    """The records are exactly those of the expected trace."""
    expected = Expected(HERE / f"{name}.expected", mpi.name)
    program = mpi.build(HERE / f"{name}.c", ["-Wall", "-Wextra", "-rdynamic"])
    done = tracer.run(program, 1, tmp_path)
    assert done.returncode == 0 and not done.stderr, str(done)
    difference = expected.difference(tracer.read(tmp_path).lines())
    assert not difference, "\n" + difference
