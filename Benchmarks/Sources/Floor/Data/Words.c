#include "Words.h"

#include <stdio.h>

// Each with its number of characters.
static const struct {
    const char *text;
    int characters;
} words[] = {
    {"river", 5}, {"stone", 5}, {"orbit", 5}, {"lamp", 4}, {"winter", 6}, {"signal", 6}, {"harbour", 7}, {"field", 5},
    {"copper", 6}, {"engine", 6}, {"north", 5}, {"paper", 5}, {"garden", 6}, {"bridge", 6}, {"caf\xc3\xa9", 4},
    {"Stra\xc3\x9f" "e", 6}, {"\xc3\xa5ngstr\xc3\xb6m", 8}, {"\xe6\x9d\xb1\xe4\xba\xac", 2}, {"na\xc3\xafve", 5},
    {"\xce\xbb\xcf\x8c\xce\xb3\xce\xbf\xcf\x82", 5},
};

FloorText make_words(Random *random, int characters) {
    char buffer[512];
    int length = 0;
    int done = 0;
    while (done < characters) {
        const size_t index = (size_t)below(random, sizeof words / sizeof *words);
        length += snprintf(buffer + length, sizeof buffer - (size_t)length, done ? " %s" : "%s", words[index].text);
        done += words[index].characters + (done ? 1 : 0);
    }
    return copy_text(buffer, length);
}

FloorText make_code(Random *random, int64_t number) {
    char buffer[32];
    const int length =
        snprintf(buffer, sizeof buffer, "%c%c%06lld", (char)('A' + below(random, 26)), (char)('A' + below(random, 26)),
                 (long long)number);
    return copy_text(buffer, length);
}

int64_t make_moment(Random *random) {
    const int64_t from = 1577836800; // 2020-01-01
    return (from + below(random, 189000000)) * 1000000 + below(random, 1000000);
}
