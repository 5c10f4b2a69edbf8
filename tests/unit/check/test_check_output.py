# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-check: archives without problems, what it prints, what it cannot read."""

import json
import os
import signal
import subprocess
from random import Random

import pytest

from check_cases import (CHECK, CLEAN, MASTER, PROBLEMS, SCORE_P, UNREADABLE, check, keeps,
                         write)
from harness.example import (ALL, COLLECTIVE, F, FLUSH, G, MPI_IO, NON_BLOCKING, NONE, P, POSIX,
                             PRE, READ, S, THREAD, UNKNOWN, WORLD, WRITE_AT)


# Archives that break no rule


def everything(a):
    for rank in 0, 1:
        a.event(rank, "ProgramBegin", S["main"], [])
        a.enter(at=rank)
        a.create(G, rank)
        for number in 0, 1:
            a.operation(number, G, rank, flags=COLLECTIVE)
        a.destroy(G, rank)
    a.create()
    a.enter(WRITE_AT)
    a.event(0, "IoSeek", F, -8, 1, 0)
    a.begin(bytes=16)
    a.complete(bytes=7)
    a.leave(WRITE_AT)
    a.begin(1, flags=NON_BLOCKING, mode=READ)
    a.issue(1)
    a.begin(2, flags=NON_BLOCKING | COLLECTIVE, mode=READ)
    a.issue(2)
    a.test(1)
    a.test(1)
    a.complete(1, at=THREAD)
    a.operation(3, mode=FLUSH, bytes=8)
    a.cancel(2)
    a.event(THREAD, "IoDestroyHandle", F)
    a.event(0, "IoDeleteFile", MPI_IO, 0)
    a.create()
    a.operation(4)
    a.destroy()
    for rank in 0, 1:
        a.leave(at=rank)
        a.event(rank, "ProgramEnd", 0)


test_everything = keeps()(everything)


@keeps(creator=SCORE_P)
def test_as_score_p_writes_it(a):
    """One matching id for all blocking operations, unknown sizes of flushes, proxies, dup2."""
    a.define("IoHandle", 5, S["pipe"], NONE, POSIX, 0, NONE, NONE)
    a.begin(1, PRE)
    a.begin(1, PRE, at=THREAD)
    a.complete(1, PRE, at=THREAD)
    a.complete(1, PRE)
    a.begin(1, ALL, mode=FLUSH, bytes=UNKNOWN)
    a.complete(1, ALL, bytes=UNKNOWN)
    a.create(P)
    a.event(0, "IoDuplicateHandle", P, 5, 1)
    a.event(0, "IoDuplicateHandle", P, PRE, 1)
    a.operation(1, 5)
    a.event(0, "IoChangeStatusFlags", 5, 2)
    for handle in P, 5, PRE:
        a.destroy(handle)
    a.event(0, "MpiCollectiveBegin")
    a.event(0, "MpiCollectiveEnd", 0, WORLD, NONE, 0, 0)


@keeps()
def test_no_events(a):
    pass


@keeps()
def test_matching_ids_in_any_order(a):
    a.create()
    for number in 5, 3, 1, 4, 2, 0, 9, 8, 7, 6, 2**64 - 1:
        a.operation(number)
    a.destroy()


# Output


def test_summary(tmp_path):
    done = check(write(everything, tmp_path))
    assert done.returncode == CLEAN and not done.stderr
    assert done.stdout.splitlines() == [
        "processes    2",
        "locations    3",
        "events       42",
        "files        1, deleted 1 times",
        "handles      5, created 4 times, destroyed 4 times",
        "reads        2, 1 completed, 1 cancelled, 8 bytes",
        "writes       6, 6 completed, 0 cancelled, 47 bytes",
        "flushes      1, 1 completed, 0 cancelled, 8 bytes",
        "collective   5 of these",
        "nonblocking  2 of these, 2 unsuccessful tests",
        "seeks        1",
        "problems     0",
    ]


def test_json(tmp_path):
    directory = write(everything, tmp_path)
    done = check("--json", directory)
    assert done.returncode == CLEAN and not done.stderr
    assert json.loads(done.stdout) == {
        "schema": 1,
        "archive": str(directory),
        "problems": [],
        "summary": {
            "processes": 2, "locations": 3, "events": 42, "files": 1, "handles": 5, "created": 4,
            "destroyed": 4, "deleted": 1, "seeks": 1, "collective": 5, "non_blocking": 2,
            "tests": 2, "problems": 0,
            "operations": {
                "read": {"begun": 2, "completed": 1, "cancelled": 1, "bytes": 8},
                "write": {"begun": 6, "completed": 6, "cancelled": 0, "bytes": 47},
                "flush": {"begun": 1, "completed": 1, "cancelled": 0, "bytes": 8},
            },
        },
    }


def test_json_problems(tmp_path):
    def problems(a):
        a.define("Comm", 9, S["main"], 99, NONE, 0)
        a.create()
        a.complete(id=7)
        a.destroy()

    done = check("--json", "--quiet", write(problems, tmp_path))
    document = json.loads(done.stdout)
    assert done.returncode == PROBLEMS and "summary" not in document
    assert document["problems"] == [
        {"record": 'Comm 9 "main"', "problem": "group: Group 99 is not defined"},
        {"location": 0, "location_group": "MPI Rank 0", "location_name": "Master thread",
         "time": 2, "record": 'IoOperationComplete(handle 0 "f.dat", id 7)',
         "problem": "no such operation begun"},
    ]


def test_names_stay_on_their_line(tmp_path):
    """A name with a line feed, an escape character, and a byte that is no UTF-8."""
    def odd_name(a):
        a.redefine("String", S["f.dat"], "a\nb\x1b~")
        a.destroy()

    directory = write(odd_name, tmp_path)
    strings = directory / "traces.def"
    strings.write_bytes(strings.read_bytes().replace(b"b\x1b~", b"b\x1b\xff"))
    done = subprocess.run([CHECK, "--quiet", directory], capture_output=True, timeout=60)
    assert done.stdout == (MASTER.encode() + b'1: IoDestroyHandle(handle 0 "a\\x0ab\\x1b\xff"): '
                           b"the handle has not been created\n")
    document = json.loads(check("--json", directory).stdout)
    assert document["problems"][0]["record"] == 'IoDestroyHandle(handle 0 "a\nb\x1b\\xff")'


def test_reader_goes_away(tmp_path):
    """As in `mpiotrace-check ... | head -1`: it ends silently, as other programs do."""
    read, written = os.pipe()
    os.close(read)
    done = subprocess.run([CHECK, write(everything, tmp_path)], stdout=written, timeout=60,
                          stderr=subprocess.PIPE)
    os.close(written)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, b"")


def test_most_problems(tmp_path):
    def three(a):
        for number in 7, 8, 9:
            a.event(0, "IoDeleteFile", number, 0)

    directory = write(three, tmp_path)
    done = check("--quiet", "--max-problems=2", directory)
    assert done.stdout.splitlines() == [
        MASTER + "1: IoDeleteFile: IoParadigm 7 is not defined",
        MASTER + "2: IoDeleteFile: IoParadigm 8 is not defined",
        "3 problems, of which 2 are shown",
    ]
    assert done.returncode == PROBLEMS
    document = json.loads(check("--json", "--max-problems=0", directory).stdout)
    assert document["problems"] == [] and document["summary"]["problems"] == 3


def test_anchor_file_or_directory(tmp_path):
    directory = write(everything, tmp_path)
    assert check(directory).stdout == check(directory / "traces.otf2").stdout


# What cannot be read


def test_no_archive(tmp_path):
    done = check(tmp_path)
    assert (done.stdout, done.returncode) == ("", UNREADABLE)
    assert done.stderr == f"mpiotrace-check: {tmp_path}/traces.otf2: No such file or directory\n"


def one_line(done):
    assert done.returncode == UNREADABLE, str(done)
    line, = done.stderr.splitlines()
    return line


def test_not_an_archive(tmp_path):
    (tmp_path / "traces.otf2").write_text("hello")
    assert one_line(check(tmp_path)).startswith(
        f"mpiotrace-check: {tmp_path}/traces.otf2: not an OTF2 archive: ")


def test_definitions_are_missing(tmp_path):
    directory = write(everything, tmp_path)
    (directory / "traces.def").unlink()
    assert f"{directory}/traces.otf2: cannot read the definitions: " in one_line(check(directory))


def test_events_are_cut(tmp_path):
    directory = write(everything, tmp_path)
    events = directory / "traces" / "0.evt"
    events.write_bytes(events.read_bytes()[:100])
    assert f"{directory}/traces.otf2: cannot read the events: " in one_line(check(directory))


def test_a_crash_of_otf2_is_survived(tmp_path):
    """An OTF2 that crashes, as 3.0.2 may where damage makes it read behind its buffers."""
    directory = write(everything, tmp_path)
    (tmp_path / "crash.c").write_text("#include <stdlib.h>\n"
                                      "void *OTF2_Reader_Open(char *path) { abort(); }\n")
    subprocess.run("cc -shared -fPIC -o crash.so crash.c".split(), cwd=tmp_path, check=True)
    done = check(directory, env={**os.environ, "LD_PRELOAD": str(tmp_path / "crash.so")})
    assert one_line(done) == (f"mpiotrace-check: {directory}: the archive is damaged: "
                              "reading it crashed OTF2 (Aborted)")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["traces.def", "traces/0.def", "traces/0.evt"])
def test_damage_is_survived(name, tmp_path):
    """Whatever a byte of an archive is changed to, the answer is one of three and prompt."""
    directory = write(everything, tmp_path)
    file = directory / name
    content = file.read_bytes()
    random = Random(1)
    for position in range(len(content.rstrip(b"\0"))):
        damaged = bytearray(content)
        damaged[position] = random.choice([0, 1, 0x7f, 0xff, random.randrange(256)])
        file.write_bytes(damaged)
        done = check("--quiet", directory)
        if done.returncode == UNREADABLE:
            one_line(done)
        else:
            assert done.returncode in (CLEAN, PROBLEMS) and not done.stderr, str(done)


@pytest.mark.parametrize("arguments, message", [
    ([], "no archive given (see --help)"),
    (["a", "b"], "b: only one archive is allowed"),
    (["--max-problems=-1", "a"], "--max-problems=-1: not allowed, only a number from 0"),
    (["--max-problems=1x", "a"], "--max-problems=1x: not allowed, only a number from 0"),
])
def test_wrong_arguments(arguments, message):
    assert one_line(check(*arguments)) == f"mpiotrace-check: {message}"


def test_help_and_version():
    assert "--max-problems" in check("--help").stdout
    assert check("--version").stdout.startswith("mpiotrace ")
