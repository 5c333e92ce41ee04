#ifndef BINARY_H
#define BINARY_H

#include "../Memory.h"

/// To the order of the network, and back.
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NETWORK16(value) __builtin_bswap16(value)
#define NETWORK32(value) __builtin_bswap32(value)
#define NETWORK64(value) __builtin_bswap64(value)
#else
#define NETWORK16(value) (value)
#define NETWORK32(value) (value)
#define NETWORK64(value) (value)
#endif

/// Bytes in the order of the network, for parameters and for COPY.
typedef struct {
    char *bytes;
    size_t length;
    size_t capacity;
} Buffer;

static inline char *room(Buffer *buffer, size_t length) {
    if (buffer->length + length > buffer->capacity) {
        buffer->capacity = (buffer->length + length) * 2;
        buffer->bytes = resize(buffer->bytes, buffer->capacity);
    }
    char *place = buffer->bytes + buffer->length;
    buffer->length += length;
    return place;
}

static inline void put_int16(Buffer *buffer, int16_t value) {
    const uint16_t bits = NETWORK16((uint16_t)value);
    memcpy(room(buffer, sizeof bits), &bits, sizeof bits);
}

static inline void put_int32(Buffer *buffer, int32_t value) {
    const uint32_t bits = NETWORK32((uint32_t)value);
    memcpy(room(buffer, sizeof bits), &bits, sizeof bits);
}

static inline void put_int64(Buffer *buffer, int64_t value) {
    const uint64_t bits = NETWORK64((uint64_t)value);
    memcpy(room(buffer, sizeof bits), &bits, sizeof bits);
}

// A field is its length and its bytes.

static inline void put_integer(Buffer *buffer, int64_t value) {
    put_int32(buffer, 8);
    put_int64(buffer, value);
}

static inline void put_real(Buffer *buffer, double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_integer(buffer, bits);
}

static inline void put_bool(Buffer *buffer, bool value) {
    put_int32(buffer, 1);
    *room(buffer, 1) = value;
}

static inline void put_text(Buffer *buffer, FloorText text) {
    put_int32(buffer, (int32_t)text.length);
    memcpy(room(buffer, (size_t)text.length), text.bytes, (size_t)text.length);
}

static inline void put_null(Buffer *buffer) { put_int32(buffer, -1); }

/// From 1970 to 2000, which timestamps count from.
#define EPOCH INT64_C(946684800000000)

static inline void put_moment(Buffer *buffer, int64_t microseconds) { put_integer(buffer, microseconds - EPOCH); }

static inline int64_t get_int64(const char *bytes) {
    uint64_t bits;
    memcpy(&bits, bytes, sizeof bits);
    return (int64_t)NETWORK64(bits);
}

static inline double get_real(const char *bytes) {
    const int64_t bits = get_int64(bytes);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline int64_t get_moment(const char *bytes) { return get_int64(bytes) + EPOCH; }

#endif
