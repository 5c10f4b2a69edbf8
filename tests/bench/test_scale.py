# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark of starts and ends of runs works, and memory does not grow with the ranks."""

import json
import subprocess
import sys
from pathlib import Path

SCALE = Path(__file__).parent / "scale.py"


def test_scale(builddir, mpi, tmp_path):
    """All cases, with few ranks; times are not looked at."""
    results = tmp_path / "scale.json"
    subprocess.run(["make", "-s", "-C", builddir, "unify-bench"], check=True, timeout=120)
    subprocess.run([sys.executable, "-B", SCALE, "--quick", "--json", results, builddir,
                    mpi.compiler(), mpi.launch(1)[0]], check=True, timeout=120)
    found = json.loads(results.read_text())
    unified = {(r["case"], r["ranks"]): r for r in found["unification"]}
    assert set(unified) == {(case, ranks) for case in ("equal", "file", "communicators")
                            for ranks in (1, 16, 64)}
    assert [r["traced"] for r in found["real"]] == [False, True]

    # Equal definitions: one table and one received, whatever the number of ranks (design, 7).
    for peak in ("root_peak", "peak"):
        assert unified["equal", 64][peak] == unified["equal", 16][peak]
    # A file per rank is a name, a path, a file and a handle.
    assert (unified["file", 64]["definitions"] - unified["file", 16]["definitions"]) == 4 * 48
