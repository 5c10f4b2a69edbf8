# SPDX-License-Identifier: BSD-3-Clause
"""mpiotrace-report on archives that it cannot read, or in which there is no I/O."""

import json
import os
import shutil
from random import Random

import pytest

from report_cases import DONE, NOTHING, UNREADABLE, Job, one_line, report


@pytest.fixture
def archive(tmp_path):
    job = Job()
    for rank in 0, 1:
        job.main(0, 100, job.open(0, 10), job.transfer("write_at", 10, 20, 100, 100 * rank),
                 job.close(20, 30), at=rank)
    return job.write(tmp_path / "archive")


def remove(file):
    def damage(archive):
        (archive / file).unlink()
    return damage


def cut(file, length):
    def damage(archive):
        os.truncate(archive / file, length)
    return damage


def write(file, content):
    def damage(archive):
        (archive / file).write_bytes(content)
    return damage


def directory(file):
    def damage(archive):
        (archive / file).unlink()
        (archive / file).mkdir()
    return damage


def remove_all(archive):
    shutil.rmtree(archive)


def empty(archive):
    shutil.rmtree(archive)
    archive.mkdir()


BAD = {                             # what is wrong: what the line says after the archive's path
    "no directory": (remove_all, ": No such file or directory"),
    "empty directory": (empty, "/traces.otf2: No such file or directory"),
    "no anchor": (remove("traces.otf2"), "/traces.otf2: No such file or directory"),
    "no anchor's content": (write("traces.otf2", b""), "/traces.otf2: not an OTF2 archive: "),
    "no archive": (write("traces.otf2", b"hello"), "/traces.otf2: not an OTF2 archive: "),
    "cut anchor": (cut("traces.otf2", 20), "/traces.otf2: not an OTF2 archive: "),
    "anchor is a directory": (directory("traces.otf2"), "/traces.otf2: not an OTF2 archive: "),
    "no definitions": (remove("traces.def"), "/traces.otf2: cannot read the definitions: "),
    "empty definitions": (write("traces.def", b""), "/traces.otf2: cannot read the definitions: "),
    "cut definitions": (cut("traces.def", 300), "/traces.otf2: cannot read the definitions: "),
    "definitions are a directory": (directory("traces.def"),
                                    "/traces.otf2: cannot read the definitions: "),
    "no directory of events": (lambda archive: shutil.rmtree(archive / "traces"),
                               "/traces.otf2: cannot read the events of location 0: "),
    "no events": (remove("traces/1.evt"), "/traces.otf2: cannot read the events of location 1: "),
    "empty events": (write("traces/1.evt", b""),
                     "/traces.otf2: cannot read the events of location 1: "),
    "cut events": (cut("traces/1.evt", 100),
                   "/traces.otf2: cannot read the events of location 1: "),
    "events are a directory": (directory("traces/1.evt"),
                               "/traces.otf2: cannot read the events of location 1: "),
}


@pytest.mark.parametrize("wrong", BAD)
def test_bad_archive(wrong, archive, tmp_path):
    """One line names what is wrong, and nothing is printed of what could be read before."""
    damage, says = BAD[wrong]
    damage(archive)
    page = tmp_path / "page.html"
    for form in "--all", "--json", "--csv", f"--html={page}", "--files=*":
        assert one_line(report(form, archive)).startswith(f"mpiotrace-report: {archive}{says}")
    assert not page.exists()


@pytest.mark.parametrize("name", ["traces.def", "traces/0.evt", "traces"])
def test_something_else_of_the_archive(name, archive):
    assert f"{archive}/{name}" in one_line(report(archive / name))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["traces.def", "traces/0.def", "traces/0.evt"])
def test_damage_is_survived(name, archive):
    """Whatever a byte of an archive is changed to, the answer is a report or one line, promptly."""
    file = archive / name
    content = file.read_bytes()
    random = Random(1)
    for position in range(len(content.rstrip(b"\0"))):
        damaged = bytearray(content)
        damaged[position] = random.choice([0, 1, 0x7f, 0xff, random.randrange(256)])
        file.write_bytes(damaged)
        done = report("--json", archive)
        if done.returncode == DONE:
            assert json.loads(done.stdout) and not done.stderr
        else:
            one_line(done, done.returncode)
            assert done.returncode in (NOTHING, UNREADABLE)


def test_no_io_records(tmp_path):
    job = Job()
    job.main(0, 10)
    archive = job.write(tmp_path / "archive")
    page = tmp_path / "page.html"
    for form in "--json", "--csv", "--ranks=0", f"--html={page}":
        assert one_line(report(form, archive), NOTHING) == (
            f"mpiotrace-report: {archive}: no I/O records")


def test_no_processes(tmp_path):
    """An archive without any location: OTF2 would take none for all."""
    job = Job()
    job.definitions = [d for d in job.definitions if d[0] not in ("Location", "LocationGroup")]
    archive = job.write(tmp_path / "archive")
    assert one_line(report(archive), NOTHING).endswith("no I/O records")
