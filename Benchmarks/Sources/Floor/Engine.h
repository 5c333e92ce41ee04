#ifndef ENGINE_H
#define ENGINE_H

#include "Memory.h"

/// What each engine does for the functions of Floor.h that take a database; a connection is the engine's own.
typedef struct {
    void *(*open)(const char *where, const char *schema);
    void (*close)(void *connection);
    /// Lets a connection send statements together that need nothing of each other; NULL where nothing is sent.
    void (*pipeline)(void *connection);
    void (*save_items)(void *connection, FloorItems items);
    void (*save_items_singly)(void *connection, FloorItems items);
    FloorItems (*fetch_items)(void *connection);
    uint64_t (*stream_items)(void *connection);
    /// Puts the items of keys into an array, from its beginning on.
    void (*find_items)(void *connection, const int64_t *keys, int64_t count, bool in_transaction, FloorItem *items);
    void (*update_items)(void *connection, FloorItems items);
    void (*save_graph)(void *connection, FloorGraph graph);
    FloorGraph (*load_graph)(void *connection);
    void (*save_web)(void *connection, FloorWeb web);
    FloorWeb (*load_web)(void *connection);
    void (*save_catalogue)(void *connection, FloorCatalogue catalogue);
    void (*set_documents)(void *connection, const FloorText *keys, const FloorText *values, int64_t count);
    int64_t (*get_documents)(void *connection, const FloorText *keys, int64_t count);
    int64_t (*document_keys)(void *connection, const char *sql, const FloorText *values, int64_t count);
    /// Adds all values of a query's rows to a checksum, each as a text.
    uint64_t (*add_rows)(void *connection, const char *sql, uint64_t checksum);
    void (*delete_all)(void *connection);
    void (*settle)(void *connection);
    void (*execute)(void *connection, const char *sql);
    char *(*version)(void *connection);
} Engine;

extern const Engine sqlite_engine;
extern const Engine postgres_engine;

#endif
