// What Swift can't reach by itself: libpq's character macros, the readiness calls of the kernel (Glibc's Swift module
// doesn't export epoll). Everything is static inline, so that this stays a system library target without a compiled
// part.

#ifndef HOLDFAST_CPOSTGRES_SHIM_H
#define HOLDFAST_CPOSTGRES_SHIM_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#else
#include <sys/event.h>
#endif

// Fields of a PGresult that is an error; macros of characters in postgres_ext.h.
static const int HOLDFAST_DIAG_SEVERITY = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int HOLDFAST_DIAG_SQLSTATE = PG_DIAG_SQLSTATE;
static const int HOLDFAST_DIAG_MESSAGE = PG_DIAG_MESSAGE_PRIMARY;
static const int HOLDFAST_DIAG_DETAIL = PG_DIAG_MESSAGE_DETAIL;
static const int HOLDFAST_DIAG_HINT = PG_DIAG_MESSAGE_HINT;
static const int HOLDFAST_DIAG_POSITION = PG_DIAG_STATEMENT_POSITION;
static const int HOLDFAST_DIAG_CONTEXT = PG_DIAG_CONTEXT;
static const int HOLDFAST_DIAG_TABLE = PG_DIAG_TABLE_NAME;
static const int HOLDFAST_DIAG_COLUMN = PG_DIAG_COLUMN_NAME;
static const int HOLDFAST_DIAG_CONSTRAINT = PG_DIAG_CONSTRAINT_NAME;
static const int HOLDFAST_DIAG_FUNCTION = PG_DIAG_SOURCE_FUNCTION;

/// Nanoseconds of a clock that never goes back.
static inline int64_t holdfast_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// --- Readiness of sockets

/// Something that happened: the registration's identity, and what it is ready for.
typedef struct {
    uint64_t id;
    bool readable;
    bool writable;
} holdfast_event;

/// Waits until `fd` is readable or, if asked, writable; false if `milliseconds` passed first.
static inline bool holdfast_wait_for_socket(int fd, bool writable, int milliseconds) {
    struct pollfd entry = {.fd = fd, .events = (short)(writable ? POLLOUT : POLLIN), .revents = 0};
    return poll(&entry, 1, milliseconds) != 0;
}

/// Waits until `fd` can be read from or has failed; returns whether it did within `limit` nanoseconds, less than a
/// second.
///
/// Until `polling` nanoseconds after `start`, a time of `holdfast_now`, it polls: the system then need not put the
/// thread to sleep, and wake it up.
static inline bool holdfast_wait_readable(int fd, int64_t start, long polling, long limit) {
    struct pollfd entry = {.fd = fd, .events = POLLIN, .revents = 0};
    if (polling > 0) {
        do {
            if (poll(&entry, 1, 0) > 0) return true;
        } while (holdfast_now() - start < polling);
    }
#ifdef __linux__
    struct timespec timeout = {.tv_sec = 0, .tv_nsec = limit};
    return ppoll(&entry, 1, &timeout, NULL) > 0;
#else
    return poll(&entry, 1, (int)((limit + 999999) / 1000000)) > 0;
#endif
}

/// The identity under which the wake-up of a poller is registered.
static const uint64_t HOLDFAST_WAKE_ID = 0;

#ifdef __linux__

typedef struct {
    int fd;
    int wake_fd;
} holdfast_poller;

/// Opens a poller; `fd` is -1 and errno is set if that failed.
static inline holdfast_poller holdfast_poller_open(void) {
    holdfast_poller poller = {.fd = epoll_create1(EPOLL_CLOEXEC), .wake_fd = -1};
    if (poller.fd < 0) return poller;
    poller.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data = {.u64 = HOLDFAST_WAKE_ID}};
    if (poller.wake_fd < 0 || epoll_ctl(poller.fd, EPOLL_CTL_ADD, poller.wake_fd, &event) != 0) {
        int failure = errno;
        if (poller.wake_fd >= 0) close(poller.wake_fd);
        close(poller.fd);
        poller.fd = -1;
        errno = failure;
    }
    return poller;
}

static inline void holdfast_poller_close(holdfast_poller poller) {
    close(poller.wake_fd);
    close(poller.fd);
}

/// Reports `fd` once, when it is readable or, if asked, writable; replaces what was asked before.
static inline int holdfast_poller_arm(holdfast_poller poller, int fd, uint64_t id, bool writable) {
    struct epoll_event event = {
        .events = EPOLLIN | EPOLLRDHUP | EPOLLONESHOT | (writable ? EPOLLOUT : 0), .data = {.u64 = id}};
    if (epoll_ctl(poller.fd, EPOLL_CTL_MOD, fd, &event) == 0) return 0;
    if (errno != ENOENT) return errno;
    return epoll_ctl(poller.fd, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
}

/// Reports `fd` no more, until it is armed again.
static inline void holdfast_poller_disarm(holdfast_poller poller, int fd, uint64_t id) {
    struct epoll_event event = {.events = EPOLLONESHOT, .data = {.u64 = id}};
    epoll_ctl(poller.fd, EPOLL_CTL_MOD, fd, &event);
}

static inline void holdfast_poller_remove(holdfast_poller poller, int fd) {
    struct epoll_event unused = {.events = 0, .data = {.u64 = 0}};
    epoll_ctl(poller.fd, EPOLL_CTL_DEL, fd, &unused);
}

static inline void holdfast_poller_wake(holdfast_poller poller) {
    uint64_t one = 1;
    ssize_t written = write(poller.wake_fd, &one, sizeof one);
    (void)written;
}

/// Waits for at most `milliseconds` (-1: without end), and returns how many events it wrote; -1 if there are to be no
/// more, because the poller itself failed.
static inline int holdfast_poller_wait(
    holdfast_poller poller, holdfast_event *events, int capacity, int milliseconds) {
    struct epoll_event ready[64];
    int count = epoll_wait(poller.fd, ready, capacity < 64 ? capacity : 64, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    for (int index = 0; index < count; index++) {
        events[index].id = ready[index].data.u64;
        events[index].readable = (ready[index].events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
        events[index].writable = (ready[index].events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0;
        if (events[index].id == HOLDFAST_WAKE_ID) {
            uint64_t wakes;
            ssize_t got = read(poller.wake_fd, &wakes, sizeof wakes);
            (void)got;
        }
    }
    return count;
}

#else

typedef struct {
    int fd;
} holdfast_poller;

static inline holdfast_poller holdfast_poller_open(void) {
    holdfast_poller poller = {.fd = kqueue()};
    if (poller.fd < 0) return poller;
    fcntl(poller.fd, F_SETFD, FD_CLOEXEC);
    struct kevent change;
    EV_SET(&change, HOLDFAST_WAKE_ID, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, NULL);
    if (kevent(poller.fd, &change, 1, NULL, 0, NULL) != 0) {
        int failure = errno;
        close(poller.fd);
        poller.fd = -1;
        errno = failure;
    }
    return poller;
}

static inline void holdfast_poller_close(holdfast_poller poller) { close(poller.fd); }

static inline int holdfast_poller_arm(holdfast_poller poller, int fd, uint64_t id, bool writable) {
    struct kevent changes[2];
    EV_SET(&changes[0], fd, EVFILT_READ, EV_ADD | EV_ONESHOT, 0, 0, (void *)(uintptr_t)id);
    EV_SET(&changes[1], fd, EVFILT_WRITE, EV_ADD | EV_ONESHOT, 0, 0, (void *)(uintptr_t)id);
    return kevent(poller.fd, changes, writable ? 2 : 1, NULL, 0, NULL) == 0 ? 0 : errno;
}

/// Reports `fd` no more, until it is armed again.
static inline void holdfast_poller_disarm(holdfast_poller poller, int fd, uint64_t id) {
    struct kevent changes[2];
    EV_SET(&changes[0], fd, EVFILT_READ, EV_DELETE, 0, 0, NULL);
    EV_SET(&changes[1], fd, EVFILT_WRITE, EV_DELETE, 0, 0, NULL);
    kevent(poller.fd, &changes[0], 1, NULL, 0, NULL);
    kevent(poller.fd, &changes[1], 1, NULL, 0, NULL);
    (void)id;
}

static inline void holdfast_poller_remove(holdfast_poller poller, int fd) {
    struct kevent change;
    EV_SET(&change, fd, EVFILT_READ, EV_DELETE, 0, 0, NULL);
    kevent(poller.fd, &change, 1, NULL, 0, NULL);
    EV_SET(&change, fd, EVFILT_WRITE, EV_DELETE, 0, 0, NULL);
    kevent(poller.fd, &change, 1, NULL, 0, NULL);
}

static inline void holdfast_poller_wake(holdfast_poller poller) {
    struct kevent change;
    EV_SET(&change, HOLDFAST_WAKE_ID, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    kevent(poller.fd, &change, 1, NULL, 0, NULL);
}

static inline int holdfast_poller_wait(
    holdfast_poller poller, holdfast_event *events, int capacity, int milliseconds) {
    struct kevent ready[64];
    struct timespec limit = {.tv_sec = milliseconds / 1000, .tv_nsec = (long)(milliseconds % 1000) * 1000000};
    int count = kevent(poller.fd, NULL, 0, ready, capacity < 64 ? capacity : 64, milliseconds < 0 ? NULL : &limit);
    if (count < 0) return errno == EINTR ? 0 : -1;
    for (int index = 0; index < count; index++) {
        bool is_wake = ready[index].filter == EVFILT_USER;
        events[index].id = is_wake ? HOLDFAST_WAKE_ID : (uint64_t)(uintptr_t)ready[index].udata;
        events[index].readable = ready[index].filter == EVFILT_READ;
        events[index].writable = ready[index].filter == EVFILT_WRITE;
    }
    return count;
}

#endif

// --- libpq

/// The number of bytes that OpenSSL has decrypted and libpq has not fetched yet: the socket doesn't tell of them.
///
/// PQconsumeInput fetches at most what its buffer holds, so a TLS record of more than 8 kB can leave a rest behind. libpq
/// links OpenSSL where it was built with it; it is found at run time, so that we need not link it too.
static inline int holdfast_tls_pending(PGconn *connection) {
    static int (*pending)(const void *) = NULL;
    static bool searched = false;
    void *tls = PQsslStruct(connection, "OpenSSL");
    if (!tls) return 0;
    if (!__atomic_load_n(&searched, __ATOMIC_ACQUIRE)) {
        void *program = dlopen(NULL, RTLD_LAZY);
        void *symbol = program ? dlsym(program, "SSL_pending") : NULL;
        __atomic_store_n((void **)&pending, symbol, __ATOMIC_RELAXED);
        __atomic_store_n(&searched, true, __ATOMIC_RELEASE);
    }
    int (*function)(const void *) = (int (*)(const void *))__atomic_load_n((void **)&pending, __ATOMIC_RELAXED);
    return function ? function(tls) : 0;
}

// --- Prepared statements

/// The function of libpq by which a prepared statement is closed, which it has from version 17 on; NULL if it has none.
static inline void *holdfast_find_close_prepared(void) {
    void *program = dlopen(NULL, RTLD_LAZY);
    return program ? dlsym(program, "PQsendClosePrepared") : NULL;
}

static inline int holdfast_send_close_prepared(void *function, PGconn *session, const char *name) {
    return ((int (*)(PGconn *, const char *))function)(session, name);
}

#endif
