#include "Links.h"

Links make_links(int64_t count) {
    uint64_t size = 16;
    while (size < (uint64_t)count * 2) size *= 2;
    Links links = {allocate(size * sizeof(int64_t)), allocate(size * sizeof(int64_t)), size - 1};
    memset(links.indexes, 0xFF, size * sizeof(int64_t));
    return links;
}

void free_links(Links links) {
    free(links.ids);
    free(links.indexes);
}

/// Whether an array of so many is full.
static bool is_full(int64_t count) { return (count & (count - 1)) == 0; }

void add_tag(FloorProject *project, FloorText tag) {
    const int64_t count = project->tag_count;
    if (is_full(count)) project->tags = resize(project->tags, (size_t)(count ? count * 2 : 1) * sizeof *project->tags);
    project->tags[project->tag_count++] = tag;
}

void add_meeting(FloorProject *project, FloorMeeting *meeting) {
    const int64_t count = project->meeting_count;
    if (is_full(count)) {
        project->meetings = resize(project->meetings, (size_t)(count ? count * 2 : 1) * sizeof *project->meetings);
    }
    project->meetings[project->meeting_count++] = meeting;
}
