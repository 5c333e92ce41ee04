#ifndef HOLDFAST_CSQLITE_MUTEXES_H
#define HOLDFAST_CSQLITE_MUTEXES_H

#include <sqlite3.h>

#if defined(__linux__)
#include <features.h>
#endif

#if defined(__GLIBC__)

#include <pthread.h>
#include <stdlib.h>

// Mutexes for SQLite that poll a few times before they put a thread to sleep. SQLite's own sleep immediately, and what
// they guard takes less than going to sleep and being woken does.

static inline int holdfast_sqlite_mutex_set_up(pthread_mutex_t *mutex, int type) {
    pthread_mutexattr_t attributes;
    if (pthread_mutexattr_init(&attributes) != 0) return 0;
    int isSetUp = pthread_mutexattr_settype(&attributes, type) == 0 && pthread_mutex_init(mutex, &attributes) == 0;
    pthread_mutexattr_destroy(&attributes);
    return isSetUp;
}

/// More than SQLite has from the beginning.
enum { HOLDFAST_SQLITE_STATIC_MUTEXES = 32 };

/// One of those that SQLite has from the beginning.
static inline pthread_mutex_t *holdfast_sqlite_static_mutex(int id) {
    static pthread_mutex_t mutexes[HOLDFAST_SQLITE_STATIC_MUTEXES];
    return &mutexes[id];
}

static pthread_once_t holdfast_sqlite_mutexes_once = PTHREAD_ONCE_INIT;
static int holdfast_sqlite_mutexes_are_ready = 0;

static void holdfast_sqlite_mutexes_begin_once(void) {
    for (int id = 0; id < HOLDFAST_SQLITE_STATIC_MUTEXES; id++) {
        if (!holdfast_sqlite_mutex_set_up(holdfast_sqlite_static_mutex(id), PTHREAD_MUTEX_ADAPTIVE_NP)) return;
    }
    holdfast_sqlite_mutexes_are_ready = 1;
}

static int holdfast_sqlite_mutexes_begin(void) {
    pthread_once(&holdfast_sqlite_mutexes_once, holdfast_sqlite_mutexes_begin_once);
    return holdfast_sqlite_mutexes_are_ready ? SQLITE_OK : SQLITE_NOMEM;
}

static int holdfast_sqlite_mutexes_end(void) { return SQLITE_OK; }

static sqlite3_mutex *holdfast_sqlite_mutex_alloc(int id) {
    if (id < 0 || id >= HOLDFAST_SQLITE_STATIC_MUTEXES) return NULL;
    if (id != SQLITE_MUTEX_FAST && id != SQLITE_MUTEX_RECURSIVE) {
        return (sqlite3_mutex *)holdfast_sqlite_static_mutex(id);
    }
    // Not by SQLite's allocator, which may take a mutex itself.
    pthread_mutex_t *mutex = (pthread_mutex_t *)malloc(sizeof(pthread_mutex_t));
    int type = id == SQLITE_MUTEX_FAST ? PTHREAD_MUTEX_ADAPTIVE_NP : PTHREAD_MUTEX_RECURSIVE_NP;
    if (mutex && !holdfast_sqlite_mutex_set_up(mutex, type)) {
        free(mutex);
        return NULL;
    }
    return (sqlite3_mutex *)mutex;
}

static void holdfast_sqlite_mutex_free(sqlite3_mutex *mutex) {
    pthread_mutex_destroy((pthread_mutex_t *)mutex);
    free(mutex);
}

static void holdfast_sqlite_mutex_enter(sqlite3_mutex *mutex) { pthread_mutex_lock((pthread_mutex_t *)mutex); }

static int holdfast_sqlite_mutex_try(sqlite3_mutex *mutex) {
    return pthread_mutex_trylock((pthread_mutex_t *)mutex) == 0 ? SQLITE_OK : SQLITE_BUSY;
}

static void holdfast_sqlite_mutex_leave(sqlite3_mutex *mutex) { pthread_mutex_unlock((pthread_mutex_t *)mutex); }

// Asked by builds of SQLite that check themselves: it is enough that neither answer is a complaint.
static int holdfast_sqlite_mutex_is_as_expected(sqlite3_mutex *mutex) { return mutex || !mutex; }

/// Has SQLite take mutexes in this process that look a few times before they sleep.
///
/// Without effect once SQLite is in use.
static inline int holdfast_sqlite_use_spinning_mutexes(void) {
    sqlite3_mutex_methods methods = {
        .xMutexInit = holdfast_sqlite_mutexes_begin,
        .xMutexEnd = holdfast_sqlite_mutexes_end,
        .xMutexAlloc = holdfast_sqlite_mutex_alloc,
        .xMutexFree = holdfast_sqlite_mutex_free,
        .xMutexEnter = holdfast_sqlite_mutex_enter,
        .xMutexTry = holdfast_sqlite_mutex_try,
        .xMutexLeave = holdfast_sqlite_mutex_leave,
        .xMutexHeld = holdfast_sqlite_mutex_is_as_expected,
        .xMutexNotheld = holdfast_sqlite_mutex_is_as_expected,
    };
    return sqlite3_config(SQLITE_CONFIG_MUTEX, &methods);
}

#else

/// Does nothing: this system's C library has no such mutexes.
static inline int holdfast_sqlite_use_spinning_mutexes(void) { return SQLITE_OK; }

#endif

#endif
