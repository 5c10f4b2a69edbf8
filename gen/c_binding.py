# SPDX-License-Identifier: BSD-3-Clause
"""The C binding: one wrapper per procedure from templates/c/, and the entry points."""

import string

import model

TEMPLATES = model.GEN / "templates" / "c"
WIDTH = 100
# Wrapped by hand, in wrappers/lifecycle.c.
LIFECYCLE = ("MPI_Init", "MPI_Init_thread", "MPI_Pcontrol")


def is_access(procedure):
    return procedure.shape == "transfer"


def is_completion(procedure):
    return procedure.shape in ("complete", "request_free", "cancel")


def is_file(procedure):
    return not is_access(procedure) and not is_completion(procedure)


TOPICS = (
    ("wrappers/c_file.c", ("gen/mpi_io.spec", "gen/mpi_signatures.txt"), is_file),
    ("wrappers/c_access.c", ("gen/mpi_io.spec", "gen/mpi_signatures.txt"), is_access),
    ("wrappers/c_completion.c", ("gen/completion.spec", "gen/mpi_signatures.txt"), is_completion),
)


def wrap(line):
    """Breaks a line that is too long at the commas of its outermost parentheses."""
    if len(line) <= WIDTH:
        return line
    if line.startswith("/* "):
        return line.replace(": ", ":\n * ", 1).replace(" */", "\n */")
    if ", " not in line:
        return line.replace(" = ", " =\n" + " " * 8, 1)
    indent = line.index("(") + 1
    if ")(" in line:  # a wrapper's head, whose name stands in parentheses as well
        indent = line.index(")(") + 2
    lines, current = [], ""
    for word in line.split(", "):
        piece = word if not current else current + ", " + word
        if len(piece) > WIDTH - 1:
            lines.append(current + ",")
            piece = " " * indent + word
        current = piece
    return "\n".join(lines + [current])


def describe(procedure):
    """What the procedure is, for the comment above its wrapper."""
    if procedure.shape != "transfer":
        return f"{procedure.name}, MPI-4.1, {procedure.section}: {procedure.title}"
    kind = {"whole": "blocking", "start": "non-blocking", "begin": "begin of split",
            "end": "end of split"}[procedure.phase]
    collective = "collective " if procedure.collective == "yes" else ""
    pointer = {"explicit": "explicit offset", "individual": "individual file pointer",
               "shared": "shared file pointer"}[procedure.pointer]
    return (f"{procedure.name}, MPI-4.1, {procedure.section}: "
            f"{kind} {collective}{procedure.direction}, {pointer}")


def template_name(procedure):
    if procedure.shape == "transfer":
        return "transfer_" + procedure.phase
    if procedure.shape == "complete":
        return "complete_" + procedure.completes
    return procedure.shape if procedure.returns == "int" else procedure.shape + "_value"


def completion_values(procedure):
    """The expressions by which the completion calls differ: their arguments' names and kinds."""
    requests = procedure.parameter("request", "array_of_requests")
    count = procedure.parameter("count", "incount")
    statuses = procedure.parameter("status", "array_of_statuses")
    flag, index = procedure.parameter("flag"), procedure.parameter("index")
    if requests is None:
        return {}
    values = {
        "requests": requests.name if requests.is_address else "&" + requests.name,
        "count": count.name if count else "1",
        "indices": "index" if index else "array_of_indices",
        "flag": "mpiot_argument_flag(flag)" if flag else "true",
        "completed": "mpiot_argument_outcount(outcount)",
    }
    if index:
        values["completed"] = "mpiot_argument_has_index(index)"
        if flag:
            values["completed"] = values["flag"] + " && " + values["completed"]
    if statuses:
        values["statuses"] = statuses.name
        values["own_statuses"] = (f"mpiot_statuses(&call, {values['count']}, {statuses.name})"
                                  if statuses.array else f"mpiot_status(&call, {statuses.name})")
    return values


def wrapper(procedure):
    file = procedure.parameter_of("MPI_File")
    offset, setting = procedure.parameter("offset"), procedure.parameter("size", "flag")
    values = {
        "comment": f"/* {describe(procedure)} */",
        "name": procedure.name,
        "op": procedure.op,
        "returns": procedure.returns,
        "parameters": ", ".join(p.declaration for p in procedure.parameters),
        "arguments": ", ".join(p.name for p in procedure.parameters),
        "file": file.name if file and not file.is_address else "MPI_FILE_NULL",
        "offset": offset.name if offset else "0",
        "setting": setting.name if setting else "",
        **completion_values(procedure),
    }
    template = string.Template((TEMPLATES / (template_name(procedure) + ".c")).read_text())
    return "\n".join(map(wrap, template.substitute(values).splitlines())) + "\n"


def guarded(procedures, render, blank):
    """Renders each procedure; those that the MPI library may lack come last, under their macro."""
    pieces, current = [], None
    for procedure in sorted(procedures, key=lambda p: p.requires or ""):
        if procedure.requires != current:
            if current:
                pieces.append("#endif\n")
            if procedure.requires:
                pieces.append(f"#ifdef {procedure.requires}\n")
            current = procedure.requires
        pieces.append(render(procedure))
    if current:
        pieces.append("#endif\n")
    return blank.join(pieces)


def wrappers_c(procedures, banner_text):
    return (banner_text + '#include "record/record.h"\n'
            '#include "wrappers/wrapper.h"\n\n' + guarded(procedures, wrapper, "\n"))


def entry(name):
    return f"MPIOT_ENTRY {name}, mpiot_{name}\n"


def entry_points(procedures):
    return ("".join(map(entry, LIFECYCLE)) +
            guarded(procedures, lambda p: entry(p.name), ""))


def outputs(procedures, banner):
    return {path: wrappers_c([p for p in procedures if belongs(p)], banner(*sources))
            for path, sources, belongs in TOPICS}
