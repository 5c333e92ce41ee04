#include "Memory.h"

#include <stdio.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void fail(const char *what, const char *why) {
    fprintf(stderr, "floor: %s: %s\n", what, why);
    exit(1);
}

void *allocate(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (!memory) fail("malloc", "no memory");
    return memory;
}

void *resize(void *memory, size_t size) {
    memory = realloc(memory, size ? size : 1);
    if (!memory) fail("realloc", "no memory");
    return memory;
}

void floor_release_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
