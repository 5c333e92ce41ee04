#include "AllocationCounter.h"
#include <stdatomic.h>
#include <stddef.h>

// Counts what is asked of the allocator, and leaves the work to it. glibc's own names for its functions need no dlsym, which
// allocates by itself.

static atomic_ulong count;

unsigned long allocation_counter_value(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

#if defined(__GLIBC__) || defined(__linux__)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void add_one(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

void *malloc(size_t size) {
    add_one();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    add_one();
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    add_one();
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    add_one();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *memory = memalign(alignment, size);
    if (memory == NULL) return 12; // ENOMEM
    *result = memory;
    return 0;
}

#endif
