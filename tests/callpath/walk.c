/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One call, reached over and over through chains of functions with frames of every kind, so that
 * stacks resemble one another: where a chain leads is a number, whose digits to base KINDS + 1 say
 * which function comes next. The call seeks to that number.
 */
#include <alloca.h>
#include <mpi.h>

#define NOINLINE __attribute__((noinline, noclone))
#define KINDS 6

enum { CHAINS = 60, CALLS = 20000 };

typedef void function(unsigned chain);

static MPI_File file;
static unsigned destination, variable;
static function *const kinds[KINDS];

static NOINLINE void leaf(void)
{
    MPI_File_seek(file, destination, MPI_SEEK_SET);
    __asm__ volatile("");
}

/* What follows keeps it from being a tail call; its text keeps functions from being merged. */
#define GO_ON(chain, text)                                                                         \
    if (chain)                                                                                     \
        kinds[(chain) % (KINDS + 1) - 1]((chain) / (KINDS + 1));                                   \
    else                                                                                           \
        leaf();                                                                                    \
    __asm__ volatile("# " text)

static NOINLINE void plain(unsigned chain)
{
    GO_ON(chain, "plain");
}

static NOINLINE void twin(unsigned chain)
{
    GO_ON(chain, "twin");
}

/* A frame of a size that is not known to the compiler is found by its frame pointer. */
static NOINLINE void dynamic(unsigned chain)
{
    char *room = alloca(16 + variable);
    __asm__ volatile("" : : "r"(room) : "memory");
    GO_ON(chain, "dynamic");
}

static NOINLINE void twin_dynamic(unsigned chain)
{
    char *room = alloca(16 + variable);
    __asm__ volatile("" : : "r"(room) : "memory");
    GO_ON(chain, "twin_dynamic");
}

/* With both, what is kept of the caller's stack pointer is a word in the frame. */
static NOINLINE void aligned(unsigned chain)
{
    _Alignas(64) char room[64];
    char *more = alloca(16 + variable);
    __asm__ volatile("" : : "r"(room), "r"(more) : "memory");
    GO_ON(chain, "aligned");
}

/* Saves the registers that a callee must save, also the frame pointer where it is not one. */
static NOINLINE void registers(unsigned chain)
{
    unsigned long values[8];
    for (int i = 0; i < 8; i++)
        __asm__ volatile("" : "=r"(values[i]));
    GO_ON(chain, "registers");
    for (int i = 0; i < 8; i++)
        __asm__ volatile("" : : "r"(values[i]));
}

static function *const kinds[KINDS] = {plain, twin, dynamic, twin_dynamic, aligned, registers};

static unsigned any_below(unsigned limit)
{
    static unsigned state = 1;
    state = state * 1103515245 + 12345;
    return (state >> 16) % limit;
}

static unsigned any_chain(void)
{
    unsigned chain = 0;
    for (unsigned length = 1 + any_below(6); length > 0; length--)
        chain = chain * (KINDS + 1) + 1 + any_below(KINDS);
    return chain;
}

int main(int argc, char **argv)
{
    unsigned chains[CHAINS];

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "walk.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    for (int i = 0; i < CHAINS; i++)
        chains[i] = any_chain();
    for (int i = 0; i < CALLS;) {
        destination = chains[any_below(CHAINS)];
        variable = 16 * any_below(2);
        for (unsigned times = 1 + any_below(8); times > 0 && i < CALLS; times--, i++)
            kinds[destination % (KINDS + 1) - 1](destination / (KINDS + 1));
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
