#ifndef HOLDFAST_CSQLITE_SHIM_H
#define HOLDFAST_CSQLITE_SHIM_H

#include <sqlite3.h>

// What Swift can't import: variadic functions, and macros that are casts.

/// Binds text that outlives the execution of the statement, without a copy.
static inline int holdfast_sqlite_bind_text(
    sqlite3_stmt *statement, int position, const void *bytes, sqlite3_uint64 count
) {
    return sqlite3_bind_text64(statement, position, (const char *)bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}

/// Binds a blob that outlives the execution of the statement, without a copy.
static inline int holdfast_sqlite_bind_blob(
    sqlite3_stmt *statement, int position, const void *bytes, sqlite3_uint64 count
) {
    return sqlite3_bind_blob64(statement, position, bytes, count, SQLITE_STATIC);
}

/// Gives text as the result of a function; it is copied.
static inline void holdfast_sqlite_result_text(sqlite3_context *context, const char *text, int count) {
    sqlite3_result_text(context, text, count, SQLITE_TRANSIENT);
}

/// Gives bytes as the result of a function: text in UTF-8, or a blob. An empty one is not NULL.
static inline void holdfast_sqlite_result_bytes(
    sqlite3_context *context, const void *bytes, sqlite3_uint64 count, int isText) {
    const void *start = bytes ? bytes : "";
    if (isText) sqlite3_result_text64(context, (const char *)start, count, SQLITE_TRANSIENT, SQLITE_UTF8);
    else sqlite3_result_blob64(context, start, count, SQLITE_TRANSIENT);
}

/// Has SQLite keep no statistics of its memory in this process, for which every allocation takes one lock of all threads.
///
/// Without effect once SQLite is in use.
static inline int holdfast_sqlite_forgo_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Switches an option of a connection, one of those that take an int and a pointer to an int.
static inline int holdfast_sqlite_configure(sqlite3 *database, int option, int isOn) {
    return sqlite3_db_config(database, option, isOn, (int *)0);
}

#endif
