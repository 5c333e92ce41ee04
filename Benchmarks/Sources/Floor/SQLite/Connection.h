#ifndef SQLITE_CONNECTION_H
#define SQLITE_CONNECTION_H

#include "../Engine.h"

#include <sqlite3.h>

/// A connection, and the statements that are prepared.
typedef struct {
    sqlite3 *handle;
    bool writes;
    sqlite3_stmt *statements[32];
    const char *texts[32];
    int statement_count;
} Connection;

/// Ends the process unless the code is the expected one.
static inline void expect(Connection *connection, int code, int expected) {
    if (code != expected) fail("SQLite", sqlite3_errmsg(connection->handle));
}

void sqlite_execute(Connection *connection, const char *sql);
/// The statement of a text, which has to stay. It is prepared the first time, and kept.
sqlite3_stmt *sqlite_prepare(Connection *connection, const char *sql);

/// Gives a connection that is to write a cache that most transactions fit in, as Holdfast does.
void sqlite_expect_writes(Connection *connection);

/// Runs a statement that returns nothing, and makes it ready for the next time.
static inline void run(Connection *connection, sqlite3_stmt *statement) {
    expect(connection, sqlite3_step(statement), SQLITE_DONE);
    sqlite3_reset(statement);
}

/// Makes a statement ready for the next time that it is asked for.
static inline void put_back(Connection *connection, sqlite3_stmt *statement) {
    expect(connection, sqlite3_reset(statement), SQLITE_OK);
    sqlite3_clear_bindings(statement);
}

/// The text stays where it is until the statement has run.
static inline void bind_text(sqlite3_stmt *statement, int position, FloorText text) {
    sqlite3_bind_text(statement, position, text.bytes, (int)text.length, SQLITE_STATIC);
}

static inline FloorText column_text(sqlite3_stmt *statement, int column) {
    const unsigned char *bytes = sqlite3_column_text(statement, column);
    return copy_text(bytes, sqlite3_column_bytes(statement, column));
}

void sqlite_save_items(void *connection, FloorItems items);
void sqlite_save_items_singly(void *connection, FloorItems items);
FloorItems sqlite_fetch_items(void *connection);
uint64_t sqlite_stream_items(void *connection);
void sqlite_find_items(void *connection, const int64_t *keys, int64_t count, bool in_transaction, FloorItem *items);
void sqlite_update_items(void *connection, FloorItems items);
void sqlite_save_graph(void *connection, FloorGraph graph);
FloorGraph sqlite_load_graph(void *connection);
void sqlite_save_web(void *connection, FloorWeb web);
FloorWeb sqlite_load_web(void *connection);
void sqlite_save_catalogue(void *connection, FloorCatalogue catalogue);
uint64_t sqlite_add_rows(void *connection, const char *sql, uint64_t checksum);
void sqlite_set_documents(void *connection, const FloorText *keys, const FloorText *values, int64_t count);
int64_t sqlite_get_documents(void *connection, const FloorText *keys, int64_t count);
int64_t sqlite_document_keys(void *connection, const char *sql, const FloorText *values, int64_t count);

#endif
