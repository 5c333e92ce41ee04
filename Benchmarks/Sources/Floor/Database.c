#include "Engine.h"

#include <pthread.h>

struct FloorDatabase {
    const Engine *engine;
    int connection_count;
    void *connections[];
};

static FloorDatabase *open_database(const Engine *engine, const char *where, const char *schema, int count) {
    FloorDatabase *database = allocate(sizeof *database + (size_t)count * sizeof *database->connections);
    database->engine = engine;
    database->connection_count = count;
    for (int index = 0; index < count; index++) database->connections[index] = engine->open(where, schema);
    return database;
}

FloorDatabase *floor_open_sqlite(const char *path, int connections) {
    return open_database(&sqlite_engine, path, "", connections);
}

FloorDatabase *floor_open_postgres(const char *url, const char *schema, int connections) {
    return open_database(&postgres_engine, url, schema, connections);
}

void floor_pipeline(FloorDatabase *database) {
    for (int index = 0; database->engine->pipeline && index < database->connection_count; index++) {
        database->engine->pipeline(database->connections[index]);
    }
}

void floor_close(FloorDatabase *database) {
    for (int index = 0; index < database->connection_count; index++) {
        database->engine->close(database->connections[index]);
    }
    free(database);
}

void floor_save_items(FloorDatabase *database, FloorItems items) {
    database->engine->save_items(database->connections[0], items);
}

void floor_save_items_singly(FloorDatabase *database, FloorItems items) {
    database->engine->save_items_singly(database->connections[0], items);
}

void floor_set_documents(FloorDatabase *database, const FloorText *keys, const FloorText *values, int64_t count) {
    database->engine->set_documents(database->connections[0], keys, values, count);
}

int64_t floor_get_documents(FloorDatabase *database, const FloorText *keys, int64_t count) {
    return database->engine->get_documents(database->connections[0], keys, count);
}

int64_t floor_document_keys(FloorDatabase *database, const char *sql, const FloorText *values, int64_t count) {
    return database->engine->document_keys(database->connections[0], sql, values, count);
}

FloorItems floor_fetch_items(FloorDatabase *database) {
    return database->engine->fetch_items(database->connections[0]);
}

uint64_t floor_stream_items(FloorDatabase *database) {
    return database->engine->stream_items(database->connections[0]);
}

FloorItems floor_find_items(FloorDatabase *database, const int64_t *keys, int64_t count, bool in_transaction) {
    FloorItems items = {allocate((size_t)count * sizeof(FloorItem)), count};
    database->engine->find_items(database->connections[0], keys, count, in_transaction, items.values);
    return items;
}

typedef struct {
    const Engine *engine;
    void *connection;
    const int64_t *keys;
    int64_t count;
    FloorItem *items;
} Share;

static void *find_share(void *argument) {
    const Share *share = argument;
    share->engine->find_items(share->connection, share->keys, share->count, false, share->items);
    return NULL;
}

FloorItems floor_find_items_at_once(FloorDatabase *database, const int64_t *keys, int64_t count) {
    const int threads = database->connection_count;
    FloorItems items = {allocate((size_t)count * sizeof(FloorItem)), count};
    Share *shares = allocate((size_t)threads * sizeof *shares);
    pthread_t *handles = allocate((size_t)threads * sizeof *handles);
    for (int index = 0; index < threads; index++) {
        const int64_t from = count * index / threads;
        const int64_t to = count * (index + 1) / threads;
        shares[index] = (Share){
            database->engine, database->connections[index], keys + from, to - from, items.values + from};
        if (pthread_create(&handles[index], NULL, find_share, &shares[index]) != 0) fail("pthread_create", "no thread");
    }
    for (int index = 0; index < threads; index++) pthread_join(handles[index], NULL);
    free(shares);
    free(handles);
    return items;
}

void floor_update_items(FloorDatabase *database, FloorItems items) {
    database->engine->update_items(database->connections[0], items);
}

void floor_save_graph(FloorDatabase *database, FloorGraph graph) {
    database->engine->save_graph(database->connections[0], graph);
}

FloorGraph floor_load_graph(FloorDatabase *database) {
    return database->engine->load_graph(database->connections[0]);
}

void floor_save_web(FloorDatabase *database, FloorWeb web) {
    database->engine->save_web(database->connections[0], web);
}

FloorWeb floor_load_web(FloorDatabase *database) { return database->engine->load_web(database->connections[0]); }

void floor_save_catalogue(FloorDatabase *database, FloorCatalogue catalogue) {
    database->engine->save_catalogue(database->connections[0], catalogue);
}

uint64_t floor_stored_catalogue_checksum(FloorDatabase *database) {
    static const char *const queries[] = {
        "SELECT name FROM section ORDER BY name",
        "SELECT name, mail FROM maintainer ORDER BY name, mail",
        "SELECT package.name, architecture, version, status, priority, section_name, maintainer.name, homepage,"
        " installed_size, CASE WHEN is_essential THEN 1 ELSE 0 END, summary, description"
        " FROM package LEFT JOIN maintainer ON maintainer.id = maintainer_id ORDER BY package.name, architecture",
        "SELECT * FROM package_dependency_clauses ORDER BY 1, 2, 3",
        "SELECT * FROM package_pre_dependency_clauses ORDER BY 1, 2, 3",
        "SELECT * FROM package_unresolved_dependencies ORDER BY 1, 2, 3",
        "SELECT * FROM package_provided_names ORDER BY 1, 2, 3",
        "SELECT * FROM package_tags ORDER BY 1, 2, 3",
        "SELECT * FROM package_dependencies ORDER BY 1, 2, 3",
        "SELECT * FROM package_pre_dependencies ORDER BY 1, 2, 3",
    };
    uint64_t sum = FLOOR_CHECKSUM;
    for (size_t index = 0; index < sizeof queries / sizeof *queries; index++) {
        sum = database->engine->add_rows(database->connections[0], queries[index], sum);
    }
    return sum;
}

void floor_delete_all(FloorDatabase *database) { database->engine->delete_all(database->connections[0]); }

void floor_settle(FloorDatabase *database) { database->engine->settle(database->connections[0]); }

void floor_execute(FloorDatabase *database, const char *sql) {
    database->engine->execute(database->connections[0], sql);
}

char *floor_engine_version(FloorDatabase *database) { return database->engine->version(database->connections[0]); }
