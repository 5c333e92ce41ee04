#include "Connection.h"

#define COLUMNS "name, code, note, amount, rank, stock, price, weight, recorded_at, is_active"

static sqlite3_stmt *insertion(Connection *connection) {
    sqlite_expect_writes(connection);
    return sqlite_prepare(connection, "INSERT INTO item (" COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
}

static void insert(Connection *connection, sqlite3_stmt *statement, FloorItem *item) {
    bind_text(statement, 1, item->name);
    bind_text(statement, 2, item->code);
    bind_text(statement, 3, item->note);
    sqlite3_bind_int64(statement, 4, item->amount);
    sqlite3_bind_int64(statement, 5, item->rank);
    sqlite3_bind_int64(statement, 6, item->stock);
    sqlite3_bind_double(statement, 7, item->price);
    sqlite3_bind_double(statement, 8, item->weight);
    sqlite3_bind_int64(statement, 9, item->recorded_at);
    sqlite3_bind_int(statement, 10, item->is_active);
    run(connection, statement);
    item->id = sqlite3_last_insert_rowid(connection->handle);
}

void sqlite_save_items(void *connection, FloorItems items) {
    sqlite3_stmt *statement = insertion(connection);
    sqlite_execute(connection, "BEGIN IMMEDIATE");
    for (int64_t index = 0; index < items.count; index++) insert(connection, statement, &items.values[index]);
    sqlite_execute(connection, "COMMIT");
}

void sqlite_save_items_singly(void *connection, FloorItems items) {
    sqlite3_stmt *statement = insertion(connection);
    for (int64_t index = 0; index < items.count; index++) insert(connection, statement, &items.values[index]);
}

static void read_item(sqlite3_stmt *statement, FloorItem *item) {
    item->id = sqlite3_column_int64(statement, 0);
    item->name = column_text(statement, 1);
    item->code = column_text(statement, 2);
    item->note = column_text(statement, 3);
    item->amount = sqlite3_column_int64(statement, 4);
    item->rank = sqlite3_column_int64(statement, 5);
    item->stock = sqlite3_column_int64(statement, 6);
    item->price = sqlite3_column_double(statement, 7);
    item->weight = sqlite3_column_double(statement, 8);
    item->recorded_at = sqlite3_column_int64(statement, 9);
    item->is_active = sqlite3_column_int(statement, 10) != 0;
}

FloorItems sqlite_fetch_items(void *connection) {
    FloorItems items = {NULL, 0};
    int64_t capacity = 0;
    sqlite3_stmt *statement = sqlite_prepare(connection, "SELECT id, " COLUMNS " FROM item ORDER BY id");
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        GROW(items.values, items.count, capacity);
        read_item(statement, &items.values[items.count++]);
    }
    expect(connection, code, SQLITE_DONE);
    put_back(connection, statement);
    return items;
}

uint64_t sqlite_stream_items(void *connection) {
    uint64_t sum = 0;
    sqlite3_stmt *statement = sqlite_prepare(connection, "SELECT id, " COLUMNS " FROM item ORDER BY id");
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        FloorItem item;
        read_item(statement, &item);
        sum += floor_item_summand(&item);
        floor_free_item(&item);
    }
    expect(connection, code, SQLITE_DONE);
    put_back(connection, statement);
    return sum;
}

void sqlite_find_items(void *connection, const int64_t *keys, int64_t count, bool in_transaction, FloorItem *items) {
    sqlite3_stmt *statement = sqlite_prepare(connection, "SELECT id, " COLUMNS " FROM item WHERE id = ?");
    if (in_transaction) sqlite_execute(connection, "BEGIN");
    for (int64_t index = 0; index < count; index++) {
        sqlite3_bind_int64(statement, 1, keys[index]);
        expect(connection, sqlite3_step(statement), SQLITE_ROW);
        read_item(statement, &items[index]);
        sqlite3_reset(statement);
    }
    if (in_transaction) sqlite_execute(connection, "COMMIT");
}

void sqlite_update_items(void *connection, FloorItems items) {
    sqlite_expect_writes(connection);
    sqlite3_stmt *statement = sqlite_prepare(connection, "UPDATE item SET stock = ? WHERE id = ?");
    sqlite_execute(connection, "BEGIN IMMEDIATE");
    for (int64_t index = 0; index < items.count; index++) {
        sqlite3_bind_int64(statement, 1, items.values[index].stock);
        sqlite3_bind_int64(statement, 2, items.values[index].id);
        run(connection, statement);
    }
    sqlite_execute(connection, "COMMIT");
    put_back(connection, statement);
}
