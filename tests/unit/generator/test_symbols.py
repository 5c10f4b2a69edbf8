# SPDX-License-Identifier: BSD-3-Clause
"""The library's exported names: the spec's, and all that the MPI library has for them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TRACE = ROOT / "tests" / "trace"
sys.path.insert(0, str(ROOT / "gen"))

import c_binding  # noqa: E402
import fortran_binding  # noqa: E402
import model  # noqa: E402

FORTRAN_LIBRARIES = {
    "openmpi": ("libmpi_mpifh.so", "libmpi_usempif08.so", "libmpi_usempi_ignore_tkr.so"),
    "mpich": ("libmpichfort.so",),
}


def dynamic_symbols(file, which):
    done = subprocess.run(["nm", "-D", which, str(file)], capture_output=True, text=True,
                          check=True)
    return {line.split()[-1].split("@")[0] for line in done.stdout.splitlines()}


def exported(library):
    return dynamic_symbols(library, "--defined-only")


def undefined(program):
    return dynamic_symbols(program, "--undefined-only")


def library_path(mpi, name):
    """Where the linker finds `name`."""
    done = subprocess.run([mpi.compiler(".f90"), f"-print-file-name={name}"], capture_output=True,
                          text=True, check=True)
    return Path(done.stdout.strip())


def procedures(builddir):
    """The spec's procedures, as far as the MPI library has them."""
    config = (builddir / "config.h").read_text()
    return [p for p in model.load()
            if not p.requires or re.search(rf"^#define {p.requires} 1$", config, re.M)]


def fortran_names(name, is_access):
    lower = name.lower()
    names = {lower, lower + "_", lower + "__", name.upper(), name + "_f", name + "_f08",
             lower + "_f08_"}
    return names | ({lower + "_f08ts_"} if is_access else set())


@pytest.fixture(scope="module")
def symbols(builddir):
    return exported(builddir / ".libs" / "libmpiotrace.so")


def test_exported_names_are_those_of_the_spec(symbols, builddir):
    expected = set(c_binding.LIFECYCLE)
    for name in c_binding.LIFECYCLE:
        expected |= fortran_names(name, False)
    for p in procedures(builddir):
        expected.add(p.name)
        if fortran_binding.has_fortran(p):
            expected |= fortran_names(p.name, c_binding.is_access(p))
    assert symbols == expected


def wrapped_procedure(symbol, names):
    """The longest of `names` (lower case) that a Fortran entry may be made of, or None."""
    made_of = [name for name in names if symbol.lower().startswith(name)]
    procedure = max(made_of, key=len, default="")
    rest = symbol[len(procedure):].lower()
    return procedure if re.fullmatch(r"(_|_?f|_?f08|ts|c|cdesc|large)*", rest) else None


@pytest.fixture(scope="module")
def entries(mpi, builddir):
    """The Fortran entries that the MPI library has for what we wrap, each with its procedure."""
    names = {p.name.lower() for p in procedures(builddir)} | set(map(str.lower,
                                                                     c_binding.LIFECYCLE))
    found = {symbol: wrapped_procedure(symbol, names) for name in FORTRAN_LIBRARIES[mpi.name]
             for symbol in exported(library_path(mpi, name))}
    return {symbol: procedure for symbol, procedure in found.items() if procedure}


def test_every_fortran_entry_of_the_mpi_library_is_exported(symbols, entries):
    assert len(entries) > 300
    assert sorted(set(entries) - symbols) == []


@pytest.mark.parametrize("suffix, entry", [(".f", r"mpi_\w*[^_]_"), (".f90", r"mpi_\w*[^_]_"),
                                           (".f08", r"mpi_\w+_f08(ts)?_")])
def test_every_fortran_entry_is_called(mpi, entries, suffix, entry):
    """... by a program with an expected trace, with the name that the compiler gives it."""
    called = set()
    for name in ("bindings", "ierror"):
        called |= undefined(mpi.build((TRACE / name).with_suffix(suffix)))
    there = {symbol for symbol in entries if re.fullmatch(entry, symbol)
             and (suffix == ".f08") == ("_f08" in symbol)}
    assert len(there) > 70
    assert sorted(there - called) == []


def test_no_name_of_the_profiling_interface_is_defined(symbols):
    assert not [s for s in symbols if s.lower().startswith("pmpi_")]
