/*
 * Memory for keys. The library allocates its keys by malloc(), so its references to malloc() are
 * bound to the functions below when the extension is linked (the option --wrap in the Makefile).
 * While a key is made, they give memory of one area, which the system neither writes to a disk
 * nor into a core dump, and no child inherits.
 */
#include "sivka_postgresql.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The memory that every process may lock, unless somebody allowed it more. */
#define AREA_LEN ((size_t)64 << 10)
/* Of the widest vectors, and so what the library aligns its keys to at most. */
#define BLOCK_LEN ((size_t)64)
#define BLOCK_COUNT (AREA_LEN / BLOCK_LEN)

void *__real_malloc(size_t len);
void *__real_calloc(size_t count, size_t len);
void *__real_realloc(void *memory, size_t len);
int __real_posix_memalign(void **memory, size_t alignment, size_t len);
void __real_free(void *memory);

#pragma GCC visibility push(hidden)
void *__wrap_malloc(size_t len);
void *__wrap_calloc(size_t count, size_t len);
void *__wrap_realloc(void *memory, size_t len);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t len);
void __wrap_free(void *memory);
#pragma GCC visibility pop

static struct {
    uint8_t *start;
    pid_t owner;
    bool open, spilled;
    /* How many blocks an allocation has, at its first block; 0 elsewhere. */
    uint16_t lengths[BLOCK_COUNT];
} area;

static bool is_locked(const void *memory)
{
    return area.start && (const uint8_t *)memory >= area.start && (const uint8_t *)memory < area.start + AREA_LEN;
}

static size_t blocks_of(size_t len)
{
    return len == 0 ? 1 : (len + BLOCK_LEN - 1) / BLOCK_LEN;
}

/* The first of so many free blocks in a row; BLOCK_COUNT if there are none. */
static size_t find_room(size_t blocks)
{
    size_t first = 0;
    for (size_t i = 0; i < BLOCK_COUNT && first + blocks <= BLOCK_COUNT;) {
        if (area.lengths[i] > 0)
            first = i += area.lengths[i];
        else if (++i - first == blocks)
            return first;
    }
    return BLOCK_COUNT;
}

void *locked_alloc(size_t len)
{
    size_t first = len > AREA_LEN ? BLOCK_COUNT : find_room(blocks_of(len));
    if (first == BLOCK_COUNT)
        return NULL;
    area.lengths[first] = (uint16_t)blocks_of(len);
    return area.start + first * BLOCK_LEN;
}

void locked_free(void *memory)
{
    size_t first = (size_t)((uint8_t *)memory - area.start) / BLOCK_LEN;
    volatile uint8_t *byte = memory;
    for (size_t left = area.lengths[first] * BLOCK_LEN; left > 0; left--)
        *byte++ = 0;
    area.lengths[first] = 0;
}

/* A child has no part of the area that its parent made, and makes its own. */
static void make_area(void)
{
    if (area.start && area.owner == getpid())
        return;
    memset(&area, 0, sizeof area);
    void *start = mmap(NULL, AREA_LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("sivka: there is no memory for keys")));
    if (mlock(start, AREA_LEN) != 0 || madvise(start, AREA_LEN, MADV_DONTDUMP) != 0 ||
        madvise(start, AREA_LEN, MADV_DONTFORK) != 0) {
        int reason = errno;
        munmap(start, AREA_LEN);
        errno = reason;
        ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_RESOURCES), errmsg("sivka: memory for keys cannot be locked: %m"),
                        errhint("Let the server lock %zu KiB for each process (ulimit -l, or LimitMEMLOCK of systemd).",
                                AREA_LEN >> 10)));
    }
    area.start = start;
    area.owner = getpid();
}

void prepare_locked_memory(size_t len)
{
    make_area();
    if (len > AREA_LEN || find_room(blocks_of(len)) == BLOCK_COUNT)
        ereport(ERROR, (errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
                        errmsg("sivka: there is no room for another key in locked memory"),
                        errdetail("One session has room for %zu KiB of keys.", AREA_LEN >> 10)));
}

void begin_locked_memory(void)
{
    area.open = true;
    area.spilled = false;
}

bool end_locked_memory(void)
{
    area.open = false;
    return !area.spilled;
}

/* NULL if the memory is to be ordinary. */
static void *alloc_while_open(size_t len, size_t alignment)
{
    if (!area.open)
        return NULL;
    void *memory = alignment <= BLOCK_LEN ? locked_alloc(len) : NULL;
    area.spilled |= memory == NULL;
    return memory;
}

void *__wrap_malloc(size_t len)
{
    void *memory = alloc_while_open(len, 1);
    return memory ? memory : __real_malloc(len);
}

void *__wrap_calloc(size_t count, size_t len)
{
    /* Free memory of the area is zero: it was wiped, or never used. */
    void *memory = count > 0 && len > SIZE_MAX / count ? NULL : alloc_while_open(count * len, 1);
    return memory ? memory : __real_calloc(count, len);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t len)
{
    void *locked = alloc_while_open(len, alignment);
    if (!locked)
        return __real_posix_memalign(memory, alignment, len);
    *memory = locked;
    return 0;
}

void *__wrap_realloc(void *memory, size_t len)
{
    if (!memory)
        return __wrap_malloc(len);
    if (!is_locked(memory))
        return __real_realloc(memory, len);
    size_t old_len = area.lengths[(size_t)((uint8_t *)memory - area.start) / BLOCK_LEN] * BLOCK_LEN;
    void *moved = __wrap_malloc(len);
    if (moved) {
        memcpy(moved, memory, old_len < len ? old_len : len);
        locked_free(memory);
    }
    return moved;
}

void __wrap_free(void *memory)
{
    if (is_locked(memory))
        locked_free(memory);
    else
        __real_free(memory);
}
