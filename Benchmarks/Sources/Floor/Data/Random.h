#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/// Gives the same numbers each time (SplitMix64; Steele, Lea and Flood 2014).
typedef struct {
    uint64_t state;
} Random;

static inline uint64_t next(Random *random) {
    random->state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t value = random->state;
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}

static inline int64_t below(Random *random, int64_t limit) { return (int64_t)(next(random) % (uint64_t)limit); }

#endif
