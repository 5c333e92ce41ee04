#ifndef HOLDFAST_CPOSTGRES_SHIM_H
#define HOLDFAST_CPOSTGRES_SHIM_H

#include <libpq-fe.h>

#endif
