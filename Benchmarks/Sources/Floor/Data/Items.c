#include "Words.h"

FloorItems floor_make_items(int64_t count) {
    Random random = {1};
    FloorItems items = {allocate((size_t)count * sizeof(FloorItem)), count};
    for (int64_t index = 0; index < count; index++) {
        items.values[index] = (FloorItem){
            .name = make_words(&random, 10),
            .code = make_code(&random, index),
            .note = make_words(&random, 36),
            .amount = below(&random, 1000),
            .rank = below(&random, 2000000) - 1000000,
            .stock = (int64_t)(next(&random) >> 20),
            .price = (double)below(&random, 1000000) / 100,
            .weight = (double)(next(&random) >> 11) * 0x1p-53,
            .recorded_at = make_moment(&random),
            .is_active = below(&random, 3) != 0,
        };
    }
    return items;
}

void floor_free_item(FloorItem *item) {
    free(item->name.bytes);
    free(item->code.bytes);
    free(item->note.bytes);
}

void floor_free_items(FloorItems items) {
    for (int64_t index = 0; index < items.count; index++) floor_free_item(&items.values[index]);
    free(items.values);
}

int64_t *floor_make_keys(int64_t count, int64_t limit) {
    Random random = {2};
    int64_t *keys = allocate((size_t)count * sizeof *keys);
    for (int64_t index = 0; index < count; index++) keys[index] = 1 + below(&random, limit);
    return keys;
}
