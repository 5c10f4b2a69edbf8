# SPDX-License-Identifier: BSD-3-Clause
"""The Fortran bindings: one wrapper per procedure from templates/fortran/, in C."""

import string

import c_binding
import model

TEMPLATES = model.GEN / "templates" / "fortran"
TOPICS = (
    ("wrappers/fortran_file.h", ("gen/mpi_io.spec", "gen/mpi_signatures.txt"), c_binding.is_file),
    ("wrappers/fortran_access.h", ("gen/mpi_io.spec", "gen/mpi_signatures.txt"),
     c_binding.is_access),
    ("wrappers/fortran_completion.h", ("gen/completion.spec", "gen/mpi_signatures.txt"),
     c_binding.is_completion),
)
# Types that keep their kind in Fortran; every other argument is an INTEGER or a LOGICAL.
KEPT = ("void", "char", "MPI_Offset", "MPI_Aint", "MPI_Count")


def has_fortran(procedure):
    """Fortran has nothing to convert; large counts are no entries of their own in MPI-4.0's."""
    return procedure.returns == "int" and procedure.requires != model.LARGE_COUNT


def parameter_type(parameter):
    plain = parameter.type.replace("const ", "").strip(" *")
    if plain.endswith("_function"):
        return plain + " *"
    return (plain if plain in KEPT else "MPI_Fint") + " *"


def lengths(procedure):
    """The lengths of the strings, which follow ierror."""
    return [p.name + "_length" for p in procedure.parameters if "char" in p.type]


def completion_values(procedure):
    index, flag = procedure.parameter("index"), procedure.parameter("flag")
    count = procedure.parameter("count", "incount")
    requests = procedure.parameter("request", "array_of_requests")
    statuses = procedure.parameter("status", "array_of_statuses")
    completed = "*outcount"
    if index:
        completed = "*index != MPI_UNDEFINED"
        if flag:
            completed = "*flag && " + completed
    return {
        "count": "*count" if count and count.name == "count" else "*incount" if count else "1",
        "requests": requests.name if requests else "",
        "statuses": statuses.name if statuses else "",
        "flag": "*flag" if flag else "true",
        "completed": completed,
        "indices": "index" if index else "array_of_indices",
    }


def wrapper(procedure):
    file = procedure.parameter_of("MPI_File")
    names = [p.name for p in procedure.parameters]
    parameters = [parameter_type(p) + p.name for p in procedure.parameters]
    parameters += ["MPI_Fint *ierror"] + ["size_t " + name for name in lengths(procedure)]
    values = {
        "comment": f"/* {c_binding.describe(procedure)} */",
        "name": procedure.name,
        "op": procedure.op,
        "parameters": ", ".join(parameters),
        "arguments": ", ".join(names + ["error"] + lengths(procedure)),
        "plain_arguments": ", ".join(names + ["ierror"] + lengths(procedure)),
        "file": f"PMPI_File_f2c(*{file.name})" if file else "MPI_FILE_NULL",
        "offset": "*offset" if procedure.parameter("offset") else "0",
        "setting": "*flag != 0" if procedure.parameter("flag") else "*size",
        **completion_values(procedure),
    }
    path = TEMPLATES / (c_binding.template_name(procedure) + ".c")
    template = string.Template(path.read_text())
    return "\n".join(map(c_binding.wrap, template.substitute(values).splitlines())) + "\n"


def entries(name, passes_buffer):
    """The entry points of one procedure: every mangling, and both libraries' names for mpi_f08."""
    lower = name.lower()
    f08ts = f"MPIOT_ENTRY {lower}_f08ts_, mpiot_f08ts_{name}\n" if passes_buffer else ""
    return (f"MPIOT_ENTRIES_FORTRAN {name}, {lower}\n"
            f"MPIOT_ENTRY {name.upper()}, mpiot_mpifh_{name}\n" + f08ts)


def entry_points(procedures):
    return ("".join(entries(name, False) for name in c_binding.LIFECYCLE) +
            c_binding.guarded([p for p in procedures if has_fortran(p)],
                              lambda p: entries(p.name, c_binding.is_access(p)), ""))


def alias(procedure):
    name = procedure.name
    return c_binding.wrap(f"MPIOT_FORTRAN_NAMES({name}, {name.lower()}, {name.upper()})") + "\n"


def topic(procedures, banner_text):
    return (banner_text + "/* Included once per binding: see wrappers/fortran.h. */\n\n" +
            c_binding.guarded(procedures, wrapper, "\n") +
            "\n#ifndef MPIOT_HAVE_ENTRY_STUBS\n" + c_binding.guarded(procedures, alias, "") +
            "#endif\n")


def outputs(procedures, banner):
    return {path: topic([p for p in procedures if belongs(p) and has_fortran(p)], banner(*sources))
            for path, sources, belongs in TOPICS}
