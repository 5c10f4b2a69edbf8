// SPDX-License-Identifier: BSD-3-Clause
// A C++ program, with an object that closes its file when it goes out of scope.
#include <mpi.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

class File {
  public:
    File(MPI_Comm comm, const char *name, int amode)
    {
        if (MPI_File_open(comm, name, amode, MPI_INFO_NULL, &fh) != MPI_SUCCESS)
            throw std::runtime_error(name);
    }
    ~File() { MPI_File_close(&fh); }
    void write(const std::vector<int> &data, MPI_Offset offset)
    {
        MPI_File_write_at_all(fh, offset, data.data(), static_cast<int>(data.size()), MPI_INT,
                              MPI_STATUS_IGNORE);
    }

  private:
    MPI_File fh;
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    try {
        File file(MPI_COMM_WORLD, "f.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY);
        file.write({1, 2, 3}, 0);
        File missing(MPI_COMM_WORLD, "no-such.dat", MPI_MODE_RDONLY);
    } catch (const std::runtime_error &error) {
        std::printf("cannot open %s\n", error.what());
    }
    MPI_Finalize();
    return 0;
}
