# SPDX-License-Identifier: BSD-3-Clause
"""
How the tests of mpiotrace-check run it. A test is mostly a function that fills an Example, with
what the checker has to say of that archive above it.
"""

import os
import subprocess
from pathlib import Path

from harness.example import THREAD, Example

CHECK = Path(os.environ["MPIOTRACE_BUILDDIR"]) / "mpiotrace-check"
CLEAN, PROBLEMS, UNREADABLE = 0, 1, 2

MASTER = 'location 0 ("MPI Rank 0", "Master thread"), time '
RANK_1 = 'location 1 ("MPI Rank 1", "Master thread"), time '
OTHER = f'location {THREAD} ("MPI Rank 0", "Thread 1"), time '

SCORE_P = "Score-P 8.4"


def check(*arguments, env=None):
    return subprocess.run([CHECK, *map(str, arguments)], text=True, capture_output=True, timeout=60,
                          env=env)


def write(fill, directory, **options):
    """The directory of the archive that `fill` makes."""
    archive = Example(**options)
    fill(archive)
    return archive.write(directory / "archive")


def breaks(*lines, **options):
    """The function fills an Example so that these are its problems."""
    def make_test(fill):
        def test(tmp_path):
            done = check("--quiet", write(fill, tmp_path, **options))
            assert done.stdout.splitlines() == list(lines), done.stdout
            assert (done.returncode, done.stderr) == (PROBLEMS, ""), done.stderr
        return test
    return make_test


def keeps(**options):
    """The function fills an Example that breaks no rule."""
    def make_test(fill):
        def test(tmp_path):
            done = check("--quiet", write(fill, tmp_path, **options))
            assert (done.stdout, done.stderr, done.returncode) == ("", "", CLEAN), done.stdout
        return test
    return make_test
