#include <sqlite3.h>

/// Takes "text" for a name always: Swift can't call sqlite3_db_config, which takes any number of arguments.
static inline void plain_refuse_quoted_strings(sqlite3 *database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}
