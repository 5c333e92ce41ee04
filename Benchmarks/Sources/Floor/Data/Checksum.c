#include "../Memory.h"

uint64_t floor_add_bytes(uint64_t checksum, const void *bytes, int64_t length) {
    const unsigned char *byte = bytes;
    for (int64_t index = 0; index < length; index++) checksum = (checksum ^ byte[index]) * UINT64_C(0x100000001b3);
    return checksum;
}

uint64_t floor_add_integer(uint64_t checksum, int64_t value) { return floor_add_bytes(checksum, &value, sizeof value); }

uint64_t floor_add_real(uint64_t checksum, double value) { return floor_add_bytes(checksum, &value, sizeof value); }

static uint64_t add_text(uint64_t checksum, FloorText text) {
    return floor_add_bytes(floor_add_integer(checksum, text.length), text.bytes, text.length);
}

uint64_t floor_item_summand(const FloorItem *item) {
    uint64_t bits[2];
    memcpy(&bits[0], &item->price, sizeof bits[0]);
    memcpy(&bits[1], &item->weight, sizeof bits[1]);
    const int64_t texts = item->name.length + item->code.length + item->note.length;
    const int64_t numbers = item->id + item->amount + item->rank + item->stock + item->is_active;
    return (uint64_t)(texts + numbers) + bits[0] + bits[1] + (uint64_t)item->recorded_at;
}

uint64_t floor_items_checksum(FloorItems items, bool with_ids) {
    uint64_t sum = floor_add_integer(FLOOR_CHECKSUM, items.count);
    for (int64_t index = 0; index < items.count; index++) {
        const FloorItem *item = &items.values[index];
        if (with_ids) sum = floor_add_integer(sum, item->id);
        sum = add_text(sum, item->name);
        sum = add_text(sum, item->code);
        sum = add_text(sum, item->note);
        sum = floor_add_integer(sum, item->amount);
        sum = floor_add_integer(sum, item->rank);
        sum = floor_add_integer(sum, item->stock);
        sum = floor_add_real(sum, item->price);
        sum = floor_add_real(sum, item->weight);
        sum = floor_add_integer(sum, item->recorded_at);
        sum = floor_add_integer(sum, item->is_active);
    }
    return sum;
}

uint64_t floor_graph_checksum(FloorGraph graph) {
    uint64_t sum = floor_add_integer(FLOOR_CHECKSUM, graph.project_count);
    for (int64_t index = 0; index < graph.project_count; index++) {
        const FloorProject *project = &graph.projects[index];
        sum = add_text(sum, project->name);
        sum = add_text(sum, project->code);
        sum = floor_add_real(sum, project->budget);
        sum = add_text(sum, project->lead->name);
        sum = floor_add_integer(sum, project->lead->born);
        sum = floor_add_integer(sum, project->tag_count);
        for (int64_t tag = 0; tag < project->tag_count; tag++) sum = add_text(sum, project->tags[tag]);
        sum = floor_add_integer(sum, project->meeting_count);
        for (int64_t meeting = 0; meeting < project->meeting_count; meeting++) {
            sum = add_text(sum, project->meetings[meeting]->title);
            sum = floor_add_integer(sum, project->meetings[meeting]->starts_at);
            sum = floor_add_integer(sum, project->meetings[meeting]->minutes);
        }
    }
    return sum;
}
