/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of bindings.inc, in C. */
#include "completion.h"

static MPI_File fh;
static int buf[10];
static MPI_Request r[3];

static void handler(MPI_File *file, int *code, ...)
{
    (void)file, (void)code;
    puts("handler");
}

static int extents(MPI_Datatype datatype, MPI_Aint *extent, void *extra)
{
    (void)datatype, (void)extra;
    *extent = 4;
    return MPI_SUCCESS;
}

static int convert(void *user, MPI_Datatype datatype, int n, void *file, MPI_Offset pos,
                   void *extra)
{
    (void)user, (void)datatype, (void)n, (void)file, (void)pos, (void)extra;
    return MPI_ERR_CONVERSION;
}

static void metadata(void)
{
    MPI_Offset size = 100, at;
    MPI_Group group;
    MPI_Info info;
    MPI_Datatype etype, filetype;
    MPI_Errhandler errhandler;
    MPI_Aint extent;
    int n, flag;
    char datarep[MPI_MAX_DATAREP_STRING];

    MUST(MPI_File_open(MPI_COMM_SELF, "a file", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                       &fh));
    MUST(MPI_File_set_size(fh, size));
    MUST(MPI_File_preallocate(fh, size));
    MUST(MPI_File_get_size(fh, &size));
    MUST(MPI_File_get_group(fh, &group));
    MUST(MPI_Group_free(&group));
    MUST(MPI_File_get_amode(fh, &n));
    MUST(MPI_Info_create(&info));
    MUST(MPI_Info_set(info, "cb_nodes", "1"));
    MUST(MPI_File_set_info(fh, info));
    MUST(MPI_Info_free(&info));
    MUST(MPI_File_get_info(fh, &info));
    MUST(MPI_Info_free(&info));
    MUST(MPI_File_set_view(fh, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    MUST(MPI_File_get_view(fh, &at, &etype, &filetype, datarep));
    MUST(MPI_File_get_type_extent(fh, MPI_INT, &extent));
    MUST(MPI_File_set_atomicity(fh, 1));
    MUST(MPI_File_get_atomicity(fh, &flag));
    MUST(MPI_File_set_atomicity(fh, 0));
    MUST(MPI_File_create_errhandler(handler, &errhandler));
    MUST(MPI_File_set_errhandler(fh, errhandler));
    MUST(MPI_Errhandler_free(&errhandler));
    MUST(MPI_File_get_errhandler(fh, &errhandler));
    MUST(MPI_File_call_errhandler(fh, MPI_ERR_OTHER));
    MUST(MPI_File_set_errhandler(fh, MPI_ERRORS_RETURN));
}

static void await(void)
{
    MUST(MPI_Wait(r, MPI_STATUS_IGNORE));
}

static void explicit_offsets(void)
{
    MPI_Status s;
    MUST(MPI_File_write_at(fh, 0, buf, 1, MPI_INT, &s));
    MUST(MPI_File_write_at_all(fh, 0, buf, 2, MPI_INT, &s));
    MUST(MPI_File_read_at(fh, 0, buf, 3, MPI_INT, &s));
    MUST(MPI_File_read_at_all(fh, 0, buf, 4, MPI_INT, &s));
    MUST(MPI_File_iwrite_at(fh, 0, buf, 5, MPI_INT, r));
    await();
    MUST(MPI_File_iwrite_at_all(fh, 0, buf, 6, MPI_INT, r));
    await();
    MUST(MPI_File_iread_at(fh, 0, buf, 7, MPI_INT, r));
    await();
    MUST(MPI_File_iread_at_all(fh, 0, buf, 8, MPI_INT, r));
    await();
}

static void individual_pointers(void)
{
    MPI_Status s;
    MPI_Offset at;
    MUST(MPI_File_seek(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_get_position(fh, &at));
    MUST(MPI_File_get_byte_offset(fh, 0, &at));
    MUST(MPI_File_write(fh, buf, 1, MPI_INT, &s));
    MUST(MPI_File_write_all(fh, buf, 2, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_seek(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_read(fh, buf, 3, MPI_INT, MPI_STATUS_IGNORE));
    MUST(MPI_File_read_all(fh, buf, 4, MPI_INT, &s));
    MUST(MPI_File_iwrite(fh, buf, 5, MPI_INT, r));
    await();
    MUST(MPI_File_iwrite_all(fh, buf, 6, MPI_INT, r));
    await();
    MUST(MPI_File_seek(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_iread(fh, buf, 7, MPI_INT, r));
    await();
    MUST(MPI_File_iread_all(fh, buf, 8, MPI_INT, r));
    await();
}

static void shared_pointer(void)
{
    MPI_Status s;
    MPI_Offset at;
    MUST(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_write_shared(fh, buf, 1, MPI_INT, &s));
    MUST(MPI_File_write_ordered(fh, buf, 2, MPI_INT, &s));
    MUST(MPI_File_get_position_shared(fh, &at));
    MUST(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_read_shared(fh, buf, 3, MPI_INT, &s));
    MUST(MPI_File_read_ordered(fh, buf, 4, MPI_INT, &s));
    MUST(MPI_File_iwrite_shared(fh, buf, 5, MPI_INT, r));
    await();
    MUST(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_iread_shared(fh, buf, 6, MPI_INT, r));
    await();
}

static void split_collectives(void)
{
    MPI_Status s;
    MUST(MPI_File_write_at_all_begin(fh, 0, buf, 1, MPI_INT));
    MUST(MPI_File_write_at_all_end(fh, buf, &s));
    MUST(MPI_File_read_at_all_begin(fh, 0, buf, 2, MPI_INT));
    MUST(MPI_File_read_at_all_end(fh, buf, MPI_STATUS_IGNORE));
    MUST(MPI_File_write_all_begin(fh, buf, 3, MPI_INT));
    MUST(MPI_File_write_all_end(fh, buf, MPI_STATUS_IGNORE));
    MUST(MPI_File_seek(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_read_all_begin(fh, buf, 4, MPI_INT));
    MUST(MPI_File_read_all_end(fh, buf, &s));
    MUST(MPI_File_write_ordered_begin(fh, buf, 5, MPI_INT));
    MUST(MPI_File_write_ordered_end(fh, buf, &s));
    MUST(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));
    MUST(MPI_File_read_ordered_begin(fh, buf, 6, MPI_INT));
    MUST(MPI_File_read_ordered_end(fh, buf, &s));
    MUST(MPI_File_sync(fh));
}

/** Writes from an empty file on: one as r[1], the other as r[2]. */
static void start(int count)
{
    MUST(MPI_File_set_size(fh, 0));
    r[0] = r[1] = r[2] = MPI_REQUEST_NULL;
    MUST(MPI_File_iwrite_at(fh, 0, buf, 1, MPI_INT, &r[1]));
    if (count > 1)
        MUST(MPI_File_iwrite_at(fh, 1, buf, 2, MPI_INT, &r[2]));
}

static void start_and_settle(int count)
{
    start(count);
    settle("a file", count > 1 ? 12 : 4);
}

static void completion(void)
{
    MPI_Status s[3];
    int n, flag, i[3];
    start(2);
    MUST(MPI_Waitall(3, r, s));
    start(2);
    MUST(MPI_Waitall(3, r, MPI_STATUSES_IGNORE));
    start(1);
    MUST(MPI_Waitany(3, r, i, s));
    REQUIRE(i[0] == 1);
    start_and_settle(2);
    MUST(MPI_Waitsome(3, r, &n, i, MPI_STATUSES_IGNORE));
    REQUIRE(n == 2);
    start_and_settle(1);
    MUST(MPI_Test(&r[1], &flag, s));
    start_and_settle(2);
    MUST(MPI_Testall(3, r, &flag, s));
    start_and_settle(1);
    MUST(MPI_Testany(3, r, i, &flag, MPI_STATUS_IGNORE));
    start_and_settle(2);
    MUST(MPI_Testsome(3, r, &n, i, s));
    start_and_settle(1);
    MUST(MPI_Request_get_status(r[1], &flag, s));
    MUST(MPI_Wait(&r[1], s));
    start_and_settle(1);
    MUST(MPI_Request_free(&r[1]));
    start(1);
    MUST(MPI_Cancel(&r[1]));
    MUST(MPI_Wait(&r[1], s));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    metadata();
    explicit_offsets();
    individual_pointers();
    shared_pointer();
    split_collectives();
    completion();
    MUST(MPI_File_close(&fh));
    MUST(MPI_File_delete("a file", MPI_INFO_NULL));
    FAILS(MPI_File_delete("no such file", MPI_INFO_NULL));
    FAILS(MPI_Register_datarep("bindings", convert, convert, extents, NULL));
    MPI_Pcontrol(1);
    MPI_Finalize();
    return 0;
}
