# SPDX-License-Identifier: BSD-3-Clause
"""
A test is a small program, NAME.c, and the trace that it must leave, NAME.expected; with other
settings that is NAME.SETTING.expected. The same program in Fortran (.f: mpif.h, .f90: use mpi,
.f08: use mpi_f08) must leave the same trace. Each also runs untraced: output, exit status and files
must be the same.
"""

from pathlib import Path

import pytest

from harness.expected import Expected
from harness.mpi import COMPILERS
from harness.tracing import files_of, run_untraced

WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-stringop-overflow"]
HERE = Path(__file__).parent
CASES = [pytest.param(source, expected, id=expected.stem + source.suffix)
         for expected in sorted(HERE.glob("*.expected"))
         for source in sorted(HERE.glob(f"{expected.name.split('.')[0]}.*"))
         if source.suffix in COMPILERS]


@pytest.mark.parametrize("source, expected", CASES)
def test_trace(source, expected, tracer, mpi, tmp_path):
    """The records are exactly those of the expected trace, and the program does not notice."""
    expected = Expected(expected, mpi.name)
    if expected.library not in (None, mpi.name):
        pytest.skip(f"this is about what {expected.library} does")
    program = mpi.build(source, WARNINGS if source.suffix == ".c" else [])
    how = (expected.env, expected.args, expected.timeout)

    untraced = run_untraced(mpi, program, expected.ranks, tmp_path, *how)
    traced = tracer.run(program, expected.ranks, tmp_path, *how)

    assert untraced.returncode == 0, f"not a correct program: {untraced}"
    assert traced.outcome() == untraced.outcome()
    assert files_of(tmp_path / "run") == files_of(tmp_path / "untraced" / "run")
    difference = expected.difference(tracer.read(tmp_path).lines())
    assert not difference, "\n" + difference
