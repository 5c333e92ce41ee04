// A disk that fails now and then, for Integration/ledger: loaded before the C library, while the file LEDGER_FAULTS is there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// One call of so many fails.
enum { writesPerFault = 300, syncsPerFault = 30 };

// Whether a call for a file of the database is to fail.
static int fails(int file, int callsPerFault) {
    const char *switchedOn = getenv("LEDGER_FAULTS");
    if (!switchedOn || random() % callsPerFault != 0 || access(switchedOn, F_OK) != 0) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, "/ledger.db") != 0;
}

__attribute__((constructor)) static void seed(void) { srandom((unsigned)getpid()); }

#define NEXT(name) \
    static __typeof__(name) *next; \
    if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

// A fault leaves a part of what was to be written, or all of it.
#define WRITE(name, offset_type) \
    ssize_t name(int file, const void *bytes, size_t count, offset_type offset) { \
        NEXT(name); \
        if (!fails(file, writesPerFault)) return next(file, bytes, count, offset); \
        next(file, bytes, (size_t)random() % (count + 1), offset); \
        errno = random() % 2 ? EIO : ENOSPC; \
        return -1; \
    }

// A fault may come after the bytes are safe.
#define SYNC(name) \
    int name(int file) { \
        NEXT(name); \
        if (!fails(file, syncsPerFault)) return next(file); \
        if (random() % 2) next(file); \
        errno = EIO; \
        return -1; \
    }

WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)
SYNC(fsync)
SYNC(fdatasync)
