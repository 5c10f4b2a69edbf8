# SPDX-License-Identifier: BSD-3-Clause
"""Linking with the library instead of preloading it."""

import re
import shlex

import pytest


def run_linked(tracer, mpi, tmp_path, flags, env=None):
    program = mpi.build(tracer.tests / "trace" / "before_init.c", libs=flags)
    (tmp_path / "run").mkdir()
    env = {"MPIOTRACE_OUTPUT": str(tmp_path / "trace"), **(env or {})}
    done = mpi.run([program], 2, tmp_path / "run", env)
    assert done.returncode == 0 and not done.stderr, str(done)
    lines = tracer.read(tmp_path).lines()
    assert [len(lines[rank, 0]) for rank in range(2)] == [6, 6]


def test_shared(tracer, mpi, tmp_path):
    """mpicc app.c -lmpiotrace"""
    libs = tracer.library.parent
    run_linked(tracer, mpi, tmp_path, [f"-L{libs}", f"-Wl,-rpath,{libs}", "-lmpiotrace"])


def test_static(tracer, mpi, tmp_path):
    """mpicc app.c libmpiotrace.a, with what pkg-config says a static link needs."""
    archive = tracer.library.with_suffix(".a")
    if not archive.exists():
        pytest.skip("the build has no static library (configured with --disable-static)")
    package = (tracer.directory / "mpiotrace.pc").read_text()
    private = re.search(r"^Libs\.private: (.*)$", package, re.MULTILINE)[1]
    run_linked(tracer, mpi, tmp_path,
               ["-Wl,--whole-archive", str(archive), "-Wl,--no-whole-archive",
                *shlex.split(private)])


def test_linked_and_preloaded(tracer, mpi, tmp_path):
    """A program that is linked with the library and run with it preloaded is traced once."""
    libs = tracer.library.parent
    run_linked(tracer, mpi, tmp_path, [f"-L{libs}", f"-Wl,-rpath,{libs}", "-lmpiotrace"],
               {"LD_PRELOAD": str(tracer.library)})
