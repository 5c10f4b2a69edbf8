# SPDX-License-Identifier: BSD-3-Clause
"""
Fixtures of the test suite. Run as /usr/bin/python3 -m pytest tests, with in the environment
MPIOTRACE_BUILDDIR (top build directory), and if they are not the defaults MPIOTRACE_SRCDIR,
MPIOTRACE_MPI (openmpi or mpich: what the build is for), MPIOTRACE_BUILDDIR_MPICH (a second build).
"""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
pytest.register_assert_rewrite("harness")

from harness.mpi import Mpi  # noqa: E402
from harness.tracing import Tracer  # noqa: E402

SETTINGS = {name: os.environ.get(f"MPIOTRACE_{name}")
            for name in ("BUILDDIR", "SRCDIR", "MPI", "BUILDDIR_MPICH")}


@pytest.fixture(scope="session")
def builddir():
    directory = SETTINGS["BUILDDIR"]
    if not directory or not (Path(directory) / ".libs" / "libmpiotrace.so").exists():
        pytest.exit(f"MPIOTRACE_BUILDDIR={directory} has no .libs/libmpiotrace.so", returncode=4)
    return Path(directory).resolve()


@pytest.fixture(scope="session")
def srcdir():
    return Path(SETTINGS["SRCDIR"] or Path(__file__).parent.parent).resolve()


@pytest.fixture(scope="session")
def mpi(builddir):
    return Mpi(SETTINGS["MPI"] or "openmpi", builddir / "tests-cache")


@pytest.fixture(scope="session")
def tracer(builddir, mpi):
    return Tracer(builddir, mpi)


@pytest.fixture(scope="session")
def other_tracer(builddir):
    """A build for the MPI library that the one under test is not for."""
    directory = SETTINGS["BUILDDIR_MPICH"]
    if not directory or (SETTINGS["MPI"] or "openmpi") != "openmpi":
        pytest.skip("needs a second build, for MPICH: MPIOTRACE_BUILDDIR_MPICH is not set")
    return Tracer(Path(directory).resolve(), Mpi("mpich", builddir / "tests-cache"))


@pytest.fixture
def openmpi(mpi):
    if mpi.name != "openmpi":
        pytest.skip(f"Debian has this program for Open MPI only, the build is for {mpi.name}")
    return mpi
