#include "../Links.h"
#include "Connection.h"

#include <stddef.h>

static void save_sections(Connection *connection, Buffer *buffer, FloorCatalogue catalogue) {
    postgres_begin_copy(connection, buffer, "COPY section (name) FROM STDIN BINARY");
    for (int64_t index = 0; index < catalogue.sections.count; index++) {
        begin_row(buffer, 1);
        put_text(buffer, catalogue.sections.values[index]);
    }
    postgres_end_copy(connection, buffer);
}

static void save_maintainers(Connection *connection, Buffer *buffer, FloorCatalogue catalogue) {
    PGresult *keys = postgres_reserve_keys(connection, "maintainer", catalogue.maintainer_count);
    postgres_begin_copy(connection, buffer, "COPY maintainer (id, name, mail) FROM STDIN BINARY");
    for (int64_t index = 0; index < catalogue.maintainer_count; index++) {
        FloorMaintainer *maintainer = &catalogue.maintainers[index];
        maintainer->id = integer_at(keys, (int)index, 0);
        begin_row(buffer, 3);
        put_integer(buffer, maintainer->id);
        put_text(buffer, maintainer->name);
        put_text(buffer, maintainer->mail);
        postgres_send_rows(connection, buffer);
    }
    postgres_end_copy(connection, buffer);
    PQclear(keys);
}

static void save_packages(Connection *connection, Buffer *buffer, FloorCatalogue catalogue) {
    postgres_begin_copy(
        connection, buffer,
        "COPY package (name, architecture, version, priority, section_name, maintainer_id, homepage, installed_size,"
        " is_essential, summary, status, description) FROM STDIN BINARY");
    for (int64_t index = 0; index < catalogue.package_count; index++) {
        const FloorPackage *package = &catalogue.packages[index];
        begin_row(buffer, 12);
        put_text(buffer, package->name);
        put_text(buffer, package->architecture);
        put_text(buffer, package->version);
        put_text(buffer, package->priority);
        put_text(buffer, *package->section);
        put_integer(buffer, package->maintainer->id);
        put_text(buffer, package->homepage);
        put_integer(buffer, package->installed_size);
        put_bool(buffer, package->is_essential);
        put_text(buffer, package->summary);
        put_null(buffer);
        put_null(buffer);
        postgres_send_rows(connection, buffer);
    }
    postgres_end_copy(connection, buffer);
}

/// Saves an array of texts of every package, which is at an offset of it.
static void save_texts(
    Connection *connection, Buffer *buffer, FloorCatalogue catalogue, size_t offset, const char *sql) {
    postgres_begin_copy(connection, buffer, sql);
    for (int64_t index = 0; index < catalogue.package_count; index++) {
        const FloorPackage *package = &catalogue.packages[index];
        const FloorTexts *texts = (const FloorTexts *)((const char *)package + offset);
        for (int64_t position = 0; position < texts->count; position++) {
            begin_row(buffer, 4);
            put_text(buffer, package->name);
            put_text(buffer, package->architecture);
            put_integer(buffer, position * FLOOR_STRIDE);
            put_text(buffer, texts->values[position]);
        }
        postgres_send_rows(connection, buffer);
    }
    postgres_end_copy(connection, buffer);
}

/// Saves the links of every package, which are at an offset of it.
static void save_links(
    Connection *connection, Buffer *buffer, FloorCatalogue catalogue, size_t offset, const char *sql) {
    postgres_begin_copy(connection, buffer, sql);
    for (int64_t index = 0; index < catalogue.package_count; index++) {
        const FloorPackage *package = &catalogue.packages[index];
        const FloorPackageLinks *links = (const FloorPackageLinks *)((const char *)package + offset);
        for (int64_t position = 0; position < links->count; position++) {
            begin_row(buffer, 5);
            put_text(buffer, package->name);
            put_text(buffer, package->architecture);
            put_integer(buffer, position * FLOOR_STRIDE);
            put_text(buffer, links->values[position]->name);
            put_text(buffer, links->values[position]->architecture);
        }
        postgres_send_rows(connection, buffer);
    }
    postgres_end_copy(connection, buffer);
}

#define SAVE_TEXTS(property)                                                                                           \
    save_texts(                                                                                                        \
        connection, &buffer, catalogue, offsetof(FloorPackage, property),                                              \
        "COPY package_" #property " (package_name, package_architecture, position, value) FROM STDIN BINARY")

#define SAVE_LINKS(property)                                                                                           \
    save_links(                                                                                                        \
        connection, &buffer, catalogue, offsetof(FloorPackage, property),                                              \
        "COPY package_" #property " (package_name, package_architecture, position, " #property "_name, " #property     \
        "_architecture) FROM STDIN BINARY")

void postgres_save_catalogue(void *opened, FloorCatalogue catalogue) {
    Connection *connection = opened;
    Buffer buffer = {0};
    postgres_execute(connection, "BEGIN");
    save_sections(connection, &buffer, catalogue);
    save_maintainers(connection, &buffer, catalogue);
    save_packages(connection, &buffer, catalogue);
    SAVE_TEXTS(dependency_clauses);
    SAVE_TEXTS(pre_dependency_clauses);
    SAVE_LINKS(dependencies);
    SAVE_LINKS(pre_dependencies);
    // There are no unresolved dependencies.
    SAVE_TEXTS(provided_names);
    SAVE_TEXTS(tags);
    postgres_execute(connection, "COMMIT");
    free(buffer.bytes);
}

uint64_t postgres_add_rows(void *opened, const char *sql, uint64_t checksum) {
    Connection *connection = opened;
    PGresult *result = postgres_checked(connection, PQexec(connection->handle, sql));
    const int count = PQntuples(result);
    for (int row = 0; row < count; row++) {
        for (int column = 0; column < PQnfields(result); column++) {
            const int64_t length = PQgetisnull(result, row, column) ? -1 : PQgetlength(result, row, column);
            checksum = floor_add_bytes(floor_add_integer(checksum, length), PQgetvalue(result, row, column), length);
        }
    }
    PQclear(result);
    return checksum;
}
