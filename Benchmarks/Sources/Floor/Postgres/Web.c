#include "../Links.h"
#include "Connection.h"

void postgres_save_web(void *opened, FloorWeb web) {
    Connection *connection = opened;
    Buffer buffer = {0};
    postgres_execute(connection, "BEGIN");
    PGresult *keys = postgres_reserve_keys(connection, "node", web.count);
    postgres_begin_copy(connection, &buffer, "COPY node (id, number) FROM STDIN BINARY");
    for (int64_t index = 0; index < web.count; index++) {
        FloorNode *node = &web.nodes[index];
        node->id = integer_at(keys, (int)index, 0);
        begin_row(&buffer, 2);
        put_integer(&buffer, node->id);
        put_integer(&buffer, node->number);
        postgres_send_rows(connection, &buffer);
    }
    postgres_end_copy(connection, &buffer);
    PQclear(keys);
    postgres_begin_copy(connection, &buffer, "COPY node_links (node_id, position, links_id) FROM STDIN BINARY");
    for (int64_t index = 0; index < web.count; index++) {
        const FloorNode *node = &web.nodes[index];
        for (int64_t position = 0; position < node->link_count; position++) {
            begin_row(&buffer, 3);
            put_integer(&buffer, node->id);
            put_integer(&buffer, position * FLOOR_STRIDE);
            put_integer(&buffer, node->links[position]->id);
        }
        postgres_send_rows(connection, &buffer);
    }
    postgres_end_copy(connection, &buffer);
    postgres_execute(connection, "COMMIT");
    free(buffer.bytes);
}

FloorWeb postgres_load_web(void *connection) {
    static const char *const texts[] = {
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        "SELECT id, number FROM node ORDER BY id",
        "SELECT node_id, links_id FROM node_links ORDER BY node_id, position",
        "COMMIT",
    };
    Statements statements = postgres_begin(connection, texts, sizeof texts / sizeof *texts);
    PQclear(postgres_next(&statements));
    PGresult *nodes = postgres_next(&statements);
    const int count = PQntuples(nodes);
    FloorWeb web = {allocate((size_t)count * sizeof(FloorNode)), count};
    const Links indexes = make_links(count);
    for (int row = 0; row < count; row++) {
        web.nodes[row] = (FloorNode){.id = integer_at(nodes, row, 0), .number = integer_at(nodes, row, 1)};
        add_link(indexes, web.nodes[row].id, row);
    }
    PQclear(nodes);
    PGresult *links = postgres_next(&statements);
    const int link_count = PQntuples(links);
    for (int row = 0; row < link_count; row++) {
        FloorNode *node = &web.nodes[follow(indexes, integer_at(links, row, 0))];
        add_node(node, &web.nodes[follow(indexes, integer_at(links, row, 1))]);
    }
    PQclear(links);
    PQclear(postgres_next(&statements));
    postgres_end(&statements);
    free_links(indexes);
    return web;
}
