# shellcheck shell=bash
# shellcheck disable=SC2034 # The scripts that source it use these.
# What the scripts share. Source it: . "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# The checkout that this file belongs to.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# Prints what is about to happen, apart from what programs print.
heading() {
    printf '\n==> %s\n' "$*"
}

# Prints a sentence to standard error and ends the script.
fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# Prints a script's usage, its standard input, and ends with the status: 0 when asked for, 2 when misused.
usage_exit() {
    if [[ $1 -eq 0 ]]; then cat; else cat >&2; fi
    exit "$1"
}
