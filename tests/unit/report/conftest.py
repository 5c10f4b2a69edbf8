# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of mpiotrace-report share."""

import pytest

from report_cases import Job, check_json, report_json


@pytest.fixture
def job(tmp_path):
    """A Job, with `read()` for the report on it."""
    job = Job()

    def read(*options, clean=True):
        archive = job.write(tmp_path / "archive")
        if clean:
            check_json(archive)
        return report_json(*options, archive)
    job.read = read
    return job
