#include "Connection.h"

void sqlite_set_documents(void *connection, const FloorText *keys, const FloorText *values, int64_t count) {
    sqlite_expect_writes(connection);
    sqlite3_stmt *statement = sqlite_prepare(
        connection,
        "INSERT INTO keyed_document (table_name, document_key, value, added_at, updated_at, expires_at, version)"
        " VALUES ('t', ?, ?, ?3, ?3, NULL, 0) ON CONFLICT (table_name, document_key) DO UPDATE SET"
        " value = excluded.value, updated_at = excluded.updated_at, expires_at = NULL, version = version + 1");
    sqlite_execute(connection, "BEGIN IMMEDIATE");
    for (int64_t index = 0; index < count; index++) {
        bind_text(statement, 1, keys[index]);
        bind_text(statement, 2, values[index]);
        sqlite3_bind_int64(statement, 3, INT64_C(1790000000000000) + index);
        run(connection, statement);
    }
    sqlite_execute(connection, "COMMIT");
}

int64_t sqlite_get_documents(void *connection, const FloorText *keys, int64_t count) {
    sqlite3_stmt *statement = sqlite_prepare(
        connection,
        "SELECT document_key, value, added_at, updated_at, expires_at, version FROM keyed_document"
        " WHERE table_name = 't' AND document_key = ?");
    int64_t length = 0;
    for (int64_t index = 0; index < count; index++) {
        bind_text(statement, 1, keys[index]);
        expect(connection, sqlite3_step(statement), SQLITE_ROW);
        FloorText value = column_text(statement, 1);
        length += value.length;
        free(value.bytes);
        put_back(connection, statement);
    }
    return length;
}

int64_t sqlite_document_keys(void *connection, const char *sql, const FloorText *values, int64_t count) {
    sqlite3_stmt *statement = sqlite_prepare(connection, sql);
    int64_t found = 0;
    for (int64_t index = 0; index < count; index++) {
        sqlite3_bind_text(statement, 1, "t", 1, SQLITE_STATIC);
        bind_text(statement, 2, values[index]);
        while (sqlite3_step(statement) == SQLITE_ROW) {
            FloorText key = column_text(statement, 0);
            free(key.bytes);
            found++;
        }
        put_back(connection, statement);
    }
    return found;
}
