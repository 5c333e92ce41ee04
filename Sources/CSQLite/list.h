#ifndef HOLDFAST_CSQLITE_LIST_H
#define HOLDFAST_CSQLITE_LIST_H

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// holdfast_list(?, ?, …): a table of the lists that are bound to its arguments, a column for each.
//
// It is what SQLite's own extension "carray" is (https://sqlite.org/carray.html), for values of every kind, NULL and
// several columns. A list reaches it by sqlite3_bind_pointer, which SQL can't forge.

/// A value of a list: what sqlite3_value_type tells, the length of a text or blob, and the integer, the bits of the
/// double, or where in the list's bytes the text or blob begins.
typedef struct {
    int type;
    unsigned int count;
    sqlite3_int64 payload;
} holdfast_sqlite_value;

/// A list of values; they follow it in memory, and their bytes follow them.
typedef struct {
    sqlite3_int64 count;
} holdfast_sqlite_list;

/// The name of the table, and of the type of the pointers.
#define HOLDFAST_LIST "holdfast_list"

/// The greatest number of lists that one table can be made of; see holdfast_sqlite_list_plan.
#define HOLDFAST_LIST_WIDTH 16

static inline holdfast_sqlite_value *holdfast_sqlite_list_values(holdfast_sqlite_list *list) {
    return (holdfast_sqlite_value *)(list + 1);
}

static inline char *holdfast_sqlite_list_bytes(holdfast_sqlite_list *list) {
    return (char *)(holdfast_sqlite_list_values(list) + list->count);
}

/// Makes a list whose values are to be set; null without memory for it.
static inline holdfast_sqlite_list *holdfast_sqlite_list_create(
    sqlite3_int64 count, const void *bytes, sqlite3_int64 byteCount
) {
    size_t size = sizeof(holdfast_sqlite_list) + (size_t)count * sizeof(holdfast_sqlite_value) + (size_t)byteCount;
    holdfast_sqlite_list *list = malloc(size);
    if (!list) return 0;
    list->count = count;
    if (byteCount > 0) memcpy(holdfast_sqlite_list_bytes(list), bytes, (size_t)byteCount);
    return list;
}

/// Binds a list, which the statement then owns.
static inline int holdfast_sqlite_bind_list(sqlite3_stmt *statement, int position, holdfast_sqlite_list *list) {
    return sqlite3_bind_pointer(statement, position, list, HOLDFAST_LIST, free);
}

typedef struct {
    sqlite3_vtab_cursor base;
    int width;
    sqlite3_int64 row;
    sqlite3_int64 count;
    holdfast_sqlite_list *lists[HOLDFAST_LIST_WIDTH];
} holdfast_sqlite_list_cursor;

// The columns: those of the values, then the position, then hidden ones for the arguments.
#define HOLDFAST_LIST_POSITION HOLDFAST_LIST_WIDTH
#define HOLDFAST_LIST_ARGUMENTS (HOLDFAST_LIST_WIDTH + 1)

static inline int holdfast_sqlite_list_connect(
    sqlite3 *database, void *context, int count, const char *const *arguments, sqlite3_vtab **table, char **message
) {
    (void)context, (void)count, (void)arguments, (void)message;
    char sql[HOLDFAST_LIST_WIDTH * 24 + 64];
    size_t used = (size_t)snprintf(sql, sizeof sql, "CREATE TABLE x(");
    for (int i = 0; i < HOLDFAST_LIST_WIDTH; i++) used += (size_t)snprintf(sql + used, sizeof sql - used, "c%d, ", i);
    used += (size_t)snprintf(sql + used, sizeof sql - used, "position");
    for (int i = 0; i < HOLDFAST_LIST_WIDTH; i++) {
        used += (size_t)snprintf(sql + used, sizeof sql - used, ", l%d HIDDEN", i);
    }
    snprintf(sql + used, sizeof sql - used, ")");
    int status = sqlite3_declare_vtab(database, sql);
    if (status != SQLITE_OK) return status;
    // Nothing of a schema has a use for it, so none may name it.
    sqlite3_vtab_config(database, SQLITE_VTAB_DIRECTONLY);
    *table = calloc(1, sizeof(sqlite3_vtab));
    return *table ? SQLITE_OK : SQLITE_NOMEM;
}

static inline int holdfast_sqlite_list_disconnect(sqlite3_vtab *table) {
    free(table);
    return SQLITE_OK;
}

static inline int holdfast_sqlite_list_plan(sqlite3_vtab *table, sqlite3_index_info *info) {
    int width = 0, last = 0;
    for (int i = 0; i < info->nConstraint; i++) {
        int argument = info->aConstraint[i].iColumn - HOLDFAST_LIST_ARGUMENTS;
        if (argument < 0 || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        if (!info->aConstraint[i].usable) return SQLITE_CONSTRAINT;
        // SQLite compares the others itself, whatever `omit` says, and a pointer equals nothing: no row would come.
        if (i >= HOLDFAST_LIST_WIDTH) {
            sqlite3_free(table->zErrMsg);
            table->zErrMsg = sqlite3_mprintf("too many arguments and conditions on holdfast_list()");
            return SQLITE_ERROR;
        }
        info->aConstraintUsage[i].argvIndex = argument + 1;
        info->aConstraintUsage[i].omit = 1;
        width++;
        if (argument + 1 > last) last = argument + 1;
    }
    if (width != last) return SQLITE_CONSTRAINT;
    info->idxNum = width;
    // How many there are is not known yet. It is little beside a table, which so is searched by index for each.
    info->estimatedRows = 100;
    info->estimatedCost = 100;
    return SQLITE_OK;
}

static inline int holdfast_sqlite_list_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
    (void)table;
    holdfast_sqlite_list_cursor *opened = calloc(1, sizeof(holdfast_sqlite_list_cursor));
    *cursor = &opened->base;
    return opened ? SQLITE_OK : SQLITE_NOMEM;
}

static inline int holdfast_sqlite_list_close(sqlite3_vtab_cursor *cursor) {
    free(cursor);
    return SQLITE_OK;
}

static inline int holdfast_sqlite_list_filter(
    sqlite3_vtab_cursor *base, int width, const char *text, int count, sqlite3_value **arguments
) {
    (void)width, (void)text;
    holdfast_sqlite_list_cursor *cursor = (holdfast_sqlite_list_cursor *)base;
    cursor->width = count;
    cursor->row = 0;
    cursor->count = 0;
    for (int i = 0; i < count; i++) {
        holdfast_sqlite_list *list = sqlite3_value_pointer(arguments[i], HOLDFAST_LIST);
        if (!list || (i > 0 && list->count != cursor->count)) {
            sqlite3_free(base->pVtab->zErrMsg);
            base->pVtab->zErrMsg = sqlite3_mprintf("holdfast_list() takes lists of one length");
            return SQLITE_MISMATCH;
        }
        cursor->lists[i] = list;
        cursor->count = list->count;
    }
    return SQLITE_OK;
}

static inline int holdfast_sqlite_list_next(sqlite3_vtab_cursor *base) {
    ((holdfast_sqlite_list_cursor *)base)->row++;
    return SQLITE_OK;
}

static inline int holdfast_sqlite_list_is_over(sqlite3_vtab_cursor *base) {
    holdfast_sqlite_list_cursor *cursor = (holdfast_sqlite_list_cursor *)base;
    return cursor->row >= cursor->count;
}

static inline int holdfast_sqlite_list_row(sqlite3_vtab_cursor *base, sqlite3_int64 *row) {
    *row = ((holdfast_sqlite_list_cursor *)base)->row;
    return SQLITE_OK;
}

static inline int holdfast_sqlite_list_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
    holdfast_sqlite_list_cursor *cursor = (holdfast_sqlite_list_cursor *)base;
    if (column == HOLDFAST_LIST_POSITION) sqlite3_result_int64(context, cursor->row);
    if (column >= cursor->width) return SQLITE_OK;
    holdfast_sqlite_list *list = cursor->lists[column];
    holdfast_sqlite_value *value = holdfast_sqlite_list_values(list) + cursor->row;
    // Static: the list stays as long as it is bound, which is until the statement was reset.
    const char *bytes = holdfast_sqlite_list_bytes(list) + value->payload;
    double real;
    switch (value->type) {
    case SQLITE_INTEGER: sqlite3_result_int64(context, value->payload); break;
    case SQLITE_FLOAT:
        memcpy(&real, &value->payload, sizeof real);
        sqlite3_result_double(context, real);
        break;
    case SQLITE_TEXT: sqlite3_result_text64(context, bytes, value->count, SQLITE_STATIC, SQLITE_UTF8); break;
    case SQLITE_BLOB: sqlite3_result_blob64(context, bytes, value->count, SQLITE_STATIC); break;
    default: break;
    }
    return SQLITE_OK;
}

/// Lets the statements of a connection name holdfast_list().
static inline int holdfast_sqlite_register_list(sqlite3 *database) {
    // Without xCreate it is a function only, and can't be made a table of.
    static const sqlite3_module module = {
        .iVersion = 0,
        .xConnect = holdfast_sqlite_list_connect,
        .xBestIndex = holdfast_sqlite_list_plan,
        .xDisconnect = holdfast_sqlite_list_disconnect,
        .xOpen = holdfast_sqlite_list_open,
        .xClose = holdfast_sqlite_list_close,
        .xFilter = holdfast_sqlite_list_filter,
        .xNext = holdfast_sqlite_list_next,
        .xEof = holdfast_sqlite_list_is_over,
        .xColumn = holdfast_sqlite_list_column,
        .xRowid = holdfast_sqlite_list_row,
    };
    return sqlite3_create_module_v2(database, HOLDFAST_LIST, &module, 0, 0);
}

#endif
