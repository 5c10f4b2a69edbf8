# SPDX-License-Identifier: BSD-3-Clause
"""h5py with the mpio driver; with the argument "open", the file is left for MPI_Finalize."""

import os
import sys

from mpi4py import MPI  # first: HDF5 closes its files inside MPI_Finalize if it sees MPI_Init

import h5py
import numpy as np

comm = MPI.COMM_WORLD
ROWS, COLUMNS = 8, 1000

file = h5py.File("data.h5", "w", driver="mpio", comm=comm)
data = file.create_dataset("data", (comm.size * ROWS, COLUMNS), dtype="f8")
rows = slice(comm.rank * ROWS, (comm.rank + 1) * ROWS)
with data.collective:
    data[rows] = np.full((ROWS, COLUMNS), comm.rank, dtype="f8")
file.attrs["ranks"] = comm.size
file.flush()
comm.Barrier()
other = (comm.rank + 1) % comm.size
total = comm.reduce(data[other * ROWS:(other + 1) * ROWS].sum())
if comm.rank == 0:
    print("sum", total)
if "open" not in sys.argv:
    file.close()
sys.stdout.flush()
MPI.Finalize()
os._exit(0)  # h5py complains when it takes down objects of a closed library
