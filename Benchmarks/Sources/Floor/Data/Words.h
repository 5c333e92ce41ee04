#ifndef WORDS_H
#define WORDS_H

#include "../Memory.h"
#include "Random.h"

/// Words until there are at least so many characters; some are not ASCII.
FloorText make_words(Random *random, int characters);

/// Letters and digits, so many that the number is in them.
FloorText make_code(Random *random, int64_t number);

/// A moment of the years from 2020 on, to the microsecond.
int64_t make_moment(Random *random);

#endif
