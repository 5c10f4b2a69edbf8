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
from harness.tracing import check_trace

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
    check_trace(program, expected, tracer, tmp_path)
