// SPDX-License-Identifier: BSD-3-Clause
// C++: namespaces, classes, templates, lambdas, exceptions on the way.
#include <mpi.h>

#define NOINLINE __attribute__((noinline, noclone))

namespace io {
namespace {
template <class T> NOINLINE void write(MPI_File file, T value)
{
    MPI_File_write_at(file, 0, &value, sizeof value, MPI_BYTE, MPI_STATUS_IGNORE); // @write
    __asm__ volatile("");
}
} // namespace

template <class T> struct Writer {
    NOINLINE void operator()(MPI_File file)
    {
        write(file, T()); // @functor
        __asm__ volatile("");
    }
    static NOINLINE void fail(MPI_File file)
    {
        write(file, T()); // @static
        throw 1;
    }
};
} // namespace io

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int amode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, "f.dat", amode, MPI_INFO_NULL, &file); // @open
    io::Writer<double>()(file); // @double
    try {
        io::Writer<char>::fail(file); // @char
    } catch (int) {
    }
    MPI_File_close(&file); // @close
    MPI_Finalize();
}
