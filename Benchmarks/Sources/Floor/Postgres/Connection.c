#include "Connection.h"

#include <stdio.h>

PGresult *postgres_checked(Connection *connection, PGresult *result) {
    switch (PQresultStatus(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_COPY_IN: return result;
    default: fail("PostgreSQL", PQerrorMessage(connection->handle));
    }
}

void postgres_execute(Connection *connection, const char *sql) {
    PQclear(postgres_checked(connection, PQexec(connection->handle, sql)));
}

int postgres_prepare(Connection *connection, const char *sql) {
    for (int statement = 0; statement < connection->statement_count; statement++) {
        if (connection->texts[statement] == sql) return statement;
    }
    const int statement = connection->statement_count++;
    if (statement == sizeof connection->texts / sizeof *connection->texts) fail("PostgreSQL", "too many statements");
    connection->texts[statement] = sql;
    char *name = connection->names[statement];
    snprintf(name, sizeof connection->names[statement], "s%d", statement);
    PQclear(postgres_checked(connection, PQprepare(connection->handle, name, sql, 0, NULL)));
    return statement;
}

PGresult *postgres_run(Connection *connection, int statement, const Parameters *parameters) {
    return postgres_checked(
        connection, PQexecPrepared(
                        connection->handle, connection->names[statement], parameters->count, parameters->values,
                        parameters->lengths, parameters->formats, 1));
}

PGresult *postgres_query(Connection *connection, const char *sql) {
    return postgres_run(connection, postgres_prepare(connection, sql), &(Parameters){0});
}

PGresult *postgres_query_once(Connection *connection, const char *sql, const Parameters *parameters) {
    return postgres_checked(
        connection, PQexecParams(
                        connection->handle, sql, parameters->count, NULL, parameters->values, parameters->lengths,
                        parameters->formats, 1));
}

Statements postgres_begin(Connection *connection, const char *const *texts, int count) {
    const Statements statements = {connection, texts, count, 0};
    if (!connection->pipelines) return statements;
    int prepared[16];
    for (int index = 0; index < count; index++) prepared[index] = postgres_prepare(connection, texts[index]);
    bool is_sent = PQenterPipelineMode(connection->handle) == 1;
    for (int index = 0; index < count && is_sent; index++) {
        // Without the second, the end of a result waits for the next one.
        is_sent = PQsendQueryPrepared(
                      connection->handle, connection->names[prepared[index]], 0, NULL, NULL, NULL, 1) == 1
            && PQsendFlushRequest(connection->handle) == 1;
    }
    if (!is_sent || PQpipelineSync(connection->handle) != 1) fail("PostgreSQL", PQerrorMessage(connection->handle));
    return statements;
}

PGresult *postgres_next(Statements *statements) {
    Connection *connection = statements->connection;
    const char *text = statements->texts[statements->taken++];
    if (!connection->pipelines) return postgres_query(connection, text);
    PGresult *result = postgres_checked(connection, PQgetResult(connection->handle));
    PQclear(PQgetResult(connection->handle));
    return result;
}

void postgres_end(Statements *statements) {
    PGconn *handle = statements->connection->handle;
    if (!statements->connection->pipelines) return;
    PQclear(PQgetResult(handle));
    if (PQexitPipelineMode(handle) != 1) fail("PostgreSQL", PQerrorMessage(handle));
}

PGresult *postgres_reserve_keys(Connection *connection, const char *table, int64_t count) {
    char sql[160];
    snprintf(
        sql, sizeof sql, "SELECT nextval(pg_get_serial_sequence('%s', 'id')) FROM generate_series(1, %lld)", table,
        (long long)count);
    return postgres_query_once(connection, sql, &(Parameters){0});
}

void postgres_begin_copy(Connection *connection, Buffer *buffer, const char *sql) {
    PQclear(postgres_checked(connection, PQexec(connection->handle, sql)));
    buffer->length = 0;
    // The signature, no flags, no extension.
    memcpy(room(buffer, 11), "PGCOPY\n\377\r\n", 11);
    put_int32(buffer, 0);
    put_int32(buffer, 0);
}

static void send_all(Connection *connection, Buffer *buffer) {
    if (PQputCopyData(connection->handle, buffer->bytes, (int)buffer->length) != 1) {
        fail("COPY", PQerrorMessage(connection->handle));
    }
    buffer->length = 0;
}

void postgres_send_rows(Connection *connection, Buffer *buffer) {
    if (buffer->length >= 64 << 10) send_all(connection, buffer);
}

void postgres_end_copy(Connection *connection, Buffer *buffer) {
    put_int16(buffer, -1);
    send_all(connection, buffer);
    if (PQputCopyEnd(connection->handle, NULL) != 1) fail("COPY", PQerrorMessage(connection->handle));
    PGresult *result;
    while ((result = PQgetResult(connection->handle))) PQclear(postgres_checked(connection, result));
}

static void ignore_notice(void *argument, const PGresult *result) {
    (void)argument;
    (void)result;
}

static void *open_connection(const char *url, const char *schema) {
    Connection *connection = allocate(sizeof *connection);
    *connection = (Connection){.handle = PQconnectdb(url)};
    if (PQstatus(connection->handle) != CONNECTION_OK) fail("PostgreSQL", PQerrorMessage(connection->handle));
    PQsetNoticeReceiver(connection->handle, ignore_notice, NULL);
    char *quoted = PQescapeIdentifier(connection->handle, schema, strlen(schema));
    char sql[160];
    snprintf(sql, sizeof sql, "SET search_path = %s", quoted);
    PQfreemem(quoted);
    postgres_execute(connection, sql);
    return connection;
}

static void close_connection(void *opened) {
    Connection *connection = opened;
    PQfinish(connection->handle);
    free(connection);
}

static void pipeline(void *opened) {
    Connection *connection = opened;
    connection->pipelines = true;
}

#define TABLES                                                                                                         \
    "project_meetings, project_tags, project, meeting, person, item, node_links, node, package_dependency_clauses,"    \
    " package_pre_dependency_clauses, package_unresolved_dependencies, package_provided_names, package_tags,"          \
    " package_dependencies, package_pre_dependencies, package, maintainer, section"

static void delete_all(void *connection) {
    postgres_execute(connection, "TRUNCATE " TABLES);
}

static void settle(void *connection) {
    postgres_execute(connection, "VACUUM ANALYZE " TABLES);
    postgres_execute(connection, "CHECKPOINT");
}

static void execute_any(void *connection, const char *sql) { postgres_execute(connection, sql); }

static char *version(void *opened) {
    Connection *connection = opened;
    const char *version = PQparameterStatus(connection->handle, "server_version");
    return copy_text(version, (int64_t)strlen(version)).bytes;
}

char *floor_libpq_version(void) {
    char version[32];
    const int number = PQlibVersion();
    const int length = snprintf(version, sizeof version, "%d.%d", number / 10000, number % 10000);
    return copy_text(version, length).bytes;
}

const Engine postgres_engine = {
    .open = open_connection,
    .close = close_connection,
    .pipeline = pipeline,
    .save_items = postgres_save_items,
    .save_items_singly = postgres_save_items_singly,
    .fetch_items = postgres_fetch_items,
    .stream_items = postgres_stream_items,
    .find_items = postgres_find_items,
    .update_items = postgres_update_items,
    .save_graph = postgres_save_graph,
    .load_graph = postgres_load_graph,
    .save_web = postgres_save_web,
    .load_web = postgres_load_web,
    .save_catalogue = postgres_save_catalogue,
    .set_documents = postgres_set_documents,
    .get_documents = postgres_get_documents,
    .document_keys = postgres_document_keys,
    .add_rows = postgres_add_rows,
    .delete_all = delete_all,
    .settle = settle,
    .execute = execute_any,
    .version = version,
};
