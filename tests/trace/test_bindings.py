# SPDX-License-Identifier: BSD-3-Clause
"""
Every procedure in Fortran in other ways than the compiler and bindings.inc have it. The program is
bindings.f, .f90 or .f08, with the statements of bindings.inc changed; it must leave the trace of
bindings.expected, and see the same as untraced.
"""

import re
import subprocess
from pathlib import Path

import pytest

from harness.expected import Expected
from harness.mpi import COMPILERS
from harness.tracing import check_trace

HERE = Path(__file__).parent
FORTRAN = [suffix for suffix, compiler in COMPILERS.items() if compiler == "mpifort"]
CALL = re.compile(r"^      call (MPI_(?!Finalize)\w+)\((([^()]|\([^()]*\))*, )?e\)$", re.MULTILINE)

# What a call does to ierror and to a status. Of what is in a status, only the count is MPI's word.
TELL = """
      subroutine preset
      e = -77
      st = transfer(spread(-77, 1, MPI_STATUS_SIZE), st)
      end subroutine

      subroutine tell(what)
      character(len=*), intent(in) :: what
      integer :: code, length, ignored
      code = e
      length = -77
      if (e .ne. -77) call MPI_Error_class(e, code, ignored)
      if (any(transfer(st, (/ 0 /)) .ne. -77)) call MPI_Get_count(st, MPI_INTEGER, length, ignored)
      print *, what, code, length
      end subroutine
"""


def sentinels(statements):
    """Before each call ierror and the status are set, after it they are printed."""
    return CALL.sub(r"      call preset\n\g<0>\n      call tell('\1')", statements) + TELL


def without_ierror(statements):
    return (statements.replace("call MPI_Init(e)", "call MPI_Init()\n      e = MPI_SUCCESS")
            .replace("call MPI_Finalize(e)", "call MPI_Finalize()")
            .replace(", e)", ")"))


def ignored_statuses(statements):
    """No call has a status; but in Open MPI 4 get_status says no then."""
    statements = re.sub(r"(?m)^      call bytes\(.*\n", "", statements)
    statements = statements.replace(", sts, e)", ", MPI_STATUSES_IGNORE, e)")
    return re.sub(r"(get_status.*)?, st, e\)",
                  lambda m: m[0] if m[1] else ", MPI_STATUS_IGNORE, e)", statements)


def many_requests(statements):
    """More than the recorder has room for on the stack."""
    return re.sub(r"(all|any|some)\(3, r", r"\1(100, r", statements)


def more_room(program):
    return (program.replace("r(3)", "r(100)").replace("i(3)", "i(100)")
            .replace("sts(3)", "sts(100)").replace("SIZE, 3)", "SIZE, 100)"))


def write(mpi, suffix, name, statements, program):
    """The program with other statements, where the next run of this test finds it built."""
    directory = mpi.cache / "changed" / name
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "bindings.inc").write_text(statements)
    source = directory / f"bindings{suffix}"
    source.write_text(program)
    return source


def check(program, tracer, tmp_path):
    check_trace(program, Expected(HERE / "bindings.expected", tracer.mpi.name), tracer, tmp_path)


@pytest.mark.parametrize("suffix, change", [
    *((suffix, change) for suffix in FORTRAN
      for change in (sentinels, ignored_statuses, many_requests)),
    (".f08", without_ierror)])
def test_changed(suffix, change, tracer, mpi, tmp_path):
    statements = (HERE / "bindings.inc").read_text().replace("&\n     &", "")
    changed = change(statements)
    assert changed != statements
    program = (HERE / f"bindings{suffix}").read_text()
    if change is many_requests:
        program = more_room(program)
    source = write(mpi, suffix, change.__name__, changed, program)
    flags = ["-ffixed-line-length-none"] if suffix == ".f" else []
    check(mpi.build(source, flags), tracer, tmp_path)


@pytest.mark.parametrize("mangled", [
    pytest.param("{lower}", id="mpi_x"), pytest.param("{lower}__", id="mpi_x__"),
    pytest.param("{upper}", id="MPI_X")])
def test_mangled(mangled, tracer, mpi, tmp_path):
    """Other compilers than gfortran make other names of the procedures: the same wrappers."""
    check(build_mangled(mpi, mangled, tmp_path), tracer, tmp_path)


def build_mangled(mpi, mangled, tmp_path):
    """bindings.f with the procedures' names as another compiler makes them."""
    compiler, compiled, program = mpi.compiler(".f"), tmp_path / "bindings.o", tmp_path / "bindings"
    command("", compiler, "-g", "-c", HERE / "bindings.f", "-o", compiled)
    names = re.findall(r"\bU (mpi_\w+)_$", command("", "nm", compiled), re.MULTILINE)
    assert len(names) > 70
    renamed = "".join(f"{name}_ {mangled.format(lower=name, upper=name.upper())}\n"
                      for name in names)
    command(renamed, "objcopy", "--redefine-syms=/dev/stdin", compiled)
    command("", compiler, compiled, "-o", program)
    return program


def command(stdin, *words):
    done = subprocess.run(list(map(str, words)), input=stdin, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
