# shellcheck shell=bash
# A reader of the change log that knows nothing but SQL. Source it after common.sh.

tab=$'\t'

# Prints a line "entry" for each change after a position, and a line "position" for where that ends.
read_log_sqlite() {
    sqlite3 -readonly -cmd '.timeout 10000' -separator "$tab" "${1#sqlite:}" "
        BEGIN;
        SELECT 'position', max($2, (SELECT coalesce(max(id), 0) FROM holdfast_log));
        SELECT 'entry', id, table_name, kind, row_key, old_values FROM holdfast_log WHERE id > $2 ORDER BY id;
        COMMIT"
}

# What the snapshot of now shows and an older one does not, in the order of numbers.
read_log_postgres() {
    psql -qAtX -v ON_ERROR_STOP=1 -F "$tab" "$1" <<SQL
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT 'position', pg_current_snapshot();
SELECT 'entry', id, table_name, kind, row_key, old_values FROM holdfast_log
WHERE transaction_id >= pg_snapshot_xmin('$2')::text::bigint
    AND NOT pg_visible_in_snapshot(transaction_id::text::xid8, '$2')
ORDER BY id;
COMMIT;
SQL
}

# The position before everything in the log.
first_position() { if [[ $1 = sqlite ]]; then echo 0; else echo 3:3:; fi; }

# Reads the log from its beginning, until the file "stop" is in a directory and there was nothing more to read.
follow_log() {
    local engine=$1 url=$2 directory=$3 position output is_last=
    position=$(first_position "$engine")
    while [[ -z $is_last ]]; do
        [[ ! -e $directory/stop ]] || is_last=1
        # What fails with its connection is read again.
        if output=$("read_log_$engine" "$url" "$position" 2>"$directory/errors"); then
            grep "^entry$tab" <<<"$output" | cut -f 2- >>"$directory/entries" || true
            position=$(grep "^position$tab" <<<"$output" | cut -f 2)
        else
            is_last=
        fi
        sleep 0.02
    done
}

# Compares what was read with the log itself, and with what each change says of the one before.
check_log() {
    local engine=$1 url=$2 directory=$3
    "read_log_$engine" "$url" "$(first_position "$engine")" | grep "^entry$tab" | cut -f 2 | sort >"$directory/all"
    cut -f 1 "$directory/entries" | sort >"$directory/read"
    diff "$directory/all" "$directory/read" >"$directory/differences" ||
        { head -5 "$directory/differences" >&2; fail "The log was read by SQL otherwise than it is."; }
    awk -F '\t' '
        function complain(what) { print "Change", $1, "of", $2, $4 ":", what; wrong = 1 }
        # A gap: the table was not logged before.
        $3 == 5 { next }
        $2 == "counter" && $3 == 2 {
            gsub(/[^0-9]/, "", $5)
            if ($5 + 0 != counters[$4] + 0) complain("it was " $5 ", and not " counters[$4] + 0)
            counters[$4] = $5 + 1
        }
        $2 == "item" && ($3 == 1) == ($4 in items) { complain($3 == 1 ? "it came twice" : "it had not come before") }
        $2 == "item" && $3 == 1 { items[$4] = 1 }
        $2 == "item" && $3 == 3 { delete items[$4] }
        END { exit wrong }' "$directory/entries" >&2 || fail "The log was read by SQL in an order in which nobody wrote."
    printf '%s: %s changes read by SQL alone, once and in order\n' "$engine" "$(wc -l <"$directory/entries")"
}
