# SPDX-License-Identifier: BSD-3-Clause
"""The clock of event records (src/trace/clock.h)."""

import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SLEWED = 1000  # ns that a clock may be off a millisecond after a look at it


@pytest.fixture(scope="module")
def figures(srcdir, tmp_path_factory):
    program = tmp_path_factory.mktemp("clock") / "accuracy"
    subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{srcdir}/src",
                    HERE / "accuracy.c", srcdir / "src/trace/clock.c", "-o", program], check=True)
    done = subprocess.run([program], check=True, capture_output=True, text=True)
    return [int(word) for word in done.stdout.split()]


def test_follows_the_systems_clock(figures):
    """Between looks, too, it is the time of CLOCK_MONOTONIC."""
    _, worst, _ = figures
    assert worst < SLEWED


def test_never_goes_back(figures):
    """Records of a location are in the order of their times (OTF2_EvtWriter.h)."""
    _, _, backwards = figures
    assert backwards == 0


def test_looks_rarely(figures):
    """Where the processor's counter can be trusted, it is what is read."""
    percent, _, _ = figures
    assert percent >= 90
