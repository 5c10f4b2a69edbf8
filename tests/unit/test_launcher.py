# SPDX-License-Identifier: BSD-3-Clause
"""The launcher by itself: options, exit status, what it hands to the program, what it refuses."""

import os
import subprocess

import pytest


@pytest.fixture
def launch(tracer):
    def run(*arguments, **env):
        env = {**{k: v for k, v in os.environ.items() if not k.startswith("MPIOTRACE_")}, **env}
        return subprocess.run([tracer.launcher, *arguments], capture_output=True, text=True,
                              env=env, timeout=20)
    return run


def test_becomes_the_program(launch):
    """Arguments, output and exit status are the program's; options stop at its name."""
    done = launch("sh", "-c", 'echo "$0 $@"; exit 7', "--help", "a b", "")
    assert (done.returncode, done.stdout, done.stderr) == (7, "--help a b \n", "")


def test_environment(launch, tracer):
    """Each option is its variable for the program; the library stands before other preloads."""
    show = ("--output=/some/where", "--archive=rank", "--callstack=3", "--buffer-size=5M",
            "--include=*.h5", "--exclude=*.log", "--test-events=all", "--verbose=1", "--disable=1",
            "env")
    lines = launch(*show, LD_PRELOAD="libdl.so.2").stdout.splitlines()
    got = {line for line in lines if line.startswith(("MPIOTRACE_", "LD_PRELOAD"))}
    assert got == {"MPIOTRACE_OUTPUT=/some/where", "MPIOTRACE_ARCHIVE=rank",
                   "MPIOTRACE_CALLSTACK=3", "MPIOTRACE_BUFFER_SIZE=5M", "MPIOTRACE_INCLUDE=*.h5",
                   "MPIOTRACE_EXCLUDE=*.log", "MPIOTRACE_TEST_EVENTS=all", "MPIOTRACE_VERBOSE=1",
                   "MPIOTRACE_DISABLE=1", f"LD_PRELOAD={tracer.library.resolve()}:libdl.so.2"}


def test_option_overrides_variable(launch):
    lines = launch("--verbose=2", "env", MPIOTRACE_VERBOSE="1").stdout.splitlines()
    assert "MPIOTRACE_VERBOSE=2" in lines


@pytest.mark.parametrize("argument, named", [
    ("--archive=both", "job or rank"), ("--callstack=256", "0 to 255"),
    ("--callstack=-1", "0 to 255"), ("--buffer-size=1M", "4M to 16M"),
    ("--buffer-size=4MB", "4M to 16M"), ("--verbose=3", "0, 1 or 2"),
    ("--disable=yes", "0 or 1"), ("--test-events=none", "first or all"),
    ("--output=", "a directory")])
def test_wrong_value(argument, named, launch):
    """One line that names the option, the value and what is allowed; the program is not started."""
    done = launch(argument, "touch", "/nonexistent/never")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"mpiotrace: {argument} is not allowed ({named})\n"


@pytest.mark.parametrize("arguments, status, named", [
    ([], 2, "no program given"), (["--nonsense", "true"], 2, "--nonsense"),
    (["--library=/no/such.so", "true"], 2, "/no/such.so"),
    (["no-such-program"], 127, "no-such-program"), (["/etc"], 126, "/etc")])
def test_cannot_start(arguments, status, named, launch):
    done = launch(*arguments)
    assert done.returncode == status
    assert named in done.stderr and "mpiotrace:" in done.stderr


def test_static_program_is_refused(launch, tmp_path):
    """Nothing can be preloaded into it: said before it runs for nothing."""
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    subprocess.run(["gcc", "-static", "main.c", "-o", "static"], cwd=tmp_path, check=True)
    done = launch(tmp_path / "static")
    assert done.returncode == 2
    assert "static" in done.stderr and "-lmpiotrace" in done.stderr


def test_help_names_every_setting(launch, srcdir):
    """One table: the options of --help are the variables of README."""
    text = launch("--help").stdout
    readme = (srcdir / "README.md").read_text()
    names = {word.strip("`,;()") for word in text.split() if word.startswith("MPIOTRACE_")}
    assert len(names) >= 9
    assert all(f"| `{name}` |" in readme for name in names)
    assert launch("--version").stdout.startswith("mpiotrace ")
