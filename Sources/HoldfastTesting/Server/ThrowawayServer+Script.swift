extension ThrowawayServer {
    /// A program of `sh` that starts a server, tells where it is, and stops it when its standard input ends.
    ///
    /// The write end of that pipe is open in the process of the tests alone. So the server is stopped however that
    /// process ends, `kill -9` included, and at whatever moment.
    ///
    /// It prints `ready DIRECTORY`, where the directory has the server's socket, or `failed REASON`.
    static let script = #"""
        trap '' INT TERM HUP QUIT
        directory=
        owner=

        fail() {
            printf 'failed %s\n' "$*"
            [ -z "$directory" ] || rm -rf "$directory"
            exit 1
        }

        is_server() { [ -x "$1/initdb" ] && [ -x "$1/pg_ctl" ] && [ -x "$1/postgres" ]; }

        # Prints the directory of the newest server programs: Debian, Red Hat, Homebrew, Postgres.app, and the path.
        find_server() {
            if [ -n "${HOLDFAST_TEST_POSTGRES_BIN:-}" ]; then
                ! is_server "$HOLDFAST_TEST_POSTGRES_BIN" || printf '%s\n' "$HOLDFAST_TEST_POSTGRES_BIN"
                return
            fi
            found=$(
                for candidate in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql@*/bin \
                    /usr/local/opt/postgresql@*/bin /Applications/Postgres.app/Contents/Versions/[0-9]*/bin; do
                    ! is_server "$candidate" || printf '%s\n' "$candidate"
                done | sort -V | tail -n 1
            )
            if [ -z "$found" ] && command -v pg_config >/dev/null; then found=$(pg_config --bindir); fi
            if [ -z "$found" ] || ! is_server "$found"; then
                found=$(command -v initdb) && found=$(dirname "$found")
            fi
            ! is_server "$found" || printf '%s\n' "$found"
        }

        # Runs a command as the user that owns the server: PostgreSQL refuses to run as root.
        as_owner() {
            if [ -z "$owner" ]; then
                "$@"
            elif command -v setpriv >/dev/null; then
                setpriv --reuid="$owner" --regid="$(id -g "$owner")" --init-groups -- "$@"
            elif command -v runuser >/dev/null; then
                runuser -u "$owner" -- "$@"
            else
                su -s /bin/sh "$owner" -c 'exec "$0" "$@"' -- "$@"
            fi
        }

        stop() {
            cd /
            for attempt in 1 2 3 4 5; do
                if [ -f "$directory/data/postmaster.pid" ]; then
                    as_owner "$bin/pg_ctl" stop --pgdata="$directory/data" --mode=immediate --silent >/dev/null 2>&1
                fi
                ! rm -rf "$directory" 2>/dev/null || return
                sleep "$attempt" # A server that was still starting wrote another file.
            done
        }

        bin=$(find_server)
        [ -n "$bin" ] || fail no-programs

        if [ "$(id -u)" -eq 0 ]; then
            for owner in postgres nobody ''; do
                [ -z "$owner" ] || ! id "$owner" >/dev/null 2>&1 || break
            done
            [ -n "$owner" ] || fail root
        fi

        # On a RAM disk if there is one with room, where a clone takes a fraction of the time. The name of a socket has to
        # fit in about 100 bytes, and the server's user must be able to enter its directory.
        place=${HOLDFAST_TEST_DIRECTORY:-}
        if [ -z "$place" ] && [ -w /dev/shm ] &&
            [ "$(df -Pk /dev/shm | awk 'NR == 2 { print $4 }')" -ge 2000000 ]; then
            place=/dev/shm
        fi
        [ -n "$place" ] || place=${TMPDIR:-/tmp}
        if [ "${#place}" -gt 60 ] || ! as_owner test -x "$place"; then place=/tmp; fi
        directory=$(mktemp -d "${place%/}/holdfast-server.XXXXXX") || fail no-directory
        [ -z "$owner" ] || chown "$owner" "$directory"
        cd "$directory"

        initialize() {
            as_owner "$bin/initdb" --pgdata="$directory/data" --username=holdfast --auth=trust --encoding=UTF8 \
                --locale=C --no-sync "$@" >/dev/null 2>&1
        }
        # English where possible: what relies on the database's own collation then fails here, and not in production.
        initialize --locale-provider=icu --icu-locale=en-US ||
            { rm -rf "$directory/data"; initialize; } || fail initdb

        cat >>"$directory/data/postgresql.conf" <<CONFIGURATION
        listen_addresses = ''
        unix_socket_directories = '$directory'
        unix_socket_permissions = 0700
        max_connections = 200
        fsync = off
        synchronous_commit = off
        full_page_writes = off
        wal_level = minimal
        max_wal_senders = 0
        max_wal_size = 256MB
        checkpoint_timeout = 1h
        autovacuum = off
        lc_messages = 'C'
        CONFIGURATION
        as_owner "$bin/pg_ctl" start --pgdata="$directory/data" --log="$directory/data/server.log" --silent --wait \
            --timeout=60 --options="-p 5432" >/dev/null 2>&1 || { stop; fail start; }

        printf 'ready %s\n' "$directory"
        cat >/dev/null # Ends when the process of the tests is gone.
        stop
        """#
}
