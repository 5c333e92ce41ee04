#ifndef POSTGRES_CONNECTION_H
#define POSTGRES_CONNECTION_H

#include "../Engine.h"
#include "Binary.h"

#include <libpq-fe.h>

/// A connection, and the texts of the statements that are prepared.
typedef struct {
    PGconn *handle;
    const char *texts[32];
    char names[32][8];
    int statement_count;
    /// Whether statements that need nothing of each other are sent together.
    bool pipelines;
} Connection;

/// Statements without parameters, of which each has its result taken in turn.
typedef struct {
    Connection *connection;
    const char *const *texts;
    int count;
    int taken;
} Statements;

/// Parameters that are sent in binary, at the most as many as an item has columns.
typedef struct {
    int count;
    const char *values[10];
    int lengths[10];
    int formats[10];
} Parameters;

static inline void add_parameter(Parameters *parameters, const void *bytes, size_t length) {
    parameters->values[parameters->count] = bytes;
    parameters->lengths[parameters->count] = (int)length;
    parameters->formats[parameters->count] = 1;
    parameters->count++;
}

/// A result that succeeded, or the end of the process.
PGresult *postgres_checked(Connection *connection, PGresult *result);

/// Runs a command without parameters and results.
void postgres_execute(Connection *connection, const char *sql);
/// The statement of a text, which has to stay. It is prepared the first time, and kept.
int postgres_prepare(Connection *connection, const char *sql);
/// The rows of a statement, in binary.
PGresult *postgres_run(Connection *connection, int statement, const Parameters *parameters);
/// The rows of a query that is prepared, and those of one that is not.
PGresult *postgres_query(Connection *connection, const char *sql);
PGresult *postgres_query_once(Connection *connection, const char *sql, const Parameters *parameters);

/// Begins statements, whose texts have to stay: sends them all, if the connection pipelines.
Statements postgres_begin(Connection *connection, const char *const *texts, int count);
/// The result of the next statement, in binary.
PGresult *postgres_next(Statements *statements);
/// Ends statements whose results were all taken.
void postgres_end(Statements *statements);

/// Takes as many keys of a table as are needed, to be written with the rows.
PGresult *postgres_reserve_keys(Connection *connection, const char *table, int64_t count);

/// Sends rows by COPY: begin, then for each row `begin_row` and its fields, then `send_rows` now and then, and end.
void postgres_begin_copy(Connection *connection, Buffer *buffer, const char *sql);
static inline void begin_row(Buffer *buffer, int16_t fields) { put_int16(buffer, fields); }
/// Sends what is there once that is much.
void postgres_send_rows(Connection *connection, Buffer *buffer);
void postgres_end_copy(Connection *connection, Buffer *buffer);

static inline int64_t integer_at(const PGresult *result, int row, int column) {
    return get_int64(PQgetvalue(result, row, column));
}

static inline FloorText text_at(const PGresult *result, int row, int column) {
    return copy_text(PQgetvalue(result, row, column), PQgetlength(result, row, column));
}

void postgres_save_items(void *connection, FloorItems items);
void postgres_save_items_singly(void *connection, FloorItems items);
FloorItems postgres_fetch_items(void *connection);
uint64_t postgres_stream_items(void *connection);
void postgres_find_items(void *connection, const int64_t *keys, int64_t count, bool in_transaction, FloorItem *items);
void postgres_update_items(void *connection, FloorItems items);
void postgres_save_graph(void *connection, FloorGraph graph);
FloorGraph postgres_load_graph(void *connection);
void postgres_save_web(void *connection, FloorWeb web);
FloorWeb postgres_load_web(void *connection);
void postgres_save_catalogue(void *connection, FloorCatalogue catalogue);
uint64_t postgres_add_rows(void *connection, const char *sql, uint64_t checksum);
void postgres_set_documents(void *connection, const FloorText *keys, const FloorText *values, int64_t count);
int64_t postgres_get_documents(void *connection, const FloorText *keys, int64_t count);
int64_t postgres_document_keys(void *connection, const char *sql, const FloorText *values, int64_t count);

#endif
