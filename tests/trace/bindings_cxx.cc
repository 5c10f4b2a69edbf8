// SPDX-License-Identifier: BSD-3-Clause
// MPI::File, which Open MPI 4 still has: each call once, as in C.
#include <mpi.h>

#include <cstdio>

static int buf[10];

static void accesses(MPI::File &file)
{
    MPI::Status status;
    file.Write_at(0, buf, 1, MPI::INT);
    file.Write_at_all(0, buf, 2, MPI::INT, status);
    file.Read(buf, 1, MPI::INT);
    file.Read_all(buf, 1, MPI::INT, status);
    std::printf("read_all %d\n", status.Get_count(MPI::INT));
    file.Write_shared(buf, 1, MPI::INT);
    file.Write_ordered(buf, 2, MPI::INT);
    MPI::Request requests[2] = {file.Iwrite_at(0, buf, 3, MPI::INT),
                                file.Iread_at(0, buf, 1, MPI::INT)};
    MPI::Request::Waitall(2, requests);
    MPI::Request request = file.Iwrite_at(0, buf, 4, MPI::INT);
    request.Wait(status);
    std::printf("iwrite_at %d\n", status.Get_count(MPI::INT));
}

static void split_collectives(MPI::File &file)
{
    MPI::Status status;
    file.Write_at_all_begin(0, buf, 1, MPI::INT);
    file.Write_at_all_end(buf);
    file.Read_at_all_begin(0, buf, 2, MPI::INT);
    file.Read_at_all_end(buf, status);
    file.Write_all_begin(buf, 3, MPI::INT);
    file.Write_all_end(buf, status);
    file.Seek(0, MPI_SEEK_SET);
    file.Read_all_begin(buf, 4, MPI::INT);
    file.Read_all_end(buf);
    file.Write_ordered_begin(buf, 5, MPI::INT);
    file.Write_ordered_end(buf, status);
    file.Seek_shared(0, MPI_SEEK_SET);
    file.Read_ordered_begin(buf, 6, MPI::INT);
    file.Read_ordered_end(buf);
}

int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    MPI::File file = MPI::File::Open(MPI::COMM_WORLD, "f.dat", MPI::MODE_CREATE | MPI::MODE_RDWR,
                                     MPI::INFO_NULL);
    file.Set_size(100);
    accesses(file);
    split_collectives(file);
    file.Sync();
    file.Close();
    MPI::File::Delete("f.dat", MPI::INFO_NULL);
    MPI::Finalize();
    return 0;
}
