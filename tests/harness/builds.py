# SPDX-License-Identifier: BSD-3-Clause
"""Builds of the project besides the one under test."""

import os
import subprocess

from harness.tracing import Tracer


def build(name, builddir, srcdir, mpi, configure=(), make=()):
    """The Tracer of a build with these arguments, kept and brought up to date in the cache."""
    directory = builddir / "tests-cache" / f"{name}-{mpi.name}"
    directory.mkdir(parents=True, exist_ok=True)
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    # variables of make are configure's, too, where it has to run again: so without them first
    commands = [["make", "-s", "Makefile"], ["make", "-s", "-j2", *make]]
    if not (directory / "Makefile").exists():
        commands[0] = [srcdir / "configure", "-q", f"MPICC={mpi.compiler()}", *configure]
    for command in commands:
        done = subprocess.run(command, cwd=directory, env=env, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return Tracer(directory, mpi)
