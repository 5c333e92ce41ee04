# shellcheck shell=bash
# The PostgreSQL server of HOLDFAST_POSTGRES_URL, where its data is at hand. Source it after common.sh.

# Runs SQL as the server's superuser; the server may be about to restart.
sql() { psql -qAtX "$HOLDFAST_POSTGRES_URL" -c "$1" 2>/dev/null; }

# Ends a share of the sessions of Holdfast's programs, given as a number from 0 to 1.
terminate_sessions() {
    sql "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend'
        AND pid <> pg_backend_pid() AND application_name = 'holdfast' AND random() < $1" >/dev/null || true
}

# Restarts the server in a mode of pg_ctl's: fast, or immediate, without a checkpoint. Does nothing where its data is
# elsewhere, or another user's.
restart_server() {
    local mode=$1 data owner pg_ctl
    data=$(sql "SHOW data_directory") || return 0
    [[ -f $data/postmaster.pid && $(id -u) -eq 0 ]] || return 0
    owner=$(stat -c %U "$data")
    # shellcheck disable=SC2154 # common.sh says what it is.
    pg_ctl=$("$root/Integration/with-postgres" --where)/pg_ctl
    (
        cd "$(dirname "$data")" || exit
        su -s /bin/sh "$owner" -c "'$pg_ctl' restart -D '$data' -m $mode -w -t 60 -l '$data/restarted.log'" >/dev/null
    )
}
