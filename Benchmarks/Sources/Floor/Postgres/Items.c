#include "Connection.h"

#define COLUMNS "name, code, note, amount, rank, stock, price, weight, recorded_at, is_active"

void postgres_save_items(void *opened, FloorItems items) {
    Connection *connection = opened;
    Buffer buffer = {0};
    postgres_execute(connection, "BEGIN");
    PGresult *keys = postgres_reserve_keys(connection, "item", items.count);
    postgres_begin_copy(connection, &buffer, "COPY item (id, " COLUMNS ") FROM STDIN BINARY");
    for (int64_t index = 0; index < items.count; index++) {
        FloorItem *item = &items.values[index];
        item->id = integer_at(keys, (int)index, 0);
        begin_row(&buffer, 11);
        put_integer(&buffer, item->id);
        put_text(&buffer, item->name);
        put_text(&buffer, item->code);
        put_text(&buffer, item->note);
        put_integer(&buffer, item->amount);
        put_integer(&buffer, item->rank);
        put_integer(&buffer, item->stock);
        put_real(&buffer, item->price);
        put_real(&buffer, item->weight);
        put_moment(&buffer, item->recorded_at);
        put_bool(&buffer, item->is_active);
        postgres_send_rows(connection, &buffer);
    }
    postgres_end_copy(connection, &buffer);
    postgres_execute(connection, "COMMIT");
    PQclear(keys);
    free(buffer.bytes);
}

void postgres_save_items_singly(void *opened, FloorItems items) {
    Connection *connection = opened;
    const int statement = postgres_prepare(
        connection, "INSERT INTO item (" COLUMNS ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id");
    for (int64_t index = 0; index < items.count; index++) {
        FloorItem *item = &items.values[index];
        // Six of 64 bits, one after the other.
        Buffer buffer = {0};
        put_int64(&buffer, item->amount);
        put_int64(&buffer, item->rank);
        put_int64(&buffer, item->stock);
        int64_t bits[2];
        memcpy(&bits[0], &item->price, sizeof bits[0]);
        memcpy(&bits[1], &item->weight, sizeof bits[1]);
        put_int64(&buffer, bits[0]);
        put_int64(&buffer, bits[1]);
        put_int64(&buffer, item->recorded_at - EPOCH);
        const char is_active = item->is_active;
        Parameters parameters = {0};
        add_parameter(&parameters, item->name.bytes, (size_t)item->name.length);
        add_parameter(&parameters, item->code.bytes, (size_t)item->code.length);
        add_parameter(&parameters, item->note.bytes, (size_t)item->note.length);
        for (int number = 0; number < 6; number++) add_parameter(&parameters, buffer.bytes + number * 8, 8);
        add_parameter(&parameters, &is_active, 1);
        PGresult *result = postgres_run(connection, statement, &parameters);
        item->id = integer_at(result, 0, 0);
        PQclear(result);
        free(buffer.bytes);
    }
}

static void read_item(const PGresult *result, int row, FloorItem *item) {
    item->id = integer_at(result, row, 0);
    item->name = text_at(result, row, 1);
    item->code = text_at(result, row, 2);
    item->note = text_at(result, row, 3);
    item->amount = integer_at(result, row, 4);
    item->rank = integer_at(result, row, 5);
    item->stock = integer_at(result, row, 6);
    item->price = get_real(PQgetvalue(result, row, 7));
    item->weight = get_real(PQgetvalue(result, row, 8));
    item->recorded_at = get_moment(PQgetvalue(result, row, 9));
    item->is_active = *PQgetvalue(result, row, 10) != 0;
}

FloorItems postgres_fetch_items(void *connection) {
    PGresult *result = postgres_query(connection, "SELECT id, " COLUMNS " FROM item ORDER BY id");
    const int count = PQntuples(result);
    FloorItems items = {allocate((size_t)count * sizeof(FloorItem)), count};
    for (int row = 0; row < count; row++) read_item(result, row, &items.values[row]);
    PQclear(result);
    return items;
}

uint64_t postgres_stream_items(void *opened) {
    Connection *connection = opened;
    uint64_t sum = 0;
    postgres_execute(connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    postgres_execute(
        connection, "DECLARE items NO SCROLL CURSOR FOR SELECT id, " COLUMNS " FROM item ORDER BY id");
    int count;
    do {
        PGresult *result = postgres_query(connection, "FETCH FORWARD 1000 FROM items");
        count = PQntuples(result);
        for (int row = 0; row < count; row++) {
            FloorItem item;
            read_item(result, row, &item);
            sum += floor_item_summand(&item);
            floor_free_item(&item);
        }
        PQclear(result);
    } while (count > 0);
    postgres_execute(connection, "COMMIT");
    return sum;
}

void postgres_find_items(void *opened, const int64_t *keys, int64_t count, bool in_transaction, FloorItem *items) {
    Connection *connection = opened;
    const int statement = postgres_prepare(connection, "SELECT id, " COLUMNS " FROM item WHERE id = $1");
    if (in_transaction) postgres_execute(connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    for (int64_t index = 0; index < count; index++) {
        const uint64_t key = NETWORK64((uint64_t)keys[index]);
        Parameters parameters = {0};
        add_parameter(&parameters, &key, sizeof key);
        PGresult *result = postgres_run(connection, statement, &parameters);
        if (PQntuples(result) != 1) fail("a key", "leads nowhere");
        read_item(result, 0, &items[index]);
        PQclear(result);
    }
    if (in_transaction) postgres_execute(connection, "COMMIT");
}

/// Begins an array of bigint, of one dimension and without nulls.
static void begin_array(Buffer *buffer, int64_t count) {
    put_int32(buffer, 1);
    put_int32(buffer, 0);
    put_int32(buffer, 20);
    put_int32(buffer, (int32_t)count);
    put_int32(buffer, 1);
}

void postgres_update_items(void *opened, FloorItems items) {
    Connection *connection = opened;
    Buffer ids = {0};
    Buffer values = {0};
    begin_array(&ids, items.count);
    begin_array(&values, items.count);
    for (int64_t index = 0; index < items.count; index++) {
        put_integer(&ids, items.values[index].id);
        put_integer(&values, items.values[index].stock);
    }
    Parameters parameters = {0};
    add_parameter(&parameters, ids.bytes, ids.length);
    add_parameter(&parameters, values.bytes, values.length);
    PQclear(postgres_query_once(
        connection,
        "UPDATE item SET stock = changed.stock FROM unnest($1::bigint[], $2::bigint[]) AS changed (id, stock)"
        " WHERE item.id = changed.id",
        &parameters));
    free(ids.bytes);
    free(values.bytes);
}
