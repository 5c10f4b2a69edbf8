# SPDX-License-Identifier: BSD-3-Clause
"""
What scripts/demo traces: a heat equation on a plane, rows divided among the ranks, that saves its
state the two usual ways. Parallel HDF5 (h5py, driver mpio) holds the checkpoints, plain MPI-IO
(mpi4py) a history that is written while the next step is computed.
"""

import h5py
import numpy
from mpi4py import MPI

STEPS, COLUMNS, ROWS = 5, 512, 128

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
mine = slice(rank * ROWS, (rank + 1) * ROWS)
field = numpy.zeros((ROWS, COLUMNS))
field[:, 0] = 100.0


def step(field):
    """One step of the diffusion; each block of rows is a plate of its own."""
    field[:, 1:-1] += 0.25 * (field[:, :-2] - 2 * field[:, 1:-1] + field[:, 2:])


def save_checkpoint(number):
    with h5py.File(f"checkpoint-{number}.h5", "w", driver="mpio", comm=comm) as file:
        data = file.create_dataset("temperature", (size * ROWS, COLUMNS), "f8")
        with data.collective:
            data[mine] = field


history = MPI.File.Open(comm, "history.bin", MPI.MODE_CREATE | MPI.MODE_RDWR)
history.Set_view(rank * COLUMNS * 8, MPI.DOUBLE,
                 MPI.DOUBLE.Create_vector(STEPS, COLUMNS, size * COLUMNS).Commit())
request = MPI.REQUEST_NULL
for number in range(STEPS):
    step(field)
    request.Wait()
    mean = field.mean(axis=0)
    request = history.Iwrite(mean)
    save_checkpoint(number)
request.Wait()

history.Seek(0)
again = numpy.empty((STEPS, COLUMNS))
history.Read_all(again)
history.Close()
assert numpy.array_equal(again[-1], mean), "the history holds what was written"
