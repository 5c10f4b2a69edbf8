# SPDX-License-Identifier: BSD-3-Clause
"""Settings: the default archive name, wrong values, and places that cannot be written to."""

import os

import pytest


@pytest.fixture
def run_it(tracer, mpi, tmp_path):
    """Runs a program of one open and close on 2 ranks, with the environment and options given."""
    (tmp_path / "run").mkdir()

    def run(env, options=()):
        program = mpi.build(tracer.tests / "trace" / "before_init.c")
        done = mpi.run([tracer.launcher, *options, program], 2, tmp_path / "run", env)
        assert done.returncode == 0 and "finalized 1" in done.stdout, str(done)
        assert (tmp_path / "run" / "f.dat").exists()
        return done
    return run


def messages(done):
    return [line for line in done.stderr.splitlines() if line.strip()]


def archives(tmp_path):
    return sorted(anchor.parent for anchor in tmp_path.rglob("*.otf2"))


def test_default_name(run_it, tracer, tmp_path):
    """Without MPIOTRACE_OUTPUT the archive is one directory in the current one."""
    assert not messages(run_it({}))
    directory, = archives(tmp_path)
    assert directory.parent == tmp_path / "run"
    tracer.verify(directory, tmp_path)


def test_existing_directory_is_kept(run_it, tracer, tmp_path):
    """An existing directory is never written into: the next name is taken."""
    output = tmp_path / "trace"
    output.mkdir()
    (output / "precious").write_text("mine")
    run_it({"MPIOTRACE_OUTPUT": str(output)})
    assert [p.name for p in output.iterdir()] == ["precious"]
    directory, = archives(tmp_path)
    tracer.verify(directory, tmp_path)
    run_it({"MPIOTRACE_OUTPUT": str(output)})
    assert len(archives(tmp_path)) == 2


def test_disable(run_it, tmp_path):
    """MPIOTRACE_DISABLE=1: no trace, no message."""
    assert not messages(run_it({"MPIOTRACE_DISABLE": "1", "MPIOTRACE_OUTPUT": str(tmp_path / "t")}))
    assert not archives(tmp_path)


@pytest.mark.parametrize("name, value", [
    ("MPIOTRACE_ARCHIVE", "both"), ("MPIOTRACE_CALLSTACK", "deep"),
    ("MPIOTRACE_BUFFER_SIZE", "lots"), ("MPIOTRACE_TEST_EVENTS", "maybe"),
    ("MPIOTRACE_VERBOSE", "-3"), ("MPIOTRACE_DISABLE", "perhaps")])
def test_wrong_value(name, value, run_it, tracer, tmp_path):
    """A wrong value is one warning that names the variable and the value; the default is used."""
    done = run_it({name: value, "MPIOTRACE_OUTPUT": str(tmp_path / "trace")})
    lines = messages(done)
    assert lines and all(name in line and value in line for line in lines), str(done)
    assert len(set(lines)) <= 2 and len(lines) <= 2, "one per process, at most"
    assert len(tracer.read(tmp_path).lines()) == 2


@pytest.mark.parametrize("output", ["/proc/no-such/trace", "file/trace"])
def test_output_cannot_be_made(output, run_it, tmp_path):
    """The program runs on; clear lines say that there is no trace and why."""
    (tmp_path / "run" / "file").write_text("not a directory")
    done = run_it({"MPIOTRACE_OUTPUT": output})
    assert any(output in line for line in messages(done)), str(done)
    assert len(messages(done)) <= 2, "one line per process, at most"
    assert not archives(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_output_is_not_writable(run_it, tmp_path):
    """The program runs on; clear lines say that there is no trace and why."""
    (tmp_path / "locked").mkdir(mode=0o555)
    done = run_it({"MPIOTRACE_OUTPUT": str(tmp_path / "locked" / "trace")})
    assert any("locked" in line for line in messages(done)), str(done)


def test_include_that_matches_nothing(run_it, tracer, tmp_path):
    """A trace without records is a trace."""
    run_it({"MPIOTRACE_INCLUDE": "*.none", "MPIOTRACE_OUTPUT": str(tmp_path / "trace")})
    assert all(not lines for lines in tracer.read(tmp_path).lines().values())
