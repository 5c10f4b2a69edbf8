# SPDX-License-Identifier: BSD-3-Clause
"""Jobs in which not all ranks load the tracer: those that do trace, all behave as ever."""

from pathlib import Path

import pytest

from harness.archive import Archive
from harness.tracing import files_of, run_untraced

HERE = Path(__file__).parent
OPENS_AND_WRITES = 3 + 4 + 3


@pytest.fixture
def partial(tracer, mpi, tmp_path):
    """
    Runs partial.c on 4 ranks, of which only those given load the tracer, and checks that it did
    what it does untraced; returns what it and the tracer said.
    """
    program = mpi.build(HERE / "partial.c")

    def run(ranks, env=None):
        untraced = run_untraced(mpi, program, 4, tmp_path)
        (tmp_path / "run").mkdir()
        script = (f"case ${{OMPI_COMM_WORLD_RANK-$PMI_RANK}} in {'|'.join(map(str, ranks))})"
                  f' exec "{tracer.launcher}" "$0";; *) exec "$0";; esac')
        done = mpi.run(["sh", "-c", script, program], 4, tmp_path / "run",
                       {"MPIOTRACE_OUTPUT": str(tmp_path / "trace"), **(env or {})})
        assert done.returncode == untraced.returncode == 0, str(done)
        assert sorted(done.stdout.splitlines()) == sorted(untraced.stdout.splitlines())
        assert files_of(tmp_path / "run") == files_of(tmp_path / "untraced" / "run")
        return done
    return run


def own_archives(tracer, tmp_path):
    """The number of lines in each rank's archive of its own."""
    found = {}
    for anchor in tmp_path.glob("trace*/**/*.otf2"):
        tracer.verify(anchor.parent, tmp_path)
        ((rank, _), lines), = Archive(anchor.parent, tmp_path / "run").lines().items()
        found[rank] = len(lines)
    return found


@pytest.mark.parametrize("ranks", [[0, 2], pytest.param([1, 2], marks=pytest.mark.slow)])
def test_some_ranks_are_traced(ranks, partial, tracer, tmp_path):
    """The traced ones wait a while, one says so, and each goes on alone."""
    done = partial(ranks)
    assert len(done.stderr.splitlines()) == 1 and "LD_PRELOAD" in done.stderr, done.stderr
    assert own_archives(tracer, tmp_path) == {rank: OPENS_AND_WRITES for rank in ranks}


def test_without_name_service(partial, tracer, mpi, tmp_path):
    """Ranks that cannot find out about each other do not wait, and one says so."""
    stub = mpi.build(HERE / "no_names.c", ["-shared", "-fPIC"])
    done = partial(range(4), {"LD_PRELOAD": str(stub)})
    assert len(done.stderr.splitlines()) == 1 and "MPIOTRACE_ARCHIVE" in done.stderr, done.stderr
    assert own_archives(tracer, tmp_path) == {rank: OPENS_AND_WRITES for rank in range(4)}


def test_user_knows_better(partial, tracer, mpi, tmp_path):
    """MPIOTRACE_ARCHIVE=job: the user's word counts where nothing else tells."""
    stub = mpi.build(HERE / "no_names.c", ["-shared", "-fPIC"])
    assert not partial(range(4), {"LD_PRELOAD": str(stub), "MPIOTRACE_ARCHIVE": "job"}).stderr
    assert len(tracer.read(tmp_path).lines()) == 4


def test_many_ranks(tracer, mpi, tmp_path):
    """More ranks than one rank of the tree has children."""
    done = tracer.run(mpi.build(tracer.tests / "trace" / "before_init.c"), 36, tmp_path)
    assert done.returncode == 0 and not done.stderr, str(done)
    assert len(tracer.read(tmp_path).lines()) == 36


@pytest.mark.parametrize("traced", ["first", "second", "both"])
def test_several_programs(traced, tracer, mpi, tmp_path):
    """A job of several programs is not asked to agree: each traced rank has its own archive."""
    (tmp_path / "run").mkdir()
    plain = [mpi.build(tracer.tests / "trace" / "before_init.c")]
    with_tracer = [tracer.launcher, *plain]
    command = [*(plain if traced == "second" else with_tracer), ":", "-n", "1",
               *(plain if traced == "first" else with_tracer)]
    done = mpi.run(command, 1, tmp_path / "run", {"MPIOTRACE_OUTPUT": str(tmp_path / "trace")})
    assert done.returncode == 0, str(done)
    # The first program of an MPICH job cannot know that there is another.
    waits = mpi.name == "mpich" and traced == "first"
    assert len(done.stderr.splitlines()) == waits, done.stderr
    ranks = {"first": [0], "second": [1], "both": [0, 1]}[traced]
    assert own_archives(tracer, tmp_path) == {rank: 6 for rank in ranks}


def test_several_programs_all_traced(tracer, mpi, tmp_path):
    """MPIOTRACE_ARCHIVE=job: they are asked all the same."""
    (tmp_path / "run").mkdir()
    program = [tracer.launcher, mpi.build(tracer.tests / "trace" / "before_init.c")]
    done = mpi.run([*program, ":", "-n", "1", *program], 1, tmp_path / "run",
                   {"MPIOTRACE_OUTPUT": str(tmp_path / "trace"), "MPIOTRACE_ARCHIVE": "job"})
    assert done.returncode == 0 and not done.stderr, str(done)
    assert len(tracer.read(tmp_path).lines()) == 2
