# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark runs, and the trace does not grow beyond what OTF2's own records need."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parent / "bench.py"

# Design, section 9: bytes of trace per blocking call with its offset.
MOST_BYTES = {("write_at", False): 60, ("write_at_large", False): 66, ("write_at", True): 72,
              ("write_at_large", True): 72, ("read", False): 60, ("write_at_all", False): 60}


@pytest.mark.slow
def test_bench(builddir, mpi, tmp_path):
    """All cases, with few calls each; times are not looked at."""
    results = tmp_path / "bench.json"
    subprocess.run([sys.executable, "-B", BENCH, "--quick", "--json", results, builddir,
                    mpi.compiler()], check=True, timeout=300)
    found = {(r["case"], r["call_paths"]): r for r in json.loads(results.read_text())["results"]}
    assert len(found) == 2 * 14
    for key, most in MOST_BYTES.items():
        assert found[key]["bytes"] <= most, key
