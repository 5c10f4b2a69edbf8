# SPDX-License-Identifier: BSD-3-Clause
"""Damaged input: a clear error, or the rest is recovered; never a crash or a hang."""

import os
import shutil
import struct
from random import Random

import pytest

from harness.mpi import run
from harness.tracing import copy_sparse

LOCATION = 0x101  # MPIOT_JOURNAL_LOCATION in trace/journal.h


def files(trace):
    return sorted(p.relative_to(trace) for p in trace.rglob("*") if p.is_file())


def recover(tracer, trace, tmp_path):
    done = run([tracer.directory / "mpiotrace-recover", trace], tmp_path, dict(os.environ), 30)
    assert done.returncode in (0, 1, 2), str(done)
    assert done.returncode == 0 or done.stderr, "a failure says why"
    if done.returncode < 2:
        # a byte that is another byte may be a record that cannot be true, but can be read
        check = run([tracer.check, trace], tmp_path, dict(os.environ))
        assert check.returncode < 2 and not check.stderr, f"{done}{check}"
    return done


def head(path):
    """Chunks are mostly zeros: where the records are."""
    return min(path.stat().st_size, 6000)


def damage(path, kind, random):
    size = head(path)
    if kind == "empty":
        path.write_bytes(b"")
    elif kind == "cut":
        os.truncate(path, random.randrange(size))
    elif kind == "gone":
        path.unlink()
    else:
        with path.open("r+b") as file:
            for _ in range(random.choice([1, 1, 4, 64])):
                file.seek(random.randrange(size))
                file.write(bytes([random.choice([0, 1, 2, 0x7f, 0xff, random.randrange(256)])]))


def damaged_runs(tracer, dead, tmp_path, kinds, rounds, seed):
    random = Random(seed)
    for number in range(rounds):
        for name in files(dead):
            for kind in kinds:
                trace = tmp_path / f"{number}-{str(name).replace('/', '-')}-{kind}"
                copy_sparse(dead, trace)
                damage(trace / name, kind, random)
                recover(tracer, trace, tmp_path)
                shutil.rmtree(trace)


def test_each_file(tracer, dead, tmp_path):
    """Each file empty, cut, and gone."""
    damaged_runs(tracer, dead, tmp_path, ["empty", "cut", "gone"], 1, 1)


def test_bytes(tracer, dead, tmp_path):
    """Bytes of each file replaced."""
    damaged_runs(tracer, dead, tmp_path, ["bytes"], 8, 2)


@pytest.mark.slow
def test_many_bytes(tracer, dead, tmp_path):
    damaged_runs(tracer, dead, tmp_path, ["bytes", "cut"], 60, 3)


def before_first_location(words):
    """Where in a journal its first location's row begins, in words."""
    at = 1
    while words[at] >> 32 != LOCATION:
        at += 1 + (words[at] & 0xffffffff)
    return at


def test_rank_without_location(tracer, dead, tmp_path):
    """A process that died before it made its first location has an empty one all the same."""
    trace = tmp_path / "trace"
    copy_sparse(dead, trace)
    journal = trace / "raw" / "1.rows"
    words = struct.unpack(f"={journal.stat().st_size // 8}Q", journal.read_bytes())
    os.truncate(journal, 8 * before_first_location(words))
    (trace / "traces" / "1.evt").unlink()
    done = recover(tracer, trace, tmp_path)
    assert done.returncode == 0 and "rank 1: outside MPI-IO" in done.stdout, str(done)
    tracer.verify(trace, tmp_path)


def test_one_rank_is_lost(tracer, dead, tmp_path):
    """The others are recovered, and the one is named."""
    trace = tmp_path / "trace"
    copy_sparse(dead, trace)
    (trace / "raw" / "1.rows").write_bytes(b"nonsense" * 10)
    done = recover(tracer, trace, tmp_path)
    assert done.returncode == 1
    assert "1.rows: not a journal of definitions" in done.stderr
    assert "rank 0: outside MPI-IO" in done.stdout
    assert "rank 1: nothing is left of it" in done.stdout
