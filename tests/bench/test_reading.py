# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark of the tools that read traces works, and they are not slow beside otf2-print."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

READING = Path(__file__).parent / "reading.py"


@pytest.mark.slow
def test_reading(builddir, mpi, tmp_path):
    """Five million events a second are about twice what otf2-print does on the same machine."""
    results = tmp_path / "reading.json"
    subprocess.run([sys.executable, "-B", READING, "--quick", "--json", results, builddir,
                    mpi.compiler()], check=True, timeout=300)
    found = {(r["case"], r["call_paths"], r["reader"]): r
             for r in json.loads(results.read_text())["results"]}
    assert len(found) == 4 * 5
    for (case, paths, reader), r in found.items():
        assert r["events"] > 200000
        if reader in ("mpiotrace-report", "mpiotrace-check"):
            assert r["per_second"] > 2 * found[case, paths, "otf2-print"]["per_second"]
