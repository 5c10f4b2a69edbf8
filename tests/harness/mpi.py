# SPDX-License-Identifier: BSD-3-Clause
"""The MPI library a test runs on: its compilers, its launcher, and runs with a hard time limit."""

import hashlib
import os
import signal
import subprocess
import time
from pathlib import Path

COMPILERS = {".c": "mpicc", ".cc": "mpicxx", ".f": "mpifort", ".f90": "mpifort", ".f08": "mpifort"}

# Several ranks on few cores, as any user, without the messages that differ from run to run.
OPENMPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_orte_base_help_aggregate": "1",
}


class Result:
    """How a run ended. `stdout` and `stderr` are text; `returncode` is that of the launcher."""

    def __init__(self, returncode, stdout, stderr):
        self.returncode = returncode
        self.stdout = stdout
        self.stderr = stderr

    def outcome(self):
        """What must be the same in two runs; ranks print in any order."""
        return self.returncode, sorted(self.stdout.splitlines()), sorted(self.stderr.splitlines())

    def __str__(self):
        return (f"exit status {self.returncode}\n--- stdout\n{self.stdout}"
                f"--- stderr\n{self.stderr}")


class Mpi:
    """One MPI library, `name` being openmpi or mpich; `cache` keeps what was compiled for it."""

    def __init__(self, name, cache):
        self.name = name
        self.cache = Path(cache) / name

    def compiler(self, suffix=".c"):
        return f"{COMPILERS[suffix]}.{self.name}"

    def launch(self, ranks):
        return [f"mpirun.{self.name}", "-n", str(ranks)]

    def environment(self, extra=None):
        """The caller's environment without what would steer the tracer, and with `extra`."""
        env = {k: v for k, v in os.environ.items()
               if not k.startswith("MPIOTRACE_") and k != "LD_PRELOAD"}
        if self.name == "openmpi":
            env.update(OPENMPI_ENVIRONMENT)
        env.update(extra or {})
        return env

    def build(self, source, flags=(), libs=()):
        """Compiles `source`, once for each content, and returns the executable's path."""
        source = Path(source)
        compiler = self.compiler(source.suffix)
        command = [compiler, "-g", f"-I{source.parent}", *flags]
        key = hashlib.sha256(repr((command, libs)).encode())
        for path in (source, *sorted(source.parent.glob("*.h")),
                     *sorted(source.parent.glob("*.inc"))):
            key.update(path.read_bytes())
        program = self.cache / key.hexdigest()[:16] / source.stem
        if not program.exists():
            program.parent.mkdir(parents=True, exist_ok=True)
            unfinished = program.with_name(f"{program.name}.{os.getpid()}")
            language = ["-x", "f95"] if source.suffix == ".f08" else []
            done = subprocess.run([*command, *language, str(source), "-o", str(unfinished), *libs],
                                  capture_output=True, text=True, cwd=program.parent)
            assert done.returncode == 0, f"{compiler} {source}:\n{done.stderr}"
            unfinished.rename(program)
        return program

    def run(self, command, ranks, cwd, env=None, timeout=60):
        """Runs `command` on `ranks` ranks."""
        return run([*self.launch(ranks), *map(str, command)], cwd, self.environment(env), timeout)


def run(command, cwd, env, timeout=60):
    """Runs one command and returns its Result; past `timeout` seconds ends all it has started."""
    process = subprocess.Popen([str(c) for c in command], cwd=cwd, env=env, text=True,
                               errors="surrogateescape", stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
    try:
        stdout, stderr = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        end_all(process)
        stdout, stderr = process.communicate()
        raise AssertionError(f"no end after {timeout} s: {' '.join(map(str, command))}\n"
                             f"--- stdout\n{stdout}--- stderr\n{stderr}") from None
    return Result(process.returncode, stdout, stderr)


def end_all(process):
    """
    Ends a launcher and its ranks. Launchers put ranks into process groups of their own, so the
    family is looked up while it is still together; the launcher is asked first, as it cleans up.
    """
    family = descendants(process.pid)
    process.terminate()
    deadline = time.monotonic() + 3
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    for pid in [process.pid, *family]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def descendants(pid):
    """The processes that `pid` has started, and those that they have."""
    children = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found, todo = [], [pid]
    while todo:
        todo = [child for parent in todo for child in children.get(parent, [])]
        found += todo
    return found
