#ifndef LINKS_H
#define LINKS_H

#include "Memory.h"

/// Where in an array the object of an id is: a hash table that is as large as it ever gets from the beginning.
typedef struct {
    int64_t *ids;
    int64_t *indexes;
    uint64_t mask;
} Links;

Links make_links(int64_t count);
void free_links(Links links);

static inline uint64_t slot_of(Links links, int64_t id) {
    uint64_t slot = ((uint64_t)id * UINT64_C(0x9E3779B97F4A7C15)) >> 20 & links.mask;
    while (links.indexes[slot] >= 0 && links.ids[slot] != id) slot = (slot + 1) & links.mask;
    return slot;
}

static inline void add_link(Links links, int64_t id, int64_t index) {
    const uint64_t slot = slot_of(links, id);
    links.ids[slot] = id;
    links.indexes[slot] = index;
}

/// Where it is; ends the process if it is nowhere.
static inline int64_t follow(Links links, int64_t id) {
    const int64_t index = links.indexes[slot_of(links, id)];
    if (index < 0) fail("a link", "leads nowhere");
    return index;
}

/// How far apart the positions of elements are, as Holdfast writes them.
enum { FLOOR_STRIDE = 1024 };

/// Adds a link to a node, which can't have more than it was made for.
static inline void add_node(FloorNode *node, FloorNode *target) {
    if (node->link_count == FLOOR_LINKS) fail("a node", "has too many links");
    node->links[node->link_count++] = target;
}

/// Adds a tag or a meeting to a project, whose arrays are as long as the power of two that holds them.
void add_tag(FloorProject *project, FloorText tag);
void add_meeting(FloorProject *project, FloorMeeting *meeting);

#endif
