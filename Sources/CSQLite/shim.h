#ifndef HOLDFAST_CSQLITE_SHIM_H
#define HOLDFAST_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
