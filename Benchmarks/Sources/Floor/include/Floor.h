#ifndef FLOOR_H
#define FLOOR_H

#include <stdbool.h>
#include <stdint.h>

/// What the engines' C libraries take for the works, with nothing around them; and the data that all contestants work on.
///
/// Whatever fails says so on standard error and ends the process.

// MARK: Data

/// A text that its owner frees.
typedef struct {
    char *_Nonnull bytes;
    int64_t length;
} FloorText;

/// The flat object.
typedef struct {
    int64_t id;
    FloorText name, code, note;
    int64_t amount, rank, stock;
    double price, weight;
    int64_t recorded_at; // Microseconds since 1970.
    bool is_active;
} FloorItem;

typedef struct {
    FloorItem *_Nullable values;
    int64_t count;
} FloorItems;

typedef struct {
    int64_t id;
    FloorText name;
    int64_t born;
} FloorPerson;

typedef struct {
    int64_t id;
    FloorText title;
    int64_t starts_at; // Microseconds since 1970.
    int64_t minutes;
} FloorMeeting;

typedef struct {
    int64_t id;
    FloorText name, code;
    double budget;
    FloorPerson *_Nonnull lead;
    FloorText *_Nullable tags;
    int64_t tag_count;
    FloorMeeting *_Nonnull *_Nullable meetings;
    int64_t meeting_count;
} FloorProject;

/// Projects, and what they lead to.
typedef struct {
    FloorProject *_Nullable projects;
    int64_t project_count;
    FloorPerson *_Nullable people;
    int64_t person_count;
    FloorMeeting *_Nullable meetings;
    int64_t meeting_count;
} FloorGraph;

/// How many links each node of a web has.
enum { FLOOR_LINKS = 3 };

/// Any of the nodes that it links to may be itself, or the same twice.
typedef struct FloorNode {
    int64_t id;
    int64_t number;
    struct FloorNode *_Nullable links[FLOOR_LINKS];
    int64_t link_count;
} FloorNode;

typedef struct {
    FloorNode *_Nullable nodes;
    int64_t count;
} FloorWeb;

typedef struct {
    int64_t id;
    FloorText name, mail;
} FloorMaintainer;

typedef struct {
    FloorText *_Nullable values;
    int64_t count;
} FloorTexts;

struct FloorPackage;

typedef struct {
    struct FloorPackage *_Nonnull *_Nullable values;
    int64_t count;
} FloorPackageLinks;

/// A package, as the catalogue of Examples has it: its name and its architecture are its key.
///
/// It has no status, no long description and no dependencies that lead nowhere, as in the index of an archive.
typedef struct FloorPackage {
    FloorText name, architecture, version, priority, homepage, summary;
    int64_t installed_size;
    bool is_essential;
    FloorText *_Nonnull section;
    FloorMaintainer *_Nonnull maintainer;
    FloorTexts dependency_clauses, pre_dependency_clauses, provided_names, tags;
    FloorPackageLinks dependencies, pre_dependencies;
} FloorPackage;

/// Packages by key, and what they lead to.
typedef struct {
    FloorPackage *_Nullable packages;
    int64_t package_count;
    FloorMaintainer *_Nullable maintainers;
    int64_t maintainer_count;
    FloorTexts sections;
} FloorCatalogue;

/// The same items each time, without ids.
FloorItems floor_make_items(int64_t count);
void floor_free_items(FloorItems items);

/// The same graph each time, without ids: a lead for every ten projects, five tags and three meetings for each.
FloorGraph floor_make_graph(int64_t project_count);
void floor_free_graph(FloorGraph graph);

/// The same web each time, without ids: links lead to random nodes.
FloorWeb floor_make_web(int64_t count);
void floor_free_web(FloorWeb web);

/// The same catalogue each time, without ids: with as much of everything as Debian's packages have, of which some are needed
/// by most others, and which need each other in circles.
FloorCatalogue floor_make_catalogue(int64_t package_count);
void floor_free_catalogue(FloorCatalogue catalogue);

/// The same keys each time, of 1...limit; free() them.
int64_t *_Nonnull floor_make_keys(int64_t count, int64_t limit);

/// The rows of all tables that a graph of so many projects takes.
int64_t floor_graph_rows(int64_t project_count);
/// The rows of all tables that a catalogue of so many packages takes.
int64_t floor_catalogue_rows(int64_t package_count);

// MARK: Checksums

/// What a checksum begins with: FNV-1a, of 64 bits.
#define FLOOR_CHECKSUM UINT64_C(0xcbf29ce484222325)

uint64_t floor_add_bytes(uint64_t checksum, const void *_Nullable bytes, int64_t length);
uint64_t floor_add_integer(uint64_t checksum, int64_t value);
uint64_t floor_add_real(uint64_t checksum, double value);

/// Something of every kind of value of an item, as a stream adds it up.
uint64_t floor_item_summand(const FloorItem *_Nonnull item);
/// Frees the texts of an item.
void floor_free_item(FloorItem *_Nonnull item);
uint64_t floor_items_checksum(FloorItems items, bool with_ids);
uint64_t floor_graph_checksum(FloorGraph graph);
uint64_t floor_web_checksum(FloorWeb web);

// MARK: Works

typedef struct FloorDatabase FloorDatabase;

/// Opens a file, with as many connections as are to work concurrently.
FloorDatabase *_Nonnull floor_open_sqlite(const char *_Nonnull path, int connections);
/// Opens a schema of a server's database, with as many connections as are to work concurrently.
FloorDatabase *_Nonnull floor_open_postgres(const char *_Nonnull url, const char *_Nonnull schema, int connections);
/// Sends the statements of a load together, where they would go to a server one by one.
void floor_pipeline(FloorDatabase *_Nonnull database);
void floor_close(FloorDatabase *_Nonnull database);

/// Inserts items in one transaction, and sets their ids.
void floor_save_items(FloorDatabase *_Nonnull database, FloorItems items);
/// Inserts items, each in a transaction of its own, and sets their ids.
void floor_save_items_singly(FloorDatabase *_Nonnull database, FloorItems items);
/// All items, by id.
FloorItems floor_fetch_items(FloorDatabase *_Nonnull database);
/// Makes each item, by id, adds something of it to a sum, and frees it: with some in memory at a time.
uint64_t floor_stream_items(FloorDatabase *_Nonnull database);
/// The items of keys, with one statement for each.
FloorItems floor_find_items(
    FloorDatabase *_Nonnull database, const int64_t *_Nonnull keys, int64_t count, bool in_transaction);
/// The same, by a thread for each of the connections.
FloorItems floor_find_items_at_once(FloorDatabase *_Nonnull database, const int64_t *_Nonnull keys, int64_t count);
/// Writes the property `stock` of items, in one transaction.
void floor_update_items(FloorDatabase *_Nonnull database, FloorItems items);

/// Sets documents of the table `t` in one transaction.
void floor_set_documents(
    FloorDatabase *_Nonnull database, const FloorText *_Nonnull keys, const FloorText *_Nonnull values, int64_t count);
/// Gets documents one by one, and returns the length of their values.
int64_t floor_get_documents(FloorDatabase *_Nonnull database, const FloorText *_Nonnull keys, int64_t count);
/// Runs a query for keys with each of some values, and returns the number of keys.
int64_t floor_document_keys(
    FloorDatabase *_Nonnull database, const char *_Nonnull sql, const FloorText *_Nonnull values, int64_t count);

/// Inserts a graph in one transaction, and sets the ids.
void floor_save_graph(FloorDatabase *_Nonnull database, FloorGraph graph);
/// All projects by id, with all that they lead to.
FloorGraph floor_load_graph(FloorDatabase *_Nonnull database);

/// Inserts a web in one transaction, and sets the ids.
void floor_save_web(FloorDatabase *_Nonnull database, FloorWeb web);
/// All nodes by id, with their links.
FloorWeb floor_load_web(FloorDatabase *_Nonnull database);

/// Inserts a catalogue in one transaction, and sets the ids.
void floor_save_catalogue(FloorDatabase *_Nonnull database, FloorCatalogue catalogue);
/// The checksum of all rows of the tables of a catalogue, without ids.
uint64_t floor_stored_catalogue_checksum(FloorDatabase *_Nonnull database);

// MARK: What happens around the works

/// Deletes all rows, and puts the files in order, so that each work finds them the same.
void floor_delete_all(FloorDatabase *_Nonnull database);
/// Brings the files or statistics in order after filling.
void floor_settle(FloorDatabase *_Nonnull database);
/// Runs a command.
void floor_execute(FloorDatabase *_Nonnull database, const char *_Nonnull sql);
/// Makes SQLite ready with its own defaults, before anyone changes those of the process.
void floor_keep_sqlite_defaults(void);
/// The version of the server, or of the library where there is no server; free() it.
char *_Nonnull floor_engine_version(FloorDatabase *_Nonnull database);
/// The version of a C library; free() it.
char *_Nonnull floor_sqlite_version(void);
char *_Nonnull floor_libpq_version(void);
/// Gives memory that was freed back to the system, where that can be asked for.
void floor_release_memory(void);

#endif
