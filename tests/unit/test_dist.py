# SPDX-License-Identifier: BSD-3-Clause
"""The release tarball: builds, installs and uninstalls by itself, without Python."""

import os
import subprocess

import pytest


@pytest.mark.slow
def test_distcheck(builddir, mpi, tmp_path):
    """make distcheck, with a Python that fails whoever calls it."""
    for name in ("python", "python3"):
        (tmp_path / name).write_text("#!/bin/sh\necho 'Python was called' >&2\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}",
           "DISTCHECK_CONFIGURE_FLAGS": f"MPICC={mpi.compiler()}"}
    done = subprocess.run(["make", "-s", "distcheck"], cwd=builddir, env=env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    assert done.returncode == 0, done.stdout[-4000:]
    assert "Python was called" not in done.stdout
    assert list(builddir.glob("mpiotrace-*.tar.xz"))
