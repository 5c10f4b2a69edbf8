# SPDX-License-Identifier: BSD-3-Clause
"""
Two hosts, played by namespaces on one machine: names, networks and clocks of their own, the clocks
1000 seconds apart.
"""

import subprocess
import tempfile
from pathlib import Path

import pytest

from harness.archive import region_of
from harness.mpi import run

HERE = Path(__file__).parent
HOSTS = {"hosta": ("10.77.0.1", 0), "hostb": ("10.77.0.2", 1000)}


def start(name, ahead):
    """A process whose namespaces are the host; its clock is some seconds ahead."""
    script = f"hostname {name} && ip link set lo up && echo $$ && exec sleep 300"
    process = subprocess.Popen(
        ["unshare", "--net", "--uts", "--time", "--monotonic", str(ahead), "--boottime", str(ahead),
         "--fork", "--kill-child", "sh", "-c", script], text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    pid = process.stdout.readline().strip()
    if not pid:
        pytest.skip(f"no namespaces for this user: {process.stderr.read().strip()}")
    return process, pid


def enter(pid):
    return ["nsenter", "--target", pid, "--net", "--uts", "--time"]


def connect(pids):
    """One network, with the same name of the device on both hosts."""
    first, second = pids.values()
    subprocess.run(["nsenter", "--target", first, "--net", "ip", "link", "add", "net0", "type",
                    "veth", "peer", "name", "net0", "netns", second], check=True)
    for name, (address, _) in HOSTS.items():
        for command in (["addr", "add", f"{address}/24", "dev", "net0"],
                        ["link", "set", "net0", "up"]):
            subprocess.run(["nsenter", "--target", pids[name], "--net", "ip", *command], check=True)


@pytest.fixture
def hosts(tmp_path):
    """Plays the hosts; gives a remote shell to them, and what runs a command on the first."""
    started = {name: start(name, ahead) for name, (_, ahead) in HOSTS.items()}
    pids = {name: pid for name, (_, pid) in started.items()}
    names = tmp_path / "hosts"
    names.write_text("127.0.0.1 localhost\n" +
                     "".join(f"{address} {name}\n" for name, (address, _) in HOSTS.items()))
    shell = tmp_path / "shell"
    cases = [f"{name}) exec {' '.join(enter(pid))} sh -c \"$*\";;\n" for name, pid in pids.items()]
    shell.write_text(f"#!/bin/sh\nhost=$1\nshift\ncase $host in\n{''.join(cases)}esac\n")
    shell.chmod(0o755)
    try:
        connect(pids)
        yield shell, [*enter(pids["hosta"]), "unshare", "-m", "sh", "-c",
                      f'mount --bind {names} /etc/hosts && exec "$@"', "sh"]
    finally:
        for process, _ in started.values():
            process.kill()
            process.communicate()


@pytest.fixture
def trace(hosts, mpi, tracer, tmp_path):
    """The archive of hosts.c on 4 ranks, two on each host, and its directory in memory."""
    shell, on_first = hosts
    (tmp_path / "run").mkdir()
    launch = {"openmpi": ["mpirun.openmpi", "-mca", "plm_rsh_agent", shell, "-mca", "btl",
                          "self,vader,tcp", "--host", "hosta:2,hostb:2"],
              "mpich": ["mpirun.mpich", "-launcher", "rsh", "-launcher-exec", shell,
                        "-hosts", "hosta:2,hostb:2"]}[mpi.name]
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
        done = run([*on_first, *launch, "-n", "4", tracer.launcher, mpi.build(HERE / "hosts.c"),
                    memory + "/"], tmp_path / "run",
                   mpi.environment({"MPIOTRACE_OUTPUT": str(tmp_path / "trace")}))
    assert done.returncode == 0 and not done.stderr, str(done)
    return tracer.read(tmp_path), memory


def world_calls(events):
    """(enter, leave) of the file calls of a location, but for those after all nodes' last."""
    calls, entered = [], None
    for event in events:
        name = type(event).__name__.replace("CallingContext", "")
        if name in ("Enter", "Leave") and region_of(event).name.startswith("MPI_File"):
            if name == "Leave":
                calls.append((entered, event.time))
            entered = event.time
    return calls[:60]


def test_two_hosts(trace, tmp_path):
    """Node names make the system tree, files know who sees them, and clocks agree."""
    archive, memory = trace
    nodes = {group.name: group.system_tree_parent.name
             for group in archive.definitions.location_groups}
    assert nodes == {"MPI Rank 0": "hosta", "MPI Rank 1": "hosta",
                     "MPI Rank 2": "hostb", "MPI Rank 3": "hostb"}
    scopes = sorted((file.name, file.scope.name) for file in archive.definitions.io_files)
    assert scopes == sorted([(str(tmp_path / "run" / "shared.dat"), "machine"),
                             (f"{memory}/node.dat", "hosta"), (f"{memory}/node.dat", "hostb"),
                             (f"{memory}/all.dat", "machine")])
    by_rank = [world_calls(events) for _, events in sorted(archive.events.items())]
    assert [len(calls) for calls in by_rank] == [60] * 4
    for same_call in zip(*by_rank):
        assert max(enter for enter, _ in same_call) < min(leave for _, leave in same_call)
