#include "Words.h"

enum { projects_of_a_lead = 10, tags_of_a_project = 5, meetings_of_a_project = 3 };

FloorGraph floor_make_graph(int64_t project_count) {
    Random random = {3};
    FloorGraph graph = {
        .project_count = project_count,
        .person_count = (project_count + projects_of_a_lead - 1) / projects_of_a_lead,
        .meeting_count = project_count * meetings_of_a_project,
    };
    graph.people = allocate((size_t)graph.person_count * sizeof *graph.people);
    for (int64_t index = 0; index < graph.person_count; index++) {
        graph.people[index] = (FloorPerson){.name = make_words(&random, 10), .born = 1940 + below(&random, 70)};
    }
    graph.meetings = allocate((size_t)graph.meeting_count * sizeof *graph.meetings);
    for (int64_t index = 0; index < graph.meeting_count; index++) {
        graph.meetings[index] = (FloorMeeting){
            .title = make_words(&random, 16),
            .starts_at = make_moment(&random),
            .minutes = 15 * (1 + below(&random, 8)),
        };
    }
    graph.projects = allocate((size_t)graph.project_count * sizeof *graph.projects);
    for (int64_t index = 0; index < project_count; index++) {
        FloorProject project = {
            .name = make_words(&random, 12),
            .code = make_code(&random, index),
            .budget = (double)below(&random, 100000000) / 100,
            // Each leads some, in no order.
            .lead = &graph.people[index < graph.person_count ? index : below(&random, graph.person_count)],
            .tag_count = tags_of_a_project,
            .meeting_count = meetings_of_a_project,
        };
        project.tags = allocate(tags_of_a_project * sizeof *project.tags);
        for (int64_t tag = 0; tag < tags_of_a_project; tag++) project.tags[tag] = make_words(&random, 4);
        project.meetings = allocate(meetings_of_a_project * sizeof(FloorMeeting *));
        for (int64_t meeting = 0; meeting < meetings_of_a_project; meeting++) {
            project.meetings[meeting] = &graph.meetings[index * meetings_of_a_project + meeting];
        }
        graph.projects[index] = project;
    }
    return graph;
}

void floor_free_graph(FloorGraph graph) {
    for (int64_t index = 0; index < graph.person_count; index++) free(graph.people[index].name.bytes);
    for (int64_t index = 0; index < graph.meeting_count; index++) free(graph.meetings[index].title.bytes);
    for (int64_t index = 0; index < graph.project_count; index++) {
        FloorProject *project = &graph.projects[index];
        free(project->name.bytes);
        free(project->code.bytes);
        for (int64_t tag = 0; tag < project->tag_count; tag++) free(project->tags[tag].bytes);
        free(project->tags);
        free(project->meetings);
    }
    free(graph.people);
    free(graph.meetings);
    free(graph.projects);
}

int64_t floor_graph_rows(int64_t project_count) {
    return project_count * (1 + tags_of_a_project + 2 * meetings_of_a_project)
        + (project_count + projects_of_a_lead - 1) / projects_of_a_lead;
}
