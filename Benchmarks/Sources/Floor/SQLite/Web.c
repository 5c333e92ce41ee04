#include "../Links.h"
#include "Connection.h"

void sqlite_save_web(void *opened, FloorWeb web) {
    Connection *connection = opened;
    sqlite_expect_writes(connection);
    sqlite_execute(connection, "BEGIN IMMEDIATE");
    sqlite3_stmt *nodes = sqlite_prepare(connection, "INSERT INTO node (number) VALUES (?)");
    for (int64_t index = 0; index < web.count; index++) {
        sqlite3_bind_int64(nodes, 1, web.nodes[index].number);
        run(connection, nodes);
        web.nodes[index].id = sqlite3_last_insert_rowid(connection->handle);
    }
    put_back(connection, nodes);
    sqlite3_stmt *links =
        sqlite_prepare(connection, "INSERT INTO node_links (node_id, position, links_id) VALUES (?, ?, ?)");
    for (int64_t index = 0; index < web.count; index++) {
        const FloorNode *node = &web.nodes[index];
        for (int64_t position = 0; position < node->link_count; position++) {
            sqlite3_bind_int64(links, 1, node->id);
            sqlite3_bind_int64(links, 2, position * FLOOR_STRIDE);
            sqlite3_bind_int64(links, 3, node->links[position]->id);
            run(connection, links);
        }
    }
    put_back(connection, links);
    sqlite_execute(connection, "COMMIT");
}

FloorWeb sqlite_load_web(void *opened) {
    Connection *connection = opened;
    FloorWeb web = {NULL, 0};
    int64_t capacity = 0;
    sqlite_execute(connection, "BEGIN");
    sqlite3_stmt *nodes = sqlite_prepare(connection, "SELECT id, number FROM node ORDER BY id");
    int code;
    while ((code = sqlite3_step(nodes)) == SQLITE_ROW) {
        GROW(web.nodes, web.count, capacity);
        web.nodes[web.count++] =
            (FloorNode){.id = sqlite3_column_int64(nodes, 0), .number = sqlite3_column_int64(nodes, 1)};
    }
    expect(connection, code, SQLITE_DONE);
    put_back(connection, nodes);
    const Links indexes = make_links(web.count);
    for (int64_t index = 0; index < web.count; index++) add_link(indexes, web.nodes[index].id, index);
    sqlite3_stmt *links =
        sqlite_prepare(connection, "SELECT node_id, links_id FROM node_links ORDER BY node_id, position");
    while ((code = sqlite3_step(links)) == SQLITE_ROW) {
        FloorNode *node = &web.nodes[follow(indexes, sqlite3_column_int64(links, 0))];
        add_node(node, &web.nodes[follow(indexes, sqlite3_column_int64(links, 1))]);
    }
    expect(connection, code, SQLITE_DONE);
    put_back(connection, links);
    sqlite_execute(connection, "COMMIT");
    free_links(indexes);
    return web;
}
