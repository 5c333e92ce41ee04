#include "Connection.h"

/// Begins an array of one dimension and without nulls.
static void begin_array(Buffer *buffer, int32_t type, int64_t count) {
    put_int32(buffer, 1);
    put_int32(buffer, 0);
    put_int32(buffer, type);
    put_int32(buffer, (int32_t)count);
    put_int32(buffer, 1);
}

void postgres_set_documents(void *opened, const FloorText *keys, const FloorText *values, int64_t count) {
    Connection *connection = opened;
    Buffer key_array = {0};
    Buffer value_array = {0};
    begin_array(&key_array, 25, count);
    begin_array(&value_array, 3802, count);
    for (int64_t index = 0; index < count; index++) {
        put_text(&key_array, keys[index]);
        // A version, and the text.
        put_int32(&value_array, (int32_t)values[index].length + 1);
        *room(&value_array, 1) = 1;
        memcpy(room(&value_array, (size_t)values[index].length), values[index].bytes, (size_t)values[index].length);
    }
    Parameters parameters = {0};
    add_parameter(&parameters, key_array.bytes, key_array.length);
    add_parameter(&parameters, value_array.bytes, value_array.length);
    PQclear(postgres_query_once(
        connection,
        "INSERT INTO keyed_document (table_name, document_key, value, added_at, updated_at, expires_at, version)"
        " SELECT 't', k, v, now(), now(), NULL, 0 FROM unnest($1::text[], $2::jsonb[]) AS new (k, v)"
        " ON CONFLICT (table_name, document_key) DO UPDATE SET value = excluded.value,"
        " updated_at = excluded.updated_at, expires_at = NULL, version = keyed_document.version + 1",
        &parameters));
    free(key_array.bytes);
    free(value_array.bytes);
}

int64_t postgres_get_documents(void *opened, const FloorText *keys, int64_t count) {
    Connection *connection = opened;
    const int statement = postgres_prepare(
        connection,
        "SELECT document_key, value, added_at, updated_at, expires_at, version FROM keyed_document"
        " WHERE table_name = 't' AND document_key = $1");
    int64_t length = 0;
    for (int64_t index = 0; index < count; index++) {
        Parameters parameters = {0};
        add_parameter(&parameters, keys[index].bytes, (size_t)keys[index].length);
        PGresult *result = postgres_run(connection, statement, &parameters);
        if (PQntuples(result) != 1) fail("a key", "leads nowhere");
        FloorText value = text_at(result, 0, 1);
        length += value.length - 1;
        free(value.bytes);
        PQclear(result);
    }
    return length;
}

int64_t postgres_document_keys(void *opened, const char *sql, const FloorText *values, int64_t count) {
    Connection *connection = opened;
    const int statement = postgres_prepare(connection, sql);
    int64_t found = 0;
    for (int64_t index = 0; index < count; index++) {
        Parameters parameters = {0};
        add_parameter(&parameters, "t", 1);
        add_parameter(&parameters, values[index].bytes, (size_t)values[index].length);
        PGresult *result = postgres_run(connection, statement, &parameters);
        for (int row = 0; row < PQntuples(result); row++) {
            FloorText key = text_at(result, row, 0);
            free(key.bytes);
            found++;
        }
        PQclear(result);
    }
    return found;
}
