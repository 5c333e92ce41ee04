#include "../Links.h"
#include "Connection.h"

static void save_people(Connection *connection, FloorGraph graph) {
    sqlite3_stmt *statement = sqlite_prepare(connection, "INSERT INTO person (name, born) VALUES (?, ?)");
    for (int64_t index = 0; index < graph.person_count; index++) {
        FloorPerson *person = &graph.people[index];
        bind_text(statement, 1, person->name);
        sqlite3_bind_int64(statement, 2, person->born);
        run(connection, statement);
        person->id = sqlite3_last_insert_rowid(connection->handle);
    }
    put_back(connection, statement);
}

static void save_meetings(Connection *connection, FloorGraph graph) {
    sqlite3_stmt *statement = sqlite_prepare(connection, "INSERT INTO meeting (title, starts_at, minutes) VALUES (?, ?, ?)");
    for (int64_t index = 0; index < graph.meeting_count; index++) {
        FloorMeeting *meeting = &graph.meetings[index];
        bind_text(statement, 1, meeting->title);
        sqlite3_bind_int64(statement, 2, meeting->starts_at);
        sqlite3_bind_int64(statement, 3, meeting->minutes);
        run(connection, statement);
        meeting->id = sqlite3_last_insert_rowid(connection->handle);
    }
    put_back(connection, statement);
}

static void save_projects(Connection *connection, FloorGraph graph) {
    sqlite3_stmt *statement =
        sqlite_prepare(connection, "INSERT INTO project (name, code, budget, lead_id) VALUES (?, ?, ?, ?)");
    for (int64_t index = 0; index < graph.project_count; index++) {
        FloorProject *project = &graph.projects[index];
        bind_text(statement, 1, project->name);
        bind_text(statement, 2, project->code);
        sqlite3_bind_double(statement, 3, project->budget);
        sqlite3_bind_int64(statement, 4, project->lead->id);
        run(connection, statement);
        project->id = sqlite3_last_insert_rowid(connection->handle);
    }
    put_back(connection, statement);
}

static void save_elements(Connection *connection, FloorGraph graph) {
    sqlite3_stmt *tags =
        sqlite_prepare(connection, "INSERT INTO project_tags (project_id, position, value) VALUES (?, ?, ?)");
    sqlite3_stmt *meetings =
        sqlite_prepare(connection, "INSERT INTO project_meetings (project_id, position, meeting_id) VALUES (?, ?, ?)");
    for (int64_t index = 0; index < graph.project_count; index++) {
        const FloorProject *project = &graph.projects[index];
        for (int64_t position = 0; position < project->tag_count; position++) {
            sqlite3_bind_int64(tags, 1, project->id);
            sqlite3_bind_int64(tags, 2, position * FLOOR_STRIDE);
            bind_text(tags, 3, project->tags[position]);
            run(connection, tags);
        }
        for (int64_t position = 0; position < project->meeting_count; position++) {
            sqlite3_bind_int64(meetings, 1, project->id);
            sqlite3_bind_int64(meetings, 2, position * FLOOR_STRIDE);
            sqlite3_bind_int64(meetings, 3, project->meetings[position]->id);
            run(connection, meetings);
        }
    }
    put_back(connection, tags);
    put_back(connection, meetings);
}

void sqlite_save_graph(void *connection, FloorGraph graph) {
    sqlite_expect_writes(connection);
    sqlite_execute(connection, "BEGIN IMMEDIATE");
    save_people(connection, graph);
    save_meetings(connection, graph);
    save_projects(connection, graph);
    save_elements(connection, graph);
    sqlite_execute(connection, "COMMIT");
}

/// Runs the block for each row of a statement.
#define FOR_EACH_ROW(connection, statement, sql)                                                                       \
    for (sqlite3_stmt *statement = sqlite_prepare(connection, sql); statement; statement = end(connection, statement))        \
        while (next_row(connection, statement))

static bool next_row(Connection *connection, sqlite3_stmt *statement) {
    const int code = sqlite3_step(statement);
    if (code != SQLITE_ROW) expect(connection, code, SQLITE_DONE);
    return code == SQLITE_ROW;
}

static sqlite3_stmt *end(Connection *connection, sqlite3_stmt *statement) {
    put_back(connection, statement);
    return NULL;
}

static Links load_people(Connection *connection, FloorGraph *graph) {
    int64_t capacity = 0;
    FOR_EACH_ROW(connection, row, "SELECT id, name, born FROM person") {
        GROW(graph->people, graph->person_count, capacity);
        graph->people[graph->person_count++] =
            (FloorPerson){sqlite3_column_int64(row, 0), column_text(row, 1), sqlite3_column_int64(row, 2)};
    }
    Links links = make_links(graph->person_count);
    for (int64_t index = 0; index < graph->person_count; index++) add_link(links, graph->people[index].id, index);
    return links;
}

static Links load_meetings(Connection *connection, FloorGraph *graph) {
    int64_t capacity = 0;
    FOR_EACH_ROW(connection, row, "SELECT id, title, starts_at, minutes FROM meeting") {
        GROW(graph->meetings, graph->meeting_count, capacity);
        graph->meetings[graph->meeting_count++] = (FloorMeeting){
            sqlite3_column_int64(row, 0), column_text(row, 1), sqlite3_column_int64(row, 2),
            sqlite3_column_int64(row, 3)};
    }
    Links links = make_links(graph->meeting_count);
    for (int64_t index = 0; index < graph->meeting_count; index++) add_link(links, graph->meetings[index].id, index);
    return links;
}

static Links load_projects(Connection *connection, FloorGraph *graph, Links people) {
    int64_t capacity = 0;
    FOR_EACH_ROW(connection, row, "SELECT id, name, code, budget, lead_id FROM project ORDER BY id") {
        GROW(graph->projects, graph->project_count, capacity);
        graph->projects[graph->project_count++] = (FloorProject){
            .id = sqlite3_column_int64(row, 0),
            .name = column_text(row, 1),
            .code = column_text(row, 2),
            .budget = sqlite3_column_double(row, 3),
            .lead = &graph->people[follow(people, sqlite3_column_int64(row, 4))],
        };
    }
    Links links = make_links(graph->project_count);
    for (int64_t index = 0; index < graph->project_count; index++) add_link(links, graph->projects[index].id, index);
    return links;
}

FloorGraph sqlite_load_graph(void *connection) {
    FloorGraph graph = {0};
    sqlite_execute(connection, "BEGIN");
    const Links people = load_people(connection, &graph);
    const Links meetings = load_meetings(connection, &graph);
    const Links projects = load_projects(connection, &graph, people);
    FOR_EACH_ROW(connection, row, "SELECT project_id, value FROM project_tags ORDER BY project_id, position") {
        add_tag(&graph.projects[follow(projects, sqlite3_column_int64(row, 0))], column_text(row, 1));
    }
    FOR_EACH_ROW(
        connection, row, "SELECT project_id, meeting_id FROM project_meetings ORDER BY project_id, position") {
        add_meeting(
            &graph.projects[follow(projects, sqlite3_column_int64(row, 0))],
            &graph.meetings[follow(meetings, sqlite3_column_int64(row, 1))]);
    }
    sqlite_execute(connection, "COMMIT");
    free_links(people);
    free_links(meetings);
    free_links(projects);
    return graph;
}
