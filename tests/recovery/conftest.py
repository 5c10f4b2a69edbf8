# SPDX-License-Identifier: BSD-3-Clause
"""What jobs have left that were killed, and mpiotrace-recover."""

import os
from pathlib import Path

import pytest

from harness.mpi import run

HERE = Path(__file__).parent


def killed(tracer, mpi, directory, env=None):
    tracer.run(mpi.build(HERE / "death.c"), 2, directory, env, ["kill-all", "40"])
    return directory / "trace"


@pytest.fixture(scope="session")
def dead(tracer, mpi, tmp_path_factory):
    """What a job of two ranks has left that was killed."""
    return killed(tracer, mpi, tmp_path_factory.mktemp("dead"))


@pytest.fixture(scope="session")
def dead_parts(tracer, mpi, tmp_path_factory):
    """The same, of ranks with archives of their own."""
    return killed(tracer, mpi, tmp_path_factory.mktemp("parts"), {"MPIOTRACE_ARCHIVE": "rank"})


@pytest.fixture
def recover(tracer, tmp_path):
    def recover(directory=None, status=0):
        done = run([tracer.directory / "mpiotrace-recover", directory or tmp_path / "trace"],
                   tmp_path, dict(os.environ))
        assert done.returncode == status, str(done)
        return done
    return recover
