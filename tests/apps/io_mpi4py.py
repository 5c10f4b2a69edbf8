# SPDX-License-Identifier: BSD-3-Clause
"""mpi4py: collective, individual, shared, ordered and non-blocking I/O; prints what it read."""

import sys

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
ELEMENTS = 1000

mine = np.full(ELEMENTS, rank, dtype="i4")
read = np.empty_like(mine)
fh = MPI.File.Open(comm, "data.bin", MPI.MODE_CREATE | MPI.MODE_RDWR)

fh.Set_view(rank * mine.nbytes, MPI.INT, MPI.INT)
fh.Write_all(mine)
fh.Set_view(0, MPI.INT, MPI.INT)
fh.Read_at_all(((rank + 1) % size) * ELEMENTS, read)
comm.Barrier()
total = comm.reduce(int(read.sum()))

requests = [fh.Iwrite_at((size + rank) * ELEMENTS + i * 100, mine[:100]) for i in range(4)]
MPI.Request.Waitall(requests)
fh.Sync()
comm.Barrier()
request = fh.Iread_at(rank * ELEMENTS, read)
status = MPI.Status()
request.Wait(status)
count = status.Get_count(MPI.INT)
fh.Close()

fh = MPI.File.Open(comm, "log.bin", MPI.MODE_CREATE | MPI.MODE_RDWR)
fh.Write_ordered(mine[:10 + rank])
fh.Write_shared(mine[:5])
comm.Barrier()
fh.Seek_shared(0)
fh.Read_ordered(read[:10])
length = fh.Get_size()
fh.Close()

missing = None
try:
    MPI.File.Open(comm, "no-such.bin", MPI.MODE_RDONLY)
except MPI.Exception as error:
    missing = error.Get_error_class() == MPI.ERR_NO_SUCH_FILE
if rank == 0:
    print("sum", total, "count", count, "length", length, "missing", missing)
sys.stdout.flush()
