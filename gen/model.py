# SPDX-License-Identifier: BSD-3-Clause
"""The procedures to wrap: mpi_signatures.txt joined with the spec tables, and checked."""

import re
from dataclasses import dataclass
from pathlib import Path

GEN = Path(__file__).resolve().parent
SIGNATURES = GEN / "mpi_signatures.txt"
SPECS = (GEN / "mpi_io.spec", GEN / "completion.spec")
LARGE_COUNT = "HAVE_MPI_LARGE_COUNT"

DATA_ACCESS = re.compile(
    r"MPI_File_(?P<i>i?)(?P<direction>read|write)(?P<at>_at)?(?P<mode>_all|_ordered|_shared)?"
    r"(?P<half>_begin|_end)?(?P<large>_c)?$")

VALUES = {
    "shape": ("region", "open", "close", "delete", "seek", "view", "setting", "info", "sync",
              "transfer", "complete", "request_free", "cancel"),
    "direction": ("-", "read", "write", "flush"),
    "pointer": ("-", "explicit", "individual", "shared"),
    "phase": ("whole", "start", "begin", "end"),
    "completes": ("-", "all", "some"),
    "collective": ("yes", "no"),
    "waits": ("yes", "no"),
    "keeps": ("yes", "no"),
}
DEFAULTS = {"direction": "-", "pointer": "-", "phase": "whole", "completes": "-",
            "collective": "no", "waits": "no", "keeps": "no", "requires": "-"}


class SpecError(Exception):
    """Something wrong in the tables; the message names the file and the procedure."""


@dataclass(frozen=True)
class Parameter:
    type: str   # with the space or star before the name: "MPI_File ", "const void *"
    name: str
    array: str  # "[]" or ""

    @property
    def declaration(self):
        return self.type + self.name + self.array

    @property
    def is_address(self):
        return self.type.endswith("*") or bool(self.array)


@dataclass(frozen=True)
class Procedure:
    name: str
    returns: str
    parameters: tuple
    section: str   # "14.2.1"
    title: str     # "Opening a File"
    requires: str  # configure's macro, or None
    row: dict      # the spec's columns

    def __getattr__(self, column):
        try:
            return self.row[column]
        except KeyError:
            raise AttributeError(column) from None

    @property
    def op(self):
        return "MPIOT_OP_" + self.name[len("MPI_"):].upper()

    def parameter(self, *names):
        """The parameter that has one of these names, or None."""
        return next((p for p in self.parameters if p.name in names), None)

    def parameter_of(self, *types):
        """The first parameter of one of these types, qualifiers aside, or None."""
        for p in self.parameters:
            if p.type.replace("const ", "").strip(" *") in types:
                return p
        return None


def read_lines(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        text = re.sub(r"(^|\s)#(?!#).*", "", line).strip()
        if text:
            yield number, text


def read_statements(path):
    """The lines of a signature file, a prototype that is broken over several joined to one."""
    begun = ""
    for _, text in read_lines(path):
        if text.startswith(("widen ", "## ")):
            yield text
            continue
        begun = f"{begun} {text}".strip()
        if begun.endswith(";"):
            yield begun
            begun = ""


def parse_prototype(text):
    match = re.fullmatch(r"(\w+) (\w+)\((.*)\);", text)
    if not match:
        raise SpecError(f"{SIGNATURES.name}: not a prototype: {text}")
    parameters = []
    for item in match[3].split(", "):
        kind, name, array = re.fullmatch(r"(.*?[ *])(\w+)(\[\])?", item).groups()
        parameters.append(Parameter(kind, name, array or ""))
    return match[1], match[2], tuple(parameters)


def read_signatures(path=SIGNATURES):
    """Returns {name: (returns, parameters, section, title, is_large)}, in the file's order."""
    widened, found, section, title = {}, {}, "", ""
    for text in read_statements(path):
        if text.startswith("widen "):
            _, marker, small, large = text.split()
            widened[marker] = (small, large)
        elif text.startswith("## "):
            section, title = text[3:].split(" ", 1)
        else:
            returns, name, parameters = parse_prototype(text)
            for large in (False, True):
                actual = tuple(widen(p, widened, large) for p in parameters)
                if large and actual == found[name][1]:
                    continue
                found[name + "_c" * large] = (returns, actual, section, title, large)
    return found


def widen(parameter, widened, large):
    kind = re.sub(r"\b[A-Z]+\b", lambda m: widened.get(m[0], (m[0],) * 2)[large], parameter.type)
    return Parameter(kind, parameter.name, parameter.array)


def read_spec(path):
    """Yields one dict per row of a spec table."""
    columns = None
    for number, text in read_lines(path):
        fields = text.split()
        if columns is None:
            columns = fields
            continue
        if len(fields) != len(columns):
            raise SpecError(f"{path.name}:{number}: {len(fields)} columns, not {len(columns)}")
        row = dict(DEFAULTS, **dict(zip(columns, fields)))
        for column, allowed in VALUES.items():
            if row[column] not in allowed:
                raise SpecError(f"{path.name}:{number}: {column} '{row[column]}' is not one of "
                                + ", ".join(allowed))
        yield row


def load(signatures=SIGNATURES, specs=SPECS):
    """Returns the procedures in the order of the specs, each followed by its large-count form."""
    prototypes = read_signatures(signatures)
    procedures, seen = [], set()
    for path in specs:
        for row in read_spec(path):
            name = row["procedure"]
            if name not in prototypes:
                raise SpecError(f"{path.name}: {name} has no prototype in {signatures.name}")
            if name in seen:
                raise SpecError(f"{path.name}: {name} has two rows")
            for variant in (name, name + "_c"):
                if variant not in prototypes:
                    continue
                seen.add(variant)
                returns, parameters, section, title, large = prototypes[variant]
                requires = LARGE_COUNT if large else row["requires"].replace("-", "") or None
                procedures.append(Procedure(variant, returns, parameters, section, title,
                                            requires, row))
    for name in prototypes:
        if name not in seen:
            raise SpecError(f"{signatures.name}: {name} has no row in a spec")
    for procedure in procedures:
        check_grammar(procedure)
    return procedures


def check_grammar(procedure):
    """Data access procedures say in their names what their columns say."""
    match = DATA_ACCESS.fullmatch(procedure.name)
    if not match:
        if procedure.shape == "transfer":
            raise SpecError(f"{procedure.name}: a transfer, but not named like one")
        return
    mode = match["mode"]
    expected = {
        "shape": "transfer",
        "direction": match["direction"],
        "pointer": "explicit" if match["at"] else
                   "shared" if mode in ("_ordered", "_shared") else "individual",
        "phase": (match["half"] or "")[1:] or ("start" if match["i"] else "whole"),
        "collective": "yes" if mode in ("_all", "_ordered") else "no",
    }
    for column, value in expected.items():
        if procedure.row[column] != value:
            raise SpecError(f"{procedure.name}: {column} is '{procedure.row[column]}', "
                            f"its name says '{value}'")
