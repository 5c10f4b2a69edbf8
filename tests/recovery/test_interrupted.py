# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-recover is itself killed: another run has the same result, and nothing is lost."""

import os
from pathlib import Path

import pytest

from harness.mpi import run
from harness.tracing import copy_sparse, files_of

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def interrupt(mpi):
    return mpi.build(HERE / "interrupt.c", ["-shared", "-fPIC"])


def content(trace):
    """All but the anchor file, in which OTF2 writes a number of its own choice."""
    return {name: content for name, content in files_of(trace).items() if name != "traces.otf2"}


def run_interrupted(remains, env, least, interrupt, tracer, recover, tmp_path):
    """Kills it at each step there is, and runs it again."""
    copy_sparse(remains, tmp_path / "trace")
    recover()
    expected = content(tmp_path / "trace")
    tracer.verify(tmp_path / "trace", tmp_path)

    for step in range(1, 1000):
        trace = tmp_path / f"{step}"
        copy_sparse(remains, trace)
        done = run([tracer.directory / "mpiotrace-recover", trace], tmp_path,
                   {**os.environ, **env, "LD_PRELOAD": str(interrupt), "INTERRUPT_AT": str(step)})
        recover(trace)
        assert content(trace) == expected, f"killed at step {step}"
        if done.returncode == 0:
            break
    assert step > least
    tracer.verify(trace, tmp_path)


@pytest.mark.parametrize("remains, least", [("dead", 10), ("dead_parts", 3)])
def test_while_it_installs(remains, least, request, interrupt, tracer, recover, tmp_path):
    """Killed before each change that it makes beside its directory of work."""
    run_interrupted(request.getfixturevalue(remains), {"INTERRUPT_NOT": "recover.work"}, least,
                    interrupt, tracer, recover, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("remains", ["dead", "dead_parts"])
def test_at_each_step(remains, request, interrupt, tracer, recover, tmp_path):
    """Killed before each change that it makes anywhere."""
    run_interrupted(request.getfixturevalue(remains), {}, 60, interrupt, tracer, recover, tmp_path)
