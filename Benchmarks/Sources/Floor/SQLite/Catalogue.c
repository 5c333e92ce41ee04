#include "../Links.h"
#include "Connection.h"

#include <stddef.h>

static void save_sections(Connection *connection, FloorCatalogue catalogue) {
    sqlite3_stmt *statement = sqlite_prepare(connection, "INSERT INTO section (name) VALUES (?)");
    for (int64_t index = 0; index < catalogue.sections.count; index++) {
        bind_text(statement, 1, catalogue.sections.values[index]);
        run(connection, statement);
    }
    put_back(connection, statement);
}

static void save_maintainers(Connection *connection, FloorCatalogue catalogue) {
    sqlite3_stmt *statement = sqlite_prepare(connection, "INSERT INTO maintainer (name, mail) VALUES (?, ?)");
    for (int64_t index = 0; index < catalogue.maintainer_count; index++) {
        FloorMaintainer *maintainer = &catalogue.maintainers[index];
        bind_text(statement, 1, maintainer->name);
        bind_text(statement, 2, maintainer->mail);
        run(connection, statement);
        maintainer->id = sqlite3_last_insert_rowid(connection->handle);
    }
    put_back(connection, statement);
}

static void save_packages(Connection *connection, FloorCatalogue catalogue) {
    // The status and the description, which are bound to nothing, are null.
    sqlite3_stmt *statement = sqlite_prepare(
        connection,
        "INSERT INTO package (name, architecture, version, priority, section_name, maintainer_id, homepage,"
        " installed_size, is_essential, summary, status, description) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (int64_t index = 0; index < catalogue.package_count; index++) {
        const FloorPackage *package = &catalogue.packages[index];
        bind_text(statement, 1, package->name);
        bind_text(statement, 2, package->architecture);
        bind_text(statement, 3, package->version);
        bind_text(statement, 4, package->priority);
        bind_text(statement, 5, *package->section);
        sqlite3_bind_int64(statement, 6, package->maintainer->id);
        bind_text(statement, 7, package->homepage);
        sqlite3_bind_int64(statement, 8, package->installed_size);
        sqlite3_bind_int(statement, 9, package->is_essential);
        bind_text(statement, 10, package->summary);
        run(connection, statement);
    }
    put_back(connection, statement);
}

/// Saves an array of texts of every package, which is at an offset of it.
static void save_texts(Connection *connection, FloorCatalogue catalogue, size_t offset, const char *sql) {
    sqlite3_stmt *statement = sqlite_prepare(connection, sql);
    for (int64_t index = 0; index < catalogue.package_count; index++) {
        const FloorPackage *package = &catalogue.packages[index];
        const FloorTexts *texts = (const FloorTexts *)((const char *)package + offset);
        for (int64_t position = 0; position < texts->count; position++) {
            bind_text(statement, 1, package->name);
            bind_text(statement, 2, package->architecture);
            sqlite3_bind_int64(statement, 3, position * FLOOR_STRIDE);
            bind_text(statement, 4, texts->values[position]);
            run(connection, statement);
        }
    }
    put_back(connection, statement);
}

/// Saves the links of every package, which are at an offset of it.
static void save_links(Connection *connection, FloorCatalogue catalogue, size_t offset, const char *sql) {
    sqlite3_stmt *statement = sqlite_prepare(connection, sql);
    for (int64_t index = 0; index < catalogue.package_count; index++) {
        const FloorPackage *package = &catalogue.packages[index];
        const FloorPackageLinks *links = (const FloorPackageLinks *)((const char *)package + offset);
        for (int64_t position = 0; position < links->count; position++) {
            bind_text(statement, 1, package->name);
            bind_text(statement, 2, package->architecture);
            sqlite3_bind_int64(statement, 3, position * FLOOR_STRIDE);
            bind_text(statement, 4, links->values[position]->name);
            bind_text(statement, 5, links->values[position]->architecture);
            run(connection, statement);
        }
    }
    put_back(connection, statement);
}

#define SAVE_TEXTS(property)                                                                                           \
    save_texts(                                                                                                        \
        connection, catalogue, offsetof(FloorPackage, property),                                                       \
        "INSERT INTO package_" #property " (package_name, package_architecture, position, value) VALUES (?, ?, ?, ?)")

#define SAVE_LINKS(property)                                                                                           \
    save_links(                                                                                                        \
        connection, catalogue, offsetof(FloorPackage, property),                                                       \
        "INSERT INTO package_" #property " (package_name, package_architecture, position, " #property "_name, "            \
        #property "_architecture) VALUES (?, ?, ?, ?, ?)")

void sqlite_save_catalogue(void *opened, FloorCatalogue catalogue) {
    Connection *connection = opened;
    sqlite_expect_writes(connection);
    sqlite_execute(connection, "BEGIN IMMEDIATE");
    save_sections(connection, catalogue);
    save_maintainers(connection, catalogue);
    save_packages(connection, catalogue);
    SAVE_TEXTS(dependency_clauses);
    SAVE_TEXTS(pre_dependency_clauses);
    SAVE_LINKS(dependencies);
    SAVE_LINKS(pre_dependencies);
    // There are no unresolved dependencies.
    SAVE_TEXTS(provided_names);
    SAVE_TEXTS(tags);
    sqlite_execute(connection, "COMMIT");
}

uint64_t sqlite_add_rows(void *opened, const char *sql, uint64_t checksum) {
    Connection *connection = opened;
    sqlite3_stmt *statement = sqlite_prepare(connection, sql);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int column = 0; column < sqlite3_column_count(statement); column++) {
            const unsigned char *bytes = sqlite3_column_text(statement, column);
            const int64_t length = bytes ? sqlite3_column_bytes(statement, column) : -1;
            checksum = floor_add_bytes(floor_add_integer(checksum, length), bytes, length);
        }
    }
    expect(connection, code, SQLITE_DONE);
    put_back(connection, statement);
    return checksum;
}
