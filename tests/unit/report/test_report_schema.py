# SPDX-License-Identifier: BSD-3-Clause
"""The JSON Schema of mpiotrace-report --json, to which report_json holds every document."""

import json
import re

import jsonschema
import pytest

from report_cases import SCHEMA, Job, report_json, row


@pytest.fixture
def document(tmp_path):
    job = Job()
    job.main(0, 100, job.open(0, 10), job.transfer("write_at", 10, 20, 100, 0), job.close(20, 30))
    return report_json("--ranks=0", "--files=*", "--calls=MPI_*", "--from=0.001", "--to=0.09",
                       job.write(tmp_path / "archive"))


def schema():
    return json.loads(SCHEMA.read_text())


def test_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(schema())


def test_what_is_not_as_described(document):
    validator = jsonschema.Draft202012Validator(schema())
    validator.validate({**document, "another": 1})
    for wrong in {"schema": "mpiotrace-report/2"}, {"events": -1}, {"ranks": [{"rank": 0}]}:
        assert not validator.is_valid({**document, **wrong})
    row(document["files"], file="/tmp/f.dat")["write"]["bytes"] = "100"
    assert not validator.is_valid(document)


def test_findings_are_named(srcdir):
    """In the schema, where they are made, and in the man page."""
    kinds = set(schema()["$defs"]["finding"]["properties"]["kind"]["enum"])
    source = (srcdir / "src/tools/report_findings.c").read_text()
    assert set(re.findall(r'kind = "(\w+)"', source)) == kinds
    page = (srcdir / "man/mpiotrace-report.1").read_text()
    assert kinds <= set(re.findall(r"^\.B (\w+)$", page, re.MULTILINE))
