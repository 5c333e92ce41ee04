# shellcheck shell=bash
# PgBouncer in front of the PostgreSQL of HOLDFAST_POSTGRES_URL. Source it after common.sh.

pgbouncer=$(command -v pgbouncer || echo /usr/sbin/pgbouncer)

# Where the server is: postgres://user:password@host:port/database, as with-postgres writes it, and as others may.
read_server_url() {
    local pattern='^postgres(ql)?://([^:@/]+)(:([^@/]*))?@([^:/]+)(:([0-9]+))?/([^?]+)'
    [[ $HOLDFAST_POSTGRES_URL =~ $pattern ]] ||
        fail "HOLDFAST_POSTGRES_URL is not of the form postgres://user:password@host/database."
    user=${BASH_REMATCH[2]} password=${BASH_REMATCH[4]} host=${BASH_REMATCH[5]}
    server_port=${BASH_REMATCH[7]:-5432} database=${BASH_REMATCH[8]}
}

# Prints the URL of a database of the pooler.
pooled() { printf 'postgres://%s:%s@127.0.0.1:%s/%s' "$user" "$password" "$pooler_port" "$1"; }

# Starts PgBouncer in transaction mode, with its files in a directory, and databases that are given as NAME=SIZE: each
# is the server's, by so many sessions. It gets a free port (pooler_port), which whoever takes it meanwhile costs us
# another try, and is the process pooler_process.
start_pooler() {
    local directory=$1 candidate pool as_owner=()
    shift
    [[ -x $pgbouncer ]] || fail "Found no pgbouncer. Run Scripts/install-dependencies --postgres-server."
    read_server_url
    (
        umask 077
        printf '"%s" "%s"\n' "$user" "$password" >"$directory/users"
    )
    # PgBouncer does not run as root.
    if [[ $(id -u) -eq 0 ]]; then
        as_owner=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups --)
        chown nobody "$directory" "$directory/users"
    fi
    for _ in {1..20}; do
        candidate=$((10240 + (RANDOM * 32768 + RANDOM) % 22000))
        {
            echo '[databases]'
            for pool in "$@"; do
                echo "${pool%=*} = host=$host port=$server_port dbname=$database pool_size=${pool#*=}"
            done
            cat <<CONFIGURATION
[pgbouncer]
pool_mode = transaction
listen_addr = 127.0.0.1
listen_port = $candidate
unix_socket_dir =
auth_type = scram-sha-256
auth_file = $directory/users
max_client_conn = 400
query_wait_timeout = 60
server_round_robin = 1
server_login_retry = 1
CONFIGURATION
        } >"$directory/pgbouncer.ini"
        ${as_owner[@]+"${as_owner[@]}"} "$pgbouncer" "$directory/pgbouncer.ini" >"$directory/log" 2>&1 &
        pooler_process=$!
        pooler_port=$candidate
        disown "$pooler_process" # Or Bash prints how it ended.
        for _ in {1..50}; do
            if psql -qAtX "$(pooled "${1%=*}")" -c 'SELECT 1' >/dev/null 2>&1; then return; fi
            kill -0 "$pooler_process" 2>/dev/null || break
            sleep 0.1
        done
        kill "$pooler_process" 2>/dev/null || true
    done
    cat "$directory/log" >&2
    fail "PgBouncer did not start."
}
