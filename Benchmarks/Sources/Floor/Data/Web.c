#include "../Memory.h"
#include "Random.h"

FloorWeb floor_make_web(int64_t count) {
    Random random = {4};
    FloorWeb web = {allocate((size_t)count * sizeof(FloorNode)), count};
    for (int64_t index = 0; index < count; index++) {
        FloorNode node = {.number = index, .link_count = FLOOR_LINKS};
        for (int link = 0; link < FLOOR_LINKS; link++) node.links[link] = &web.nodes[below(&random, count)];
        web.nodes[index] = node;
    }
    return web;
}

void floor_free_web(FloorWeb web) { free(web.nodes); }

uint64_t floor_web_checksum(FloorWeb web) {
    uint64_t sum = floor_add_integer(FLOOR_CHECKSUM, web.count);
    for (int64_t index = 0; index < web.count; index++) {
        const FloorNode *node = &web.nodes[index];
        sum = floor_add_integer(sum, node->number);
        for (int64_t link = 0; link < node->link_count; link++) sum = floor_add_integer(sum, node->links[link]->number);
    }
    return sum;
}
