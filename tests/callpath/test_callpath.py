# SPDX-License-Identifier: BSD-3-Clause
"""
Call paths: function, file and line of every call between the program's start and an MPI procedure
(design, section 4, "Call path"). A path is written

    main@main_leaf > leaf@leaf > MPI_File_write_at

where @name is a comment on the line of the call.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
WRITE = "MPI_File_write_at"


def marks_of(source):
    """(file name, line) -> name, of the @name comments."""
    return {(source.name, number): match[1]
            for number, line in enumerate(source.read_text().splitlines(), 1)
            if (match := re.search(r"(?:/\*|//|!) @(\w+)", line))}


def node(context, marks):
    where = context.source_code_location
    if where is None:
        return context.region.name
    place = Path(where.file).name, where.line_number
    return f"{context.region.name}@{marks.get(place, place)}"


def path_of(context, marks):
    nodes = []
    while context.parent:
        nodes.insert(0, node(context, marks))
        context = context.parent
    return " > ".join(nodes)


def entered(archive, *sources):
    """The paths of all regions but the program's, by (rank, thread), in order."""
    marks = {}
    for source in sources:
        marks.update(marks_of(HERE / source))
    return {place: [path_of(event.calling_context, marks) for event in events
                    if type(event).__name__ == "CallingContextEnter"][1:]
            for place, events in archive.events.items()}


@pytest.fixture(scope="session")
def plugin(tmp_path_factory):
    target = tmp_path_factory.mktemp("plugin") / "plugin.so"
    subprocess.run(["gcc", "-g", "-O1", "-shared", "-fPIC", HERE / "plugin.c", "-o", target],
                   check=True)
    return target


def run(tracer, mpi, tmp_path, name, flags=(), ranks=1, env=None, args=(), libs=()):
    program = mpi.build(HERE / name, flags, libs)
    done = tracer.run(program, ranks, tmp_path, env, args)
    assert done.returncode == 0 and not done.stderr, str(done)
    return tracer.read(tmp_path)


OF_PATHS = [
    "main@open > MPI_File_open",
    f"main@main_leaf > leaf@leaf > {WRITE}",
    "main@main_recurse > recurse@deeper > recurse@deeper > recurse@bottom > leaf@leaf > " + WRITE,
    f"main@main_pointer > through_pointer@pointer > leaf@leaf > {WRITE}",
    "main@main_sort > by_the_c_library@sort > LIBC > compare@compare > leaf@leaf > " + WRITE,
    f"main@main_plugin > in_a_plugin@plugin > plugin_enter@enter > leaf@leaf > {WRITE}",
    "main@main_handler > in_a_handler@create > MPI_File_create_errhandler",
    "main@main_handler > in_a_handler@set > MPI_File_set_errhandler",
    "main@main_handler > in_a_handler@failing > MPI_File_call_errhandler",
    "main@main_handler > in_a_handler@failing > MPI_File_call_errhandler > handler@handler > "
    f"leaf@leaf > {WRITE}",
    "main@close > MPI_File_close",
]


def without_libc(path):
    """What the C library calls its functions between ours is its own business."""
    return re.sub(r"by_the_c_library@sort > .* > compare",
                  "by_the_c_library@sort > LIBC > compare", path)


@pytest.mark.parametrize("flags", [("-O0",), ("-O2",), ("-O2", "-fomit-frame-pointer"),
                                   ("-O1", "-no-pie"), ("-O2", "-pie", "-fPIE")], ids=" ".join)
def test_c(flags, tracer, mpi, plugin, tmp_path):
    """Calls, recursion, pointers, callbacks, plugins, error handlers, threads, however built."""
    archive = run(tracer, mpi, tmp_path, "paths.c", flags, args=[plugin], libs=("-ldl",))
    paths = entered(archive, "paths.c", "plugin.c")
    assert list(map(without_libc, paths[0, 0])) == OF_PATHS
    assert paths[0, 1] == [f"thread@thread > leaf@leaf > {WRITE}"]


def test_cxx(tracer, mpi, tmp_path):
    """Namespaces, classes and template arguments are part of the name."""
    paths = entered(run(tracer, mpi, tmp_path, "templates.cc", ["-O1"]), "templates.cc")[0, 0]
    unnamed = "io::(anonymous namespace)"
    assert paths == [
        "main@open > MPI_File_open",
        f"main@double > io::Writer<double>::operator()@functor > {unnamed}::write<double>@write > "
        + WRITE,
        f"main@char > io::Writer<char>::fail@static > {unnamed}::write<char>@write > {WRITE}",
        "main@close > MPI_File_close"]


def test_fortran(tracer, mpi, tmp_path):
    """A module procedure is module::procedure; frames of the MPI library are gone."""
    paths = entered(run(tracer, mpi, tmp_path, "module.f90", ["-O0"]),
                    "module.f90")[0, 0]
    paths = [re.sub(r"^main@[^>]* > ", "", path) for path in paths]
    save = f"solver::save_state@write > {WRITE}"
    # gfortran gives the close another line with Open MPI's module: not asked for
    assert paths[:-1] == ["paths@open > MPI_File_open", f"paths@direct > {save}",
                          f"paths@internal > twice@first > {save}",
                          f"paths@internal > twice@second > {save}"]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_depth(depth, tracer, mpi, plugin, tmp_path):
    """MPIOTRACE_CALLSTACK: so many frames, the innermost ones, below the program."""
    archive = run(tracer, mpi, tmp_path, "paths.c", ["-O0"], args=[plugin],
                  env={"MPIOTRACE_CALLSTACK": str(depth)}, libs=("-ldl",))
    recursion = entered(archive, "paths.c")[0, 0][2]
    full = OF_PATHS[2].split(" > ")
    assert recursion == " > ".join(full[-depth - 1:])


def test_off(tracer, mpi, plugin, tmp_path):
    """MPIOTRACE_CALLSTACK=0: plain Enter and Leave, and otherwise equal records."""
    (tmp_path / "on").mkdir()
    (tmp_path / "off").mkdir()
    on = run(tracer, mpi, tmp_path / "on", "paths.c", args=[plugin], libs=("-ldl",))
    off = run(tracer, mpi, tmp_path / "off", "paths.c", args=[plugin], libs=("-ldl",),
              env={"MPIOTRACE_CALLSTACK": "0"})
    assert on.lines() == off.lines()
    kinds = {type(event).__name__ for events in off.events.values() for event in events}
    assert "Enter" in kinds and not any(kind.startswith("CallingContext") for kind in kinds)
    assert not list(off.definitions.calling_contexts)


def test_one_rank_without(tracer, mpi, plugin, tmp_path):
    """One archive is in one mode: a rank without call paths, and none has them."""
    (tmp_path / "run").mkdir()
    program = mpi.build(HERE / "paths.c", (), ("-ldl",))
    rank = "OMPI_COMM_WORLD_RANK" if mpi.name == "openmpi" else "PMI_RANK"
    script = (f'[ ${rank} = 1 ] && export MPIOTRACE_CALLSTACK=0; exec "{tracer.launcher}" '
              f'"{program}" "{plugin}"')
    done = mpi.run(["sh", "-c", script], 2, tmp_path / "run",
                   {"MPIOTRACE_OUTPUT": str(tmp_path / "trace")})
    assert done.returncode == 0, str(done)
    assert not list(tracer.read(tmp_path).definitions.calling_contexts)


def test_ranks_share_the_tree(tracer, mpi, plugin, tmp_path):
    """Load addresses differ from rank to rank, the tree does not."""
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    single = run(tracer, mpi, one, "paths.c", ["-pie", "-fPIE"], args=[plugin], libs=("-ldl",))
    double = run(tracer, mpi, two, "paths.c", ["-pie", "-fPIE"], ranks=2, args=[plugin],
                 libs=("-ldl",))
    paths = entered(double, "paths.c", "plugin.c")
    assert paths[0, 0] == paths[1, 0]
    assert len(list(single.definitions.calling_contexts)) == \
        len(list(double.definitions.calling_contexts))


def test_stripped(tracer, mpi, plugin, tmp_path):
    """Without symbols: object and address, which addr2line takes."""
    program = mpi.build(HERE / "paths.c", ["-O0"], ("-ldl",))
    stripped = tmp_path / "stripped"
    subprocess.run(["strip", program, "-o", stripped], check=True)
    done = tracer.run(stripped, 1, tmp_path, args=[plugin])
    assert done.returncode == 0, str(done)
    first = entered(tracer.read(tmp_path))[0, 0][1].split(" > ")
    assert first[-1] == WRITE and len(first) == 3
    names = [re.fullmatch(r"stripped\+(0x[0-9a-f]+)", name)[1] for name in first[:2]]
    functions = subprocess.run(["addr2line", "-f", "-e", program, *names], check=True, text=True,
                               capture_output=True).stdout.splitlines()[::2]
    assert functions == ["main", "leaf"]


KINDS = ["plain", "twin", "dynamic", "twin_dynamic", "aligned", "registers"]  # of walk.c


def chain_of(number):
    """The functions by which walk.c reaches its call."""
    chain = ["main"]
    while number:
        chain.append(KINDS[number % (len(KINDS) + 1) - 1])
        number //= len(KINDS) + 1
    return [*chain, "leaf", "MPI_File_seek"]


@pytest.mark.parametrize("flags", [("-O0",), ("-O2",), ("-O2", "-fno-omit-frame-pointer")],
                         ids=" ".join)
def test_stacks_that_resemble_one_another(flags, tracer, mpi, tmp_path):
    """A path that was seen before is taken for the call's only if it is."""
    archive = run(tracer, mpi, tmp_path, "walk.c", flags)
    context, seeks = None, 0
    for event in archive.events[0, 0]:
        if type(event).__name__ == "CallingContextEnter":
            context = event.calling_context
        elif type(event).__name__ == "IoSeek":
            names = [name.split("@")[0] for name in path_of(context, {}).split(" > ")]
            assert names == chain_of(event.offset_result)
            seeks += 1
    assert seeks == 20000


def test_objects_come_and_go(tracer, mpi, plugin, tmp_path):
    """Threads do I/O while another loads and unloads a plugin that does: no hang, no crash."""
    archive = run(tracer, mpi, tmp_path, "unload.c", args=[plugin], libs=("-ldl",))
    marks = [path for paths in entered(archive).values() for path in paths if WRITE in path]
    plain = [path for path in marks if path.startswith("do_io")]
    from_plugin = [path for path in marks if "plugin_enter" in path]
    assert len(plain) == 3 * 2000 and from_plugin
    assert len(plain) + len(from_plugin) == len(marks)


def test_python(tracer, openmpi, tmp_path):
    """A Python program shows at least its extension's frames."""
    (tmp_path / "program.py").write_text(
        "from mpi4py import MPI\n"
        "f = MPI.File.Open(MPI.COMM_SELF, 'f.dat', MPI.MODE_CREATE | MPI.MODE_WRONLY)\n"
        "f.Write_at(0, b'x')\nf.Close()\n")
    done = tracer.run(sys.executable, 1, tmp_path, args=[tmp_path / "program.py"])
    assert done.returncode == 0, str(done)
    path, = [p for p in entered(tracer.read(tmp_path))[0, 0] if p.endswith(WRITE)]
    assert re.match(r"MPI\.cpython|__pyx", path.split(" > ")[-2]), path
