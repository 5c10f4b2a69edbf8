# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-report: filters, comma-separated values, the terminal."""

import csv
import io
import os
import pty
import re
import signal
import subprocess

import pytest

from harness.example import NONE

from report_cases import DONE, REPORT, UNREADABLE, Job, one_line, report, report_json


def two_files(job):
    """Two ranks that write 100 bytes each to f.dat in the first 100 ticks, rank 0 more to g.h5."""
    job.define("IoRegularFile", 1, job.string("/data/g.h5"), 0)
    job.define("IoHandle", 5, job.string("g.h5"), 1, 0, 0, 1, NONE)
    job.main(0, 1000, job.open(0, 10), job.transfer("write_at", 10, 20, 100, 0), job.close(90, 100),
             job.open(500, 510, 5), job.transfer("write_at", 510, 600, 1000, 0, handle=5),
             job.transfer("read_at", 600, 610, 1000, 0, handle=5), job.call("get_size", 700, 701),
             job.close(800, 900, 5))
    job.main(0, 100, job.open(0, 10), job.transfer("write_at", 10, 20, 100, 100),
             job.close(20, 30), at=1)


@pytest.fixture
def archive(tmp_path):
    job = Job()
    two_files(job)
    return job.write(tmp_path / "archive")


def counts(report):
    return {c["call"].replace("MPI_File_", ""): c["calls"] for c in report["calls"]}


# Filters


@pytest.mark.parametrize("ranks, left", [("0", [0]), ("1", [1]), ("0,1", [0, 1]), ("0-1", [0, 1]),
                                         ("1-7", [1]), ("0,0,1-1", [0, 1])])
def test_ranks(archive, ranks, left):
    document = report_json("--ranks=" + ranks, archive)
    assert [rank["rank"] for rank in document["ranks"]] == left
    assert counts(document)["write_at"] == {(0,): 2, (1,): 1, (0, 1): 3}[tuple(left)]
    assert document["filters"] == {"ranks": ranks}


@pytest.mark.parametrize("pattern, files", [
    ("/tmp/f.dat", ["/tmp/f.dat"]), ("f.dat", ["/tmp/f.dat"]), ("*.h5", ["/data/g.h5"]),
    ("/data/*", ["/data/g.h5"]), ("*.h5:*.dat", ["/data/g.h5", "/tmp/f.dat"]), ("*.nc", [])])
def test_files(archive, pattern, files):
    document = report_json(f"--files={pattern}", archive)
    assert [f["file"] for f in document["files"] if f["calls"]] == files
    assert document["filters"] == {"files": pattern.split(":")}
    assert "get_size" not in counts(document)        # of which file, the archive does not say


def test_files_and_the_time_of_ranks(archive):
    """The time in I/O is that in the calls that are left in; the run time is the rank's."""
    rank, _ = report_json("--files=g.h5", archive)["ranks"]
    assert (rank["io_time"], rank["run_time"], rank["bytes_written"]) == (0.21, 1.0, 1000)


def test_calls(archive):
    document = report_json("--calls=*write*:*read_at", archive)
    assert counts(document) == {"write_at": 3, "read_at": 1}
    assert document["ranks"][0]["io_time"] == 0.11
    assert document["filters"] == {"calls": ["*write*", "*read_at"]}


@pytest.mark.parametrize("options, calls", [
    (["--from=0.5"], {"open": 1, "write_at": 1, "read_at": 1, "get_size": 1, "close": 1}),
    (["--to=0.5"], {"open": 2, "write_at": 2, "close": 2}),
    (["--from=0.011", "--to=0.02"], {"write_at": 0}),      # under way
    (["--from=0.02", "--to=0.02001"], {"close": 1}),
    (["--from=0.4", "--to=0.5"], {}),
    (["--from=0.01", "--to=0.02"], {"write_at": 2}),
    (["--from=.6", "--to=0.7"], {"read_at": 1}),
    (["--to=1e30"], {"open": 3, "write_at": 3, "read_at": 1, "get_size": 1, "close": 3})])
def test_times(archive, options, calls):
    """What begins at --from is in, what begins at --to is not."""
    assert counts(report_json(*options, archive)) == calls


def test_calls_are_cut(archive):
    document = report_json("--from=0.5", "--to=0.55", archive)
    rank = document["ranks"][0]
    assert (rank["run_time"], rank["io_time"], document["run_time"]) == (0.05, 0.05, 0.05)
    assert document["filters"] == {"from": 0.5, "to": 0.55}


def test_call_under_way(archive):
    """It has its time inside, but is not counted again; nor are its operation and its bytes."""
    document = report_json("--from=0.55", "--to=0.56", archive)
    call, = document["calls"]
    assert (call["call"], call["calls"], call["time"]) == ("MPI_File_write_at", 0, 0.01)
    assert "write" not in call
    rank = document["ranks"][0]
    assert (rank["io_time"], rank["time_writing"], rank["calls"], rank["bytes_written"]) == (
        0.01, 0.01, 0, 0)


def numbers(document):
    """What can be added up, by where it stands."""
    skipped = {"rank", "run_time", "smallest", "largest", "end", "ranks", "sequential", "strided",
               "random"}
    found = {}
    for table, key in ("calls", "call"), ("files", "file"), ("ranks", "name"):
        for row in document[table]:
            for name, value in flat(row):
                if not isinstance(value, str) and not skipped & set(name.split("_")):
                    found[table, row[key], name] = value
    return found


@pytest.mark.parametrize("cut", [5, 10, 15, 20, 95, 100, 300, 505, 510, 555, 600, 605, 700, 850])
def test_adjoining_times_add_up(cut, archive):
    whole = numbers(report_json(archive))
    before = numbers(report_json(f"--to={cut / 1000}", archive))
    behind = numbers(report_json(f"--from={cut / 1000}", archive))
    assert {key: before.get(key, 0) + behind.get(key, 0) for key in whole} == pytest.approx(whole)
    assert before.keys() | behind.keys() <= whole.keys()


def test_times_count_from_the_start_of_the_trace(tmp_path):
    """A clock that counts from the epoch, in ticks that a double cannot tell apart."""
    job = Job()
    start = 1_700_000_000_123_456_789
    job.clock(10**9, start)
    job.main(start, start + 1000, job.open(start + 100, start + 101),
             job.close(start + 200, start + 300))
    archive = job.write(tmp_path / "archive")
    assert counts(report_json("--from=0.000000200", archive)) == {"close": 1}
    assert counts(report_json("--from=0.000000201", archive)) == {"close": 0}
    assert counts(report_json("--from=0.000000300", archive)) == {}


@pytest.mark.parametrize("arguments, message", [
    ([], "no archive given (see --help)"),
    (["a", "b"], "b: only one archive is allowed"),
    *((["--ranks=" + ranks, "a"],
       f"--ranks={ranks}: not allowed, only ranks and ranges of them, as in 0,2-5")
      for ranks in ("", "x", "1-", "-1", "3-1", "1,,2", "1;2", "4294967297",
                    "0-4294967296", "99999999999999999999")),
    *((["--from=" + time, "a"],
       f"--from={time}: not allowed, only seconds since the start of the trace")
      for time in ("", "x", "-1", "1s", "nan", "inf")),
    (["--to=y", "a"], "--to=y: not allowed, only seconds since the start of the trace"),
    (["--from=2", "--to=1.5", "a"], "--to=1.5: not allowed, only times after --from=2"),
    (["--files=", "a"], "--files=: not allowed, only patterns as of fnmatch(3), separated by ':'"),
    (["--calls=a::b", "a"],
     "--calls=a::b: not allowed, only patterns as of fnmatch(3), separated by ':'"),
    (["--csv=x", "a"],
     "--csv=x: not allowed, only findings, ranks, calls, files, places, accesses or errors"),
])
def test_wrong_arguments(arguments, message):
    assert one_line(report(*arguments)) == f"mpiotrace-report: {message}"


def test_no_such_rank(archive):
    assert one_line(report("--ranks=2-5", archive)) == (
        f"mpiotrace-report: --ranks=2-5: no such rank in {archive}")


def test_nothing_is_left_in(archive):
    """No mistake: the report says so."""
    done = report("--files=*.nc", archive)
    assert (done.returncode, done.stderr) == (DONE, "")
    assert done.stdout.splitlines()[-1] == "The options leave nothing in"


# Comma-separated values


def test_csv_has_what_json_has(archive):
    document = report_json(archive)
    tables = {}
    for block in report("--csv", archive).stdout.split("\n\n"):
        name, rest = block.split("\n", 1)
        tables[name] = list(csv.DictReader(io.StringIO(rest)))
    names = "findings", "ranks", "calls", "files", "places", "accesses", "errors"
    assert list(tables) == ["# " + name for name in names]
    for name in names:
        assert len(tables["# " + name]) == len(document[name])
        for line, row in zip(tables["# " + name], document[name]):
            for key, value in flat(row):
                assert line[key] == value if isinstance(value, str) else float(line[key]) == value


def flat(row, prefix=""):
    for key, value in row.items():
        if isinstance(value, dict):
            yield from flat(value, prefix + key + "_")
        else:
            yield prefix + key, ";".join(value) if isinstance(value, list) else value


def test_csv_of_one_table(archive):
    lines = report("--csv=ranks", archive).stdout.splitlines()
    assert lines[0] == ("rank,name,run_time,io_time,time_reading,time_writing,time_flushing,"
                        "time_waiting,time_metadata,calls,reads,bytes_read,writes,bytes_written,"
                        "flushes")
    assert lines[1:] == ["0,MPI Rank 0,1,0.241,0.01,0.1,0,0,0.131,8,1,1000,2,1100,0",
                         "1,MPI Rank 1,0.1,0.03,0,0.01,0,0,0.02,3,0,0,1,100,0"]


def test_csv_quotes(tmp_path):
    job = Job()
    name = 'a,"b"\nc'
    job.define("IoRegularFile", 1, job.string(name), 0)
    job.define("IoHandle", 5, job.string("g"), 1, 0, 0, 1, NONE)
    job.main(0, 10, job.open(0, 1, 5), job.close(1, 2, 5))
    text = report("--csv=files", job.write(tmp_path / "archive")).stdout
    row, = csv.DictReader(io.StringIO(text))
    assert row["file"] == name
    assert '"a,""b""\nc",MPI-IO,' in text


# The terminal


def on_terminal(arguments, env=None, columns=None):
    """What it prints when standard output is a terminal, so many columns wide."""
    master, slave = pty.openpty()
    if columns:
        import fcntl
        import struct
        import termios
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    env = {"PATH": os.environ["PATH"], "TERM": "xterm", **(env or {})}
    process = subprocess.Popen([REPORT, *map(str, arguments)], stdout=slave, env=env)
    os.close(slave)
    text = b""
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:             # how Linux says that the other side is closed
            break
        if not chunk:
            break
        text += chunk
    os.close(master)
    assert process.wait(timeout=60) == DONE
    return text.decode().replace("\r\n", "\n")


COLOUR = re.compile("\x1b\\[[0-9;]*m")


def test_colour_on_a_terminal_only(archive):
    plain = report(archive).stdout
    coloured = on_terminal([archive])
    assert not COLOUR.search(plain)
    assert "\x1b[1mRanks\x1b[0m" in coloured and COLOUR.sub("", coloured) == plain
    assert on_terminal([archive], {"NO_COLOR": "1"}) == plain
    assert on_terminal([archive], {"TERM": "dumb"}) == plain
    assert on_terminal([archive], {"NO_COLOR": ""}) == coloured


@pytest.fixture
def long_names(tmp_path):
    job = Job()
    path = "/a/very/long/path" * 20 + "/end.dat"
    job.define("IoRegularFile", 1, job.string(path), 0)
    job.define("IoHandle", 5, job.string("x"), 1, 0, 0, 1, NONE)
    root = job.context("main")
    caller = job.context("a_function_with_a_name_" + "x" * 60, root, "/src/long.c", 1)
    inner = job.context("write_at_all", caller)
    job.on(0, 0, "CallingContextEnter", root, 2)
    job.create_at(0, 5)(0)
    job.transfer("write_at_all", 10, 20, 8, 0, handle=5, context=inner)(0)
    job.on(0, 100, "CallingContextLeave", root)
    return job.write(tmp_path / "long")


@pytest.mark.parametrize("columns", [60, 80, 132])
def test_width(long_names, columns):
    """COLUMNS wins over the terminal's own size; only a word that is longer may stand out."""
    by_size = on_terminal([long_names], {"NO_COLOR": "1"}, columns)
    by_name = on_terminal([long_names], {"NO_COLOR": "1", "COLUMNS": str(columns)}, 40)
    assert by_size == by_name == report(long_names, env={"COLUMNS": str(columns)}).stdout
    tables = [line for line in by_size.splitlines() if not re.search("/a/very|long$", line)]
    assert max(map(len, tables)) <= columns
    assert re.search(r"  \.\.\.\S*x long\.c:1  \S*e_write_at_all  ", by_size)


def test_names_stay_on_their_line(tmp_path):
    job = Job()
    job.define("IoRegularFile", 1, job.string("/tmp/a\nb\x1b[31m\x9b1m"), 0)
    job.define("IoHandle", 5, job.string("g"), 1, 0, 0, 1, NONE)
    job.main(0, 10, job.open(0, 1, 5), job.close(1, 2, 5))
    text = report(job.write(tmp_path / "archive")).stdout
    assert "  /tmp/a\\x0ab\\x1b[31m\\xc2\\x9b1m (MPI-IO)\n" in text


def test_reader_goes_away(archive):
    read, written = os.pipe()
    os.close(read)
    done = subprocess.run([REPORT, archive], stdout=written, timeout=60, stderr=subprocess.PIPE)
    os.close(written)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, b"")


@pytest.mark.parametrize("form", ["--all", "--json", "--csv"])
def test_full_disk(form, archive):
    with open("/dev/full", "w") as full:
        done = subprocess.run([REPORT, form, archive], stdout=full, stderr=subprocess.PIPE,
                              text=True, timeout=60)
    assert (done.returncode, done.stderr) == (
        UNREADABLE, "mpiotrace-report: cannot print the report: No space left on device\n")


CLOCK = """
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *time)
{
    static time_t now;
    time->tv_sec = now++;
    time->tv_nsec = 0;
    return 0;
}
"""


@pytest.mark.parametrize("is_terminal", [True, False])
def test_progress(is_terminal, archive, tmp_path):
    """With a clock by which everything takes a second: shown on a terminal, removed at the end."""
    (tmp_path / "clock.c").write_text(CLOCK)
    subprocess.run("cc -shared -fPIC -o clock.so clock.c".split(), cwd=tmp_path, check=True)
    master, slave = pty.openpty()
    other = (tmp_path / "stderr").open("w+b")
    env = {"LD_PRELOAD": str(tmp_path / "clock.so"), "TERM": "xterm"}
    done = subprocess.run([REPORT, archive], stdout=subprocess.PIPE, timeout=60, env=env,
                          stderr=slave if is_terminal else other, text=True)
    os.close(slave)
    assert done.stdout == report(archive).stdout
    if is_terminal:
        text = os.read(master, 65536).decode()
        assert re.match("\\rmpiotrace-report: 44 of 44 events, 100 %\x1b\\[K", text), repr(text)
        assert text.endswith("\r\x1b[K")
    else:
        other.seek(0)
        assert other.read() == b""
    os.close(master)


def test_help_and_version():
    assert "--ranks" in report("--help").stdout
    assert report("--version").stdout.startswith("mpiotrace ")
