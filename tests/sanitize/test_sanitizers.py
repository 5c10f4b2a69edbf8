# SPDX-License-Identifier: BSD-3-Clause
"""
The suite's C programs with AddressSanitizer and UndefinedBehaviorSanitizer, many threads with
ThreadSanitizer, and memory that grows, with valgrind. Whatever one of them has to say is on stderr,
where nothing may be. With Open MPI only: what they check is the tracer.
"""

import re
from pathlib import Path

import pytest

from harness.builds import build
from harness.expected import Expected
from harness.tracing import check_trace

TESTS = Path(__file__).parent.parent
PROGRAMS = {path: path.with_name(path.name.split(".")[0] + ".c")
            for path in sorted((TESTS / "trace").glob("*.expected"))}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def mpi_once(mpi):
    if mpi.name != "openmpi":
        pytest.skip("this is about the tracer: once is enough, with Open MPI")
    return mpi


def sanitized(sanitizers, builddir, srcdir, mpi):
    """The Tracer of a build with these sanitizers, and what programs are to be built with."""
    flags = ["-g", "-O1", f"-fsanitize={sanitizers}"]
    return build(sanitizers, builddir, srcdir, mpi,
                 ["--disable-static", f"CFLAGS={' '.join(flags)}"]), flags


@pytest.fixture(scope="module")
def address(builddir, srcdir, mpi_once):
    return sanitized("address,undefined", builddir, srcdir, mpi_once)


@pytest.fixture(scope="module")
def thread(builddir, srcdir, mpi_once):
    return sanitized("thread", builddir, srcdir, mpi_once)


@pytest.mark.parametrize("expected", [pytest.param(expected, id=expected.stem)
                                      for expected, source in PROGRAMS.items()
                                      if source.exists()])
def test_address_and_undefined(expected, address, monkeypatch, tmp_path):
    """No access outside of objects, no undefined behaviour."""
    tracer, flags = address
    expected = Expected(expected, tracer.mpi.name)
    if expected.library not in (None, tracer.mpi.name):
        pytest.skip(f"this is about what {expected.library} does")
    # the MPI library leaks by itself; the tracer is loaded before everything else
    monkeypatch.setenv("ASAN_OPTIONS", "detect_leaks=0:verify_asan_link_order=0")
    program = tracer.mpi.build(PROGRAMS[expected.path], flags)
    check_trace(program, expected, tracer, tmp_path)


@pytest.mark.parametrize("args, env", [
    # libunwind ends threads after ThreadSanitizer has: they stay
    pytest.param(["stay"], {}, id="call paths"),
    pytest.param(["pause"], {"MPIOTRACE_CALLSTACK": "0"}, id="pauses")])
def test_threads(args, env, thread, tmp_path):
    """No two threads use data without a lock between them, or locks in opposite orders."""
    tracer, flags = thread
    env = {"TSAN_OPTIONS": f"suppressions={Path(__file__).with_name('threads.supp')}", **env}
    program = tracer.mpi.build(TESTS / "trace" / "threads_many.c", [*flags, "-pthread"])
    done = tracer.run(program, 2, tmp_path, env, ["3000", *args])
    assert done.returncode == 0 and not done.stderr, str(done)
    tracer.verify(tmp_path / "trace", tmp_path)


def test_memory_does_not_grow(tracer, mpi_once, tmp_path):
    """Ten times the calls (with paths as long) leave not a byte more behind."""
    program = mpi_once.build(Path(__file__).with_name("growth.c"), ["-O1"])

    def in_use_at_exit(times):
        (tmp_path / str(times)).mkdir()
        done = tracer.run("valgrind", 1, tmp_path / str(times), args=[program, times])
        assert done.returncode == 0, str(done)
        tracer.verify(tmp_path / str(times) / "trace", tmp_path)
        return re.search(r"in use at exit: (.*)", done.stderr)[1]

    assert in_use_at_exit(10) == in_use_at_exit(99)
