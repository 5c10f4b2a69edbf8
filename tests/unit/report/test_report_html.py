# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-report --html: what the page holds, on archives whose content is known."""

import json
import os
import re
import stat

import pytest

from harness.example import NONE, THREAD

from report_cases import DONE, UNREADABLE, Job, check_json, report, report_json

MEGABYTE = 1 << 20


def read_page(path):
    """The data of a page."""
    data, = re.findall(r'<script type="application/json" id="data">(.*?)</script>',
                       path.read_text(), flags=re.S)
    return json.loads(data)


def write_page(archive, page, *options):
    done = report(f"--html={page}", *options, archive)
    assert (done.returncode, done.stderr) == (DONE, "")
    return read_page(page)


@pytest.fixture
def job(tmp_path):
    """A Job, with `page()` for the data of its page."""
    job = Job()

    def page(*options):
        archive = job.write(tmp_path / "archive")
        check_json(archive)
        return write_page(archive, tmp_path / "page.html", *options)
    job.page = page
    return job


def spans(page, lane=0):
    """A lane's spans as rows: (begin, end, call, file, calls, bytes, offset)."""
    columns = page["timeline"]["lanes"][lane]
    rows, begin = [], 0
    for i, since in enumerate(columns["begin"]):
        begin += since
        rows.append((begin, begin + columns["length"][i], page["call_names"][columns["call"][i]],
                     page["file_names"].get(str(columns["file"][i])), columns["calls"][i],
                     columns["bytes"][i], columns["offset"][i]))
    return rows


def cells(columns):
    """Those of a map: (begin, end, lowest and highest offset, bytes, operations, rank, writes)."""
    return [(begin, begin + length, low, low + high, *rest) for begin, length, low, high, *rest in
            zip(*(columns[name] for name in ("begin", "length", "low", "high", "bytes",
                                             "operations", "rank", "writes")))]


def test_timeline(job):
    """Every call, with its file, bytes, and offset, those of I/O libraries within it not twice."""
    job.main(0, 1000, job.open(0, 100), job.transfer("write_at", 100, 300, 4096, 8192),
             job.call("write_all", 400, 500, job.transfer("write", 410, 490, 10, 0)),
             job.close(950, 960))
    job.main(100, 500, job.open(100, 110), job.close(110, 120), at=1)
    page = job.page()
    assert spans(page) == [
        (0, 100, "MPI_File_open", "/tmp/f.dat", 1, 0, -1),
        (100, 300, "MPI_File_write_at", "/tmp/f.dat", 1, 4096, 8192),
        (400, 500, "MPI_File_write_all", None, 1, 0, -1),
        (950, 960, "MPI_File_close", "/tmp/f.dat", 1, 0, -1)]
    assert spans(page, 2) == [
        (100, 110, "MPI_File_open", "/tmp/f.dat", 1, 0, -1),
        (110, 120, "MPI_File_close", "/tmp/f.dat", 1, 0, -1)]
    assert [(lane["rank"], lane["thread"]) for lane in page["timeline"]["lanes"]] == [
        (0, 0), (0, 1), (1, 0)]
    assert page["clock"] == {"resolution": 1000, "begin": 0, "end": 1000}
    assert page["timeline"]["merged"] is False and page["timeline"]["step"] == 1


def test_timeline_of_non_blocking_calls(job):
    """The call that begins an operation has the bytes asked for, the wait those transferred."""
    start = job.start("iwrite_at", 100, 110, 4096, 0)
    wait = job.wait(200, 300, job.matching_id, 4000)
    job.main(0, 1000, job.open(0, 100), start, wait, job.close(900, 910))
    assert spans(job.page())[1:3] == [
        (100, 110, "MPI_File_iwrite_at", "/tmp/f.dat", 1, 4096, 0),
        (200, 300, "MPI_Wait", "/tmp/f.dat", 1, 4000, -1)]


def test_timeline_of_threads(job):
    job.main(0, 100, job.open(0, 10), job.close(95, 97))
    job.call("main", 0, 100, job.transfer("write_at", 30, 40, 8, 16))(THREAD)
    page = job.page()
    assert [(lane["rank"], lane["thread"], len(lane["call"]))
            for lane in page["timeline"]["lanes"]] == [(0, 0, 2), (0, 1, 1), (1, 0, 0)]


def test_timeline_has_call_paths(job, tmp_path):
    """Who calls the call, outermost first; a call of which the archive says nothing has none."""
    root = job.context("main", None, "/src/main.c", 10)
    solve = job.context("Solve", root, "/src/solve.c", 212)
    call = job.context("write_at", solve)
    job.on(0, 0, "CallingContextEnter", root, 2)
    job.transfer("write_at", 20, 30, 8, 0, context=call)(0)
    job.call("MPI_Wait", 30, 40, job.started(30, 8, 0), job.ended(40, 8))(0)
    job.on(0, 100, "CallingContextLeave", root)
    page = write_page(job.write(tmp_path / "archive"), tmp_path / "page.html")
    assert page["timeline"]["paths"] == ["main main.c:10 > Solve solve.c:212"]
    assert page["timeline"]["lanes"][0]["path"] == [0, -1]


def test_short_calls_merge_and_long_ones_stay(job):
    """More calls than fit: none of them, nor a byte, is lost, and a long one keeps its times."""
    count = 21000
    short = [job.transfer("write_at", 20 * i, 20 * i + 3, 8, 8 * i) for i in range(1, count)]
    short[count // 2:count // 2] = [job.call(
        "write_all", 20 * (count // 2) + 4, 20 * (count // 2) + 19)]
    job.main(0, 20 * count + 20000, job.open(0, 10), *short,
             job.transfer("read_at", 20 * count, 20 * count + 10000, 8, 0),
             job.close(20 * count + 10000, 20 * count + 20000))
    page = job.page()
    rows = spans(page)
    assert page["timeline"]["merged"] is True
    assert len(rows) <= 10000           # a third of what the page has room for: three threads
    assert sum(row[4] for row in rows) == count + 3
    assert sum(row[5] for row in rows) == 8 * count
    assert rows[-2:] == [
        (420000, 430000, "MPI_File_read_at", "/tmp/f.dat", 1, 8, 0),
        (430000, 440000, "MPI_File_close", "/tmp/f.dat", 1, 0, -1)]
    assert all(a[0] <= b[0] for a, b in zip(rows, rows[1:]))


def test_map(job):
    job.main(0, 1000, job.open(0, 10), job.transfer("write_at", 10, 20, 100, 0),
             job.transfer("read_at", 500, 600, 50, 1000, result=40), job.close(900, 910))
    job.main(0, 1000, job.open(0, 10), job.transfer("write_at", 10, 30, 100, 100),
             job.call("write_at", 40, 50), job.close(900, 910), at=1)
    page = job.page()
    only, = page["maps"]
    assert page["file_names"][str(only["file"])] == "/tmp/f.dat"
    assert sorted(cells(only)) == [(10, 20, 0, 100, 100, 1, 0, 1), (10, 30, 100, 200, 100, 1, 1, 1),
                                   (500, 600, 1000, 1040, 40, 1, 0, 0)]
    assert page["left_out"]["maps"] == 0


def test_map_merges(job):
    """More operations than fit: none of them, nor a byte, is lost."""
    count = 13000
    job.main(0, 10**6, job.open(0, 10), *(
        job.transfer("write_at", 20 + 30 * i, 40 + 30 * i, 8, 4096 * (i * 7919 % count))
        for i in range(count)), job.close(10**6 - 10, 10**6 - 1))
    only, = job.page()["maps"]
    rows = cells(only)
    assert len(rows) <= 6000
    assert sum(row[5] for row in rows) == count and sum(row[4] for row in rows) == 8 * count
    assert min(row[2] for row in rows) == 0
    assert max(row[3] for row in rows) == 4096 * (count - 1) + 8


def test_maps_of_the_files_with_most_bytes(job):
    """Of very many files, those with most bytes have a map, and the page says how many do not."""
    parts = []
    for number in range(600):
        job.define("IoRegularFile", 1 + number, job.string(f"/data/{number}"), 0)
        job.define("IoHandle", 5 + number, job.string(f"{number}"), 1 + number, 0, 0, 1, NONE)
        size = 10**6 if number % 100 == 7 else 100 + number
        at = 10 * number
        parts += [job.open(at, at + 1, 5 + number),
                  job.transfer("write_at", at + 1, at + 2, size, 0, handle=5 + number),
                  job.close(at + 3, at + 4, 5 + number)]
    job.main(0, 7000, *parts)
    page = job.page()
    names = [page["file_names"][str(one["file"])] for one in page["maps"]]
    assert names[:6] == [f"/data/{number}" for number in range(7, 600, 100)]
    assert names[6:] == [f"/data/{number}" for number in range(599, 565, -1)]
    assert page["left_out"]["maps"] == 560
    assert [len(one["rank"]) for one in page["maps"]] == [1] * 40


def test_bandwidth(job):
    """Bytes per second, of all ranks; the bytes of an operation are spread over its time."""
    job.clock(1000, 0, 2000)
    job.main(0, 2000, job.open(0, 10), job.transfer("write_at", 100, 200, 1000, 0),
             job.close(1900, 1910))
    job.call("main", 0, 2000, job.transfer("read_at", 150, 160, 70, 0))(THREAD)
    job.main(0, 2000, job.open(0, 10), job.transfer("write_at", 150, 250, 500, 1000),
             job.close(1900, 1910), at=1)
    bandwidth = job.page()["bandwidth"]
    assert (bandwidth["begin"], bandwidth["length"]) == (0, 2000)
    write, read = bandwidth["write"], bandwidth["read"]
    assert write == [0] * 100 + [10000] * 50 + [15000] * 50 + [5000] * 50 + [0] * 1750
    assert read == [0] * 150 + [7000] * 10 + [0] * 1840


def test_tables_are_those_of_the_report(job, tmp_path):
    """Fields that are 0 or empty are left out, nothing else differs."""
    job.main(0, 1000, job.open(0, 10), job.transfer("write_at", 10, 20, 100, 0),
             job.transfer("read_at", 500, 600, 50, 1000), job.close(900, 910))
    page = job.page("--ranks=0")
    whole = report_json("--ranks=0", tmp_path / "archive")
    assert page["report"] == {name: [without_zeros(row) for row in value]
                              if isinstance(value, list) and value and isinstance(value[0], dict)
                              else value for name, value in whole.items()}
    assert page["report"]["filters"] == {"ranks": "0"}


def without_zeros(value):
    if isinstance(value, dict):
        return {k: without_zeros(v) for k, v in value.items() if v not in (0, "")}
    return value


def test_filters(job):
    """Time begins and ends where --from and --to say."""
    job.main(0, 1000, job.open(0, 10), job.transfer("write_at", 10, 20, 100, 0),
             job.transfer("read_at", 500, 600, 50, 1000), job.close(900, 910))
    page = job.page("--from=0.4", "--to=0.55")
    assert page["clock"] == {"resolution": 1000, "begin": 400, "end": 550}
    assert spans(page) == [(500, 550, "MPI_File_read_at", "/tmp/f.dat", 1, 50, 1000)]
    assert cells(page["maps"][0]) == [(500, 600, 1000, 1050, 50, 1, 0, 0)]


def test_page_is_small(job, tmp_path):
    """Of 2 threads with 24000 calls on 50 files."""
    for number in range(50):
        job.define("IoRegularFile", 1 + number, job.string(f"/data/{number}"), 0)
        job.define("IoHandle", 5 + number, job.string(f"{number}"), 1 + number, 0, 0, 1, NONE)
    for at in 0, 1:
        handles = [5 + i for i in range(50)]
        job.main(0, 10**6, *(job.open(i, i + 1, h) for i, h in enumerate(handles)), *(
            job.transfer("write_at", 100 + 30 * i, 120 + 30 * i, 8 + i % 1000, 4096 * (i * 7919),
                         handle=handles[i % 50]) for i in range(12000)),
            *(job.close(910000 + i, 910001 + i, h) for i, h in enumerate(handles)), at=at)
    job.page()
    assert (tmp_path / "page.html").stat().st_size < 4 * MEGABYTE


def test_needs_no_network(job, tmp_path):
    """Nothing in it refers to elsewhere, whatever a name in the trace says."""
    job.define("IoRegularFile", 1, job.string("</script><img src=http://a.b/c>"), 0)
    job.define("IoHandle", 5, job.string("x"), 1, 0, 0, 1, NONE)
    job.main(0, 10, job.open(0, 1), job.close(1, 2), job.open(2, 3, 5), job.close(3, 4, 5))
    page = job.page()
    assert "</script><img src=http://a.b/c>" in [f["file"] for f in page["report"]["files"]]
    text = (tmp_path / "page.html").read_text()
    assert "<img" not in text
    assert not re.findall(r"<(?:script|link|iframe|img)[^>]*\b(?:src|href)=", text)
    assert not re.findall(r"url\(|@import|fetch\(|XMLHttpRequest|sendBeacon|WebSocket", text)
    assert "default-src 'none'" in text
    assert "Permission is hereby granted" in text       # uPlot's licence


def test_text_is_printed_as_well(tmp_path):
    job = Job()
    job.main(0, 10, job.open(0, 1), job.close(1, 2))
    archive = job.write(tmp_path / "archive")
    assert report(f"--html={tmp_path}/page.html", archive).stdout == report(archive).stdout


def test_unwritable(tmp_path):
    job = Job()
    job.main(0, 10, job.open(0, 1), job.close(1, 2))
    archive = job.write(tmp_path / "archive")
    page = tmp_path / "missing" / "page.html"
    done = report(f"--html={page}", archive)
    assert (done.returncode, done.stdout) == (UNREADABLE, "")
    assert done.stderr == f"mpiotrace-report: --html={page}: No such file or directory\n"


def test_full_disk_leaves_the_page_that_was_there(tmp_path):
    """Nor anything beside it; a special file is written to, not replaced."""
    job = Job()
    job.main(0, 10, job.open(0, 1), job.close(1, 2))
    archive = job.write(tmp_path / "archive")
    done = report("--html=/dev/full", archive)
    assert (done.returncode, done.stdout) == (UNREADABLE, "")
    assert done.stderr == "mpiotrace-report: --html=/dev/full: No space left on device\n"
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)
    (tmp_path / "page.html").mkdir()
    (tmp_path / "page.html" / "kept").touch()
    done = report(f"--html={tmp_path}/page.html", archive)
    assert done.returncode == UNREADABLE and "Is a directory" in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["archive", "page.html"]
