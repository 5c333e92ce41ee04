# shellcheck shell=bash
# How long a program with ten models takes to build. Scripts/bench sources it, after common.sh.

# Prints the seconds that a command takes, of which the output is not of interest.
seconds_of() {
    local log=$directory/log TIMEFORMAT=%R
    { time "$@" >"$log" 2>&1; } 2>&1 || { cat "$log" >&2; fail "Failed: $*"; }
}

# Prints the median of numbers, one a line.
median() {
    sort -n | awk '{ number[NR] = $1 } END { print number[int((NR + 1) / 2)] }'
}

# Prints the seconds that it takes to compile the models alone, when all that they need is there. What SwiftPM itself
# takes is in it.
models_alone() {
    local run
    swift build --package-path "$1" --target Models >/dev/null
    for ((run = 0; run < 5; run++)); do
        find "$1/.build/debug/" -path '*/Models.build/*' -type f ! -name '*.json' ! -name sources -delete
        touch "$1"/Sources/Models/*.swift
        seconds_of swift build --package-path "$1" --target Models
    done | median
}

# Measures with a checkout, and prints a table.
measure_build() {
    local checkout=$1 clean with without
    directory=$(mktemp -d)
    trap 'rm -rf "$directory"' EXIT
    export HOLDFAST_CHECKOUT=$checkout
    cp -R "$checkout/Benchmarks/BuildCost" "$directory/program"
    rm -rf "$directory/program/.build"
    swift package --package-path "$directory/program" resolve >&2

    echo "Building everything, from nothing." >&2
    clean=$(seconds_of swift build --package-path "$directory/program")
    echo "Compiling the models alone." >&2
    with=$(models_alone "$directory/program")
    # The same classes, which nothing is written for.
    sed -i.bak '/^@Table$/d' "$directory"/program/Sources/Models/*.swift
    rm "$directory"/program/Sources/Models/*.bak
    without=$(models_alone "$directory/program")

    cat <<TABLE
| debug build of a program with ten models | s |
|---|--:|
| everything, from nothing, packages fetched | $clean |
| the module of the models | $with |
| the same without the macro | $without |
| the macro, and what it writes | $(awk "BEGIN { print $with - $without }") |
TABLE
}
