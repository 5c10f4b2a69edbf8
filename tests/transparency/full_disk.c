/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many operations, with requests and a split collective open meanwhile; what was written is read
 * back. Arguments: how many, and a file to fill the disk with when each rank has done half of them.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "../trace/testing.h"

enum { SLOTS = 64, PENDING = 8 };

static void fill_disk(const char *name)
{
    static const char block[1 << 16];
    int fd = open(name, O_WRONLY | O_CREAT, 0666);
    REQUIRE(fd >= 0);
    while (write(fd, block, sizeof block) > 0) {
    }
    REQUIRE(errno == ENOSPC);
    close(fd);
}

/** While all ranks wait: none may be done by then, and so want no more room. */
static void fill(const char *name)
{
    MUST(MPI_Barrier(MPI_COMM_WORLD));
    if (world_rank() == 0)
        fill_disk(name);
    MUST(MPI_Barrier(MPI_COMM_WORLD));
}

static void write_all(MPI_File fh, int count, const char *filler)
{
    MPI_Request requests[PENDING];
    long data[PENDING], value;

    for (int i = 0; i < count; i++) {
        if (filler && i == count / 2)
            fill(filler);
        int slot = i % PENDING;
        if (i >= PENDING)
            MUST(MPI_Wait(&requests[slot], MPI_STATUS_IGNORE));
        data[slot] = value = i;
        MUST(MPI_File_iwrite_at(fh, SLOTS + slot, &data[slot], 1, MPI_LONG, &requests[slot]));
        MUST(MPI_File_write_at(fh, i % SLOTS, &value, 1, MPI_LONG, MPI_STATUS_IGNORE));
    }
    MUST(MPI_Waitall(PENDING, requests, MPI_STATUSES_IGNORE));
}

int main(int argc, char **argv)
{
    char name[32];
    long value, mine = 7;

    MPI_Init(&argc, &argv);
    int count = atoi(argv[1]);
    MPI_File all = open_file(MPI_COMM_WORLD, "all.dat", MPI_MODE_CREATE | MPI_MODE_RDWR);
    snprintf(name, sizeof name, "own-%d.dat", world_rank());
    MPI_File own = open_file(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR);
    MUST(MPI_File_set_view(own, 0, MPI_LONG, MPI_LONG, "native", MPI_INFO_NULL));

    MUST(MPI_File_write_at_all_begin(all, world_rank() * sizeof mine, &mine, 1, MPI_LONG));
    write_all(own, count, argc > 2 ? argv[2] : NULL);
    MUST(MPI_File_write_at_all_end(all, &mine, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_at(own, (count - 1) % SLOTS, &value, 1, MPI_LONG, MPI_STATUS_IGNORE));
    printf("rank %d: last value %ld\n", world_rank(), value);
    MUST(MPI_File_close(&own));
    MUST(MPI_File_close(&all));
    MPI_Finalize();
    return 0;
}
