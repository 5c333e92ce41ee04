#include "Connection.h"

void sqlite_execute(Connection *connection, const char *sql) {
    expect(connection, sqlite3_exec(connection->handle, sql, NULL, NULL, NULL), SQLITE_OK);
}

sqlite3_stmt *sqlite_prepare(Connection *connection, const char *sql) {
    for (int place = 0; place < connection->statement_count; place++) {
        if (connection->texts[place] == sql) return connection->statements[place];
    }
    const int place = connection->statement_count++;
    if (place == sizeof connection->texts / sizeof *connection->texts) fail("SQLite", "too many statements");
    connection->texts[place] = sql;
    expect(
        connection,
        sqlite3_prepare_v3(
            connection->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &connection->statements[place], NULL),
        SQLITE_OK);
    return connection->statements[place];
}

void sqlite_expect_writes(Connection *connection) {
    if (connection->writes) return;
    sqlite_execute(connection, "PRAGMA cache_size = -65536");
    connection->writes = true;
}

static void *open_connection(const char *path, const char *schema) {
    (void)schema;
    Connection *connection = allocate(sizeof *connection);
    *connection = (Connection){0};
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    expect(connection, sqlite3_open_v2(path, &connection->handle, flags, NULL), SQLITE_OK);
    sqlite3_busy_timeout(connection->handle, 10000);
    sqlite_execute(connection, "PRAGMA journal_mode = WAL");
    sqlite_execute(connection, "PRAGMA synchronous = NORMAL");
    sqlite_execute(connection, "PRAGMA foreign_keys = ON");
    // A floor: the log is not put back into the file while the time is taken.
    sqlite_execute(connection, "PRAGMA wal_autocheckpoint = 0");
    return connection;
}

static void close_connection(void *opened) {
    Connection *connection = opened;
    for (int place = 0; place < connection->statement_count; place++) sqlite3_finalize(connection->statements[place]);
    expect(connection, sqlite3_close(connection->handle), SQLITE_OK);
    free(connection);
}

static void settle(void *connection) {
    // Another process may be closing the same file.
    sqlite3_wal_checkpoint_v2(((Connection *)connection)->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
}

static void delete_all(void *connection) {
    sqlite_execute(
        connection,
        "BEGIN IMMEDIATE; DELETE FROM project_meetings; DELETE FROM project_tags; DELETE FROM project;"
        "DELETE FROM meeting; DELETE FROM person; DELETE FROM item; DELETE FROM node_links; DELETE FROM node;"
        "DELETE FROM package_dependency_clauses; DELETE FROM package_pre_dependency_clauses;"
        "DELETE FROM package_unresolved_dependencies; DELETE FROM package_provided_names; DELETE FROM package_tags;"
        "DELETE FROM package_dependencies; DELETE FROM package_pre_dependencies; DELETE FROM package;"
        "DELETE FROM maintainer; DELETE FROM section; COMMIT");
    settle(connection);
}

static void execute_any(void *connection, const char *sql) { sqlite_execute(connection, sql); }

static char *version(void *connection) {
    (void)connection;
    return floor_sqlite_version();
}

void floor_keep_sqlite_defaults(void) {
    if (sqlite3_initialize() != SQLITE_OK) fail("SQLite", "can't be used");
}

char *floor_sqlite_version(void) {
    const char *version = sqlite3_libversion();
    return copy_text(version, (int64_t)strlen(version)).bytes;
}

const Engine sqlite_engine = {
    .open = open_connection,
    .close = close_connection,
    .save_items = sqlite_save_items,
    .save_items_singly = sqlite_save_items_singly,
    .fetch_items = sqlite_fetch_items,
    .stream_items = sqlite_stream_items,
    .find_items = sqlite_find_items,
    .update_items = sqlite_update_items,
    .save_graph = sqlite_save_graph,
    .load_graph = sqlite_load_graph,
    .save_web = sqlite_save_web,
    .load_web = sqlite_load_web,
    .save_catalogue = sqlite_save_catalogue,
    .set_documents = sqlite_set_documents,
    .get_documents = sqlite_get_documents,
    .document_keys = sqlite_document_keys,
    .add_rows = sqlite_add_rows,
    .delete_all = delete_all,
    .settle = settle,
    .execute = execute_any,
    .version = version,
};
