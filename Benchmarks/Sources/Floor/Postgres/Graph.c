#include "../Links.h"
#include "Connection.h"

static void save_people(Connection *connection, Buffer *buffer, FloorGraph graph) {
    PGresult *keys = postgres_reserve_keys(connection, "person", graph.person_count);
    postgres_begin_copy(connection, buffer, "COPY person (id, name, born) FROM STDIN BINARY");
    for (int64_t index = 0; index < graph.person_count; index++) {
        FloorPerson *person = &graph.people[index];
        person->id = integer_at(keys, (int)index, 0);
        begin_row(buffer, 3);
        put_integer(buffer, person->id);
        put_text(buffer, person->name);
        put_integer(buffer, person->born);
        postgres_send_rows(connection, buffer);
    }
    postgres_end_copy(connection, buffer);
    PQclear(keys);
}

static void save_meetings(Connection *connection, Buffer *buffer, FloorGraph graph) {
    PGresult *keys = postgres_reserve_keys(connection, "meeting", graph.meeting_count);
    postgres_begin_copy(connection, buffer, "COPY meeting (id, title, starts_at, minutes) FROM STDIN BINARY");
    for (int64_t index = 0; index < graph.meeting_count; index++) {
        FloorMeeting *meeting = &graph.meetings[index];
        meeting->id = integer_at(keys, (int)index, 0);
        begin_row(buffer, 4);
        put_integer(buffer, meeting->id);
        put_text(buffer, meeting->title);
        put_moment(buffer, meeting->starts_at);
        put_integer(buffer, meeting->minutes);
        postgres_send_rows(connection, buffer);
    }
    postgres_end_copy(connection, buffer);
    PQclear(keys);
}

static void save_projects(Connection *connection, Buffer *buffer, FloorGraph graph) {
    PGresult *keys = postgres_reserve_keys(connection, "project", graph.project_count);
    postgres_begin_copy(connection, buffer, "COPY project (id, name, code, budget, lead_id) FROM STDIN BINARY");
    for (int64_t index = 0; index < graph.project_count; index++) {
        FloorProject *project = &graph.projects[index];
        project->id = integer_at(keys, (int)index, 0);
        begin_row(buffer, 5);
        put_integer(buffer, project->id);
        put_text(buffer, project->name);
        put_text(buffer, project->code);
        put_real(buffer, project->budget);
        put_integer(buffer, project->lead->id);
        postgres_send_rows(connection, buffer);
    }
    postgres_end_copy(connection, buffer);
    PQclear(keys);
}

static void save_tags(Connection *connection, Buffer *buffer, FloorGraph graph) {
    postgres_begin_copy(connection, buffer, "COPY project_tags (project_id, position, value) FROM STDIN BINARY");
    for (int64_t index = 0; index < graph.project_count; index++) {
        const FloorProject *project = &graph.projects[index];
        for (int64_t position = 0; position < project->tag_count; position++) {
            begin_row(buffer, 3);
            put_integer(buffer, project->id);
            put_integer(buffer, position * FLOOR_STRIDE);
            put_text(buffer, project->tags[position]);
        }
        postgres_send_rows(connection, buffer);
    }
    postgres_end_copy(connection, buffer);
}

static void save_links(Connection *connection, Buffer *buffer, FloorGraph graph) {
    postgres_begin_copy(connection, buffer, "COPY project_meetings (project_id, position, meeting_id) FROM STDIN BINARY");
    for (int64_t index = 0; index < graph.project_count; index++) {
        const FloorProject *project = &graph.projects[index];
        for (int64_t position = 0; position < project->meeting_count; position++) {
            begin_row(buffer, 3);
            put_integer(buffer, project->id);
            put_integer(buffer, position * FLOOR_STRIDE);
            put_integer(buffer, project->meetings[position]->id);
        }
        postgres_send_rows(connection, buffer);
    }
    postgres_end_copy(connection, buffer);
}

void postgres_save_graph(void *connection, FloorGraph graph) {
    Buffer buffer = {0};
    postgres_execute(connection, "BEGIN");
    save_people(connection, &buffer, graph);
    save_meetings(connection, &buffer, graph);
    save_projects(connection, &buffer, graph);
    save_tags(connection, &buffer, graph);
    save_links(connection, &buffer, graph);
    postgres_execute(connection, "COMMIT");
    free(buffer.bytes);
}

static Links load_people(Statements *statements, FloorGraph *graph) {
    PGresult *result = postgres_next(statements);
    graph->person_count = PQntuples(result);
    graph->people = allocate((size_t)graph->person_count * sizeof *graph->people);
    Links links = make_links(graph->person_count);
    for (int row = 0; row < graph->person_count; row++) {
        graph->people[row] =
            (FloorPerson){integer_at(result, row, 0), text_at(result, row, 1), integer_at(result, row, 2)};
        add_link(links, graph->people[row].id, row);
    }
    PQclear(result);
    return links;
}

static Links load_meetings(Statements *statements, FloorGraph *graph) {
    PGresult *result = postgres_next(statements);
    graph->meeting_count = PQntuples(result);
    graph->meetings = allocate((size_t)graph->meeting_count * sizeof *graph->meetings);
    Links links = make_links(graph->meeting_count);
    for (int row = 0; row < graph->meeting_count; row++) {
        graph->meetings[row] = (FloorMeeting){
            integer_at(result, row, 0), text_at(result, row, 1), get_moment(PQgetvalue(result, row, 2)),
            integer_at(result, row, 3)};
        add_link(links, graph->meetings[row].id, row);
    }
    PQclear(result);
    return links;
}

static Links load_projects(Statements *statements, FloorGraph *graph, Links people) {
    PGresult *result = postgres_next(statements);
    graph->project_count = PQntuples(result);
    graph->projects = allocate((size_t)graph->project_count * sizeof *graph->projects);
    Links links = make_links(graph->project_count);
    for (int row = 0; row < graph->project_count; row++) {
        graph->projects[row] = (FloorProject){
            .id = integer_at(result, row, 0),
            .name = text_at(result, row, 1),
            .code = text_at(result, row, 2),
            .budget = get_real(PQgetvalue(result, row, 3)),
            .lead = &graph->people[follow(people, integer_at(result, row, 4))],
        };
        add_link(links, graph->projects[row].id, row);
    }
    PQclear(result);
    return links;
}

static void load_tags(Statements *statements, FloorGraph graph, Links projects) {
    PGresult *result = postgres_next(statements);
    const int count = PQntuples(result);
    for (int row = 0; row < count; row++) {
        add_tag(&graph.projects[follow(projects, integer_at(result, row, 0))], text_at(result, row, 1));
    }
    PQclear(result);
}

static void link_meetings(Statements *statements, FloorGraph graph, Links projects, Links meetings) {
    PGresult *result = postgres_next(statements);
    const int count = PQntuples(result);
    for (int row = 0; row < count; row++) {
        add_meeting(
            &graph.projects[follow(projects, integer_at(result, row, 0))],
            &graph.meetings[follow(meetings, integer_at(result, row, 1))]);
    }
    PQclear(result);
}

FloorGraph postgres_load_graph(void *connection) {
    static const char *const texts[] = {
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        "SELECT id, name, born FROM person",
        "SELECT id, title, starts_at, minutes FROM meeting",
        "SELECT id, name, code, budget, lead_id FROM project ORDER BY id",
        "SELECT project_id, value FROM project_tags ORDER BY project_id, position",
        "SELECT project_id, meeting_id FROM project_meetings ORDER BY project_id, position",
        "COMMIT",
    };
    FloorGraph graph = {0};
    Statements statements = postgres_begin(connection, texts, sizeof texts / sizeof *texts);
    PQclear(postgres_next(&statements));
    const Links people = load_people(&statements, &graph);
    const Links meetings = load_meetings(&statements, &graph);
    const Links projects = load_projects(&statements, &graph, people);
    load_tags(&statements, graph, projects);
    link_meetings(&statements, graph, projects, meetings);
    PQclear(postgres_next(&statements));
    postgres_end(&statements);
    free_links(people);
    free_links(meetings);
    free_links(projects);
    return graph;
}
