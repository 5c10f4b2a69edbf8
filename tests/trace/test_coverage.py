# SPDX-License-Identifier: BSD-3-Clause
"""Each procedure that the tracer wraps is called by some test with an expected trace."""

import re
from pathlib import Path

HERE = Path(__file__).parent
UNIT = HERE.parent / "unit" / "stub"

# Handle transfers have no error code.
CANNOT_FAIL = {"MPI_File_c2f", "MPI_File_f2c"}


def procedures(srcdir, name):
    return set(re.findall(r"^(MPI_\w+)", (srcdir / "gen" / name).read_text(), re.MULTILINE))


def expected_lines():
    return "".join(path.read_text() for directory in (HERE, UNIT)
                   for path in sorted(directory.glob("*.expected")))


def test_each_procedure_is_called(srcdir):
    lines = expected_lines()
    missing = [name for name in sorted(procedures(srcdir, "mpi_io.spec") |
                                       procedures(srcdir, "completion.spec"))
               if not re.search(rf"Enter {name}\b(?!\w)", lines)]
    assert not missing


def test_each_file_procedure_fails(srcdir):
    """... in the failing way too, where it can fail."""
    lines = expected_lines()
    missing = [name for name in sorted(procedures(srcdir, "mpi_io.spec") - CANNOT_FAIL)
               if not re.search(rf"Leave {name} \|.* MPI error class=", lines)]
    assert not missing
