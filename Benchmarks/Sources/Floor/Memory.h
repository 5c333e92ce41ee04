#ifndef MEMORY_H
#define MEMORY_H

#include "Floor.h"

#include <stdlib.h>
#include <string.h>

/// Prints a sentence and ends the process.
_Noreturn void fail(const char *what, const char *why);

/// Memory, or the end of the process.
void *allocate(size_t size);
void *resize(void *memory, size_t size);

/// A text of its own, ended by NUL.
static inline FloorText copy_text(const void *bytes, int64_t length) {
    FloorText text = {allocate((size_t)length + 1), length};
    memcpy(text.bytes, bytes, (size_t)length);
    text.bytes[length] = 0;
    return text;
}

/// Makes room for one more value in an array, whose capacity doubles.
#define GROW(values, count, capacity)                                                                                  \
    do {                                                                                                               \
        if ((count) == (capacity)) {                                                                                   \
            (capacity) = (capacity) ? (capacity) * 2 : 64;                                                             \
            (values) = resize((values), (size_t)(capacity) * sizeof(*(values)));                                       \
        }                                                                                                              \
    } while (0)

#endif
