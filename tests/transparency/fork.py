# SPDX-License-Identifier: BSD-3-Clause
"""Children as Python programs make them: os._exit, subprocess, multiprocessing."""

import multiprocessing
import os
import subprocess

from mpi4py import MPI

file = MPI.File.Open(MPI.COMM_WORLD, "f.dat", MPI.MODE_CREATE | MPI.MODE_RDWR)
file.Write_at(0, b"0123")
child = os.fork()
if child == 0:
    os._exit(3)
print("fork:", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print("subprocess:", subprocess.run(["sh", "-c", "exit 4"]).returncode)
context = multiprocessing.get_context("fork")
with context.Pool(2) as pool:
    print("pool:", pool.map(abs, [-1, -2, 3]))
file.Write_at(4, b"4567")
file.Close()
