# shellcheck shell=bash
# What it costs to build and to link Holdfast. Scripts/bench sources it, after common.sh.

# Prints the seconds that a command takes, of which the output is not of interest: those on the clock (%R), or of
# processors (%U).
seconds_of() {
    local log=$directory/log TIMEFORMAT=$1
    shift
    { time "$@" >"$log" 2>&1; } 2>&1 || { cat "$log" >&2; fail "Failed: $*"; }
}

# Prints the median of numbers, one a line.
median() {
    sort -n | awk '{ number[NR] = $1 } END { print number[int((NR + 1) / 2)] }'
}

# Prints the seconds (%R or %U) that it takes to compile a package's module of models alone, when all that they need is
# there. What SwiftPM itself takes is in it.
models_alone() {
    local package=$1 name=$2 format=$3 run
    swift build --package-path "$package" --target "$name" >/dev/null
    for ((run = 0; run < 5; run++)); do
        find "$package/.build/debug/" -path "*/$name.build/*" -type f ! -name '*.json' ! -name sources -delete
        touch "$package/Sources/$name"/*.swift
        seconds_of "$format" swift build --package-path "$package" --target "$name"
    done | median
}

# Prints a row about a library's release build: processor time, machine code, and what `size` counts as text.
library_cost() {
    local name=$1 flags=(--disable-build-manifest-caching --package-path "$root/Benchmarks" -c release) objects seconds
    swift build "${flags[@]}" --target "$name" >/dev/null
    objects=$(swift build "${flags[@]}" --show-bin-path)/$name.build
    rm -f "$objects"/*.o
    seconds=$(seconds_of %U swift build "${flags[@]}" --target "$name")
    printf '| %s | %s | %s | %s |\n' "$name" "$seconds" \
        "$(size -A "$objects"/*.o | awk '$1 ~ /^\.text/ { sum += $2 } END { printf "%.2f", sum / 1e6 }')" \
        "$(size "$objects"/*.o | awk 'NR > 1 { sum += $1 } END { printf "%.2f", sum / 1e6 }')"
}

# Prints a row about a small program's size in MB: as linked, and stripped.
program_cost() {
    local name=$1 flags=(--disable-build-manifest-caching --package-path "$root/Benchmarks" -c release) program
    swift build "${flags[@]}" --product "$name" -Xlinker --gc-sections >/dev/null
    program=$(swift build "${flags[@]}" --show-bin-path)/$name
    strip -o "$directory/stripped" "$program"
    printf '| %s | %s | %s |\n' "$name" "$(in_megabytes "$program")" "$(in_megabytes "$directory/stripped")"
}

in_megabytes() {
    wc -c <"$1" | awk '{ printf "%.1f", $1 / 1e6 }'
}

# Prints the lines that macros write for each of fifty models.
lines_of_macros() {
    local name=$1 package=$2 products
    products=$(swift build --package-path "$package" --show-bin-path)
    # By itself: as a flag of the build, it would compile all that the module depends on anew.
    swiftc -typecheck -Xfrontend -dump-macro-expansions -swift-version 6 -I "$products/Modules" \
        -load-plugin-executable "$products/HoldfastMacros-tool#HoldfastMacros" "$package/Sources/$name"/*.swift 2>&1 |
        awk '/^@__swiftmacro_.*\.swift/ { isNew = !($0 in seen); seen[$0] = 1; next }
            /^-+$/ { isInside = !isInside; next }
            isInside && isNew && NF { count++ }
            END { printf "%.0f", count / 50 }'
}

# Prints a row about fifty models in a debug build: processor time, that of a rebuild after a change in one file, and
# the lines that macros have written for each model.
fifty_models() {
    local name=$1 package=$2 target clean changed lines number
    target=(--package-path "$package" --target "$name")
    # What it depends on, and then the module alone.
    swift build "${target[@]}" >/dev/null
    clean=$(models_alone "$package" "$name" %U)
    changed=$(for number in 7 19 31 43 5; do
        echo "extension Model$number { func changed() {} }" >>"$package/Sources/$name/Model$number.swift"
        seconds_of %U swift build "${target[@]}"
    done | median)
    lines=0
    if grep -q '^@Table' "$package/Sources/$name"/*.swift; then lines=$(lines_of_macros "$name" "$package"); fi
    printf '| %s | %s | %s | %s |\n' "$name" "$clean" "$changed" "$lines"
}

# Measures with a checkout, and prints tables.
measure_build() {
    local checkout=$1 name clean with without
    directory=$(mktemp -d)
    trap 'rm -rf "$directory"' EXIT
    export HOLDFAST_CHECKOUT=$checkout
    cp -R "$checkout/Benchmarks/BuildCost" "$directory/program"
    for name in Tables Classes Records; do
        mkdir "$directory/program/Sources/$name"
        awk -v kind="$name" -v folder="$directory/program/Sources/$name" -f "$root/Scripts/lib/fifty-models.awk"
    done
    rm -rf "$directory/program/.build"
    swift package --package-path "$directory/program" resolve >&2

    echo "Building everything, from nothing." >&2
    clean=$(seconds_of %R swift build --package-path "$directory/program" --product Program)
    echo "Compiling the models alone." >&2
    with=$(models_alone "$directory/program" Models %R)
    # The same classes, which nothing is written for.
    sed -i.bak '/^@Table$/d' "$directory"/program/Sources/Models/*.swift
    rm "$directory"/program/Sources/Models/*.bak
    without=$(models_alone "$directory/program" Models %R)

    cat <<TABLE
| debug build of a program with ten models | s |
|---|--:|
| everything, from nothing, packages fetched | $clean |
| the module of the models | $with |
| the same without the macro | $without |
| the macro, and what it writes | $(awk "BEGIN { print $with - $without }") |
TABLE
    echo "Compiling fifty models." >&2
    cat <<'TABLE'

| debug build of fifty models of twelve properties | processor time, s | after a change in one file, s | lines written for each |
|---|--:|--:|--:|
TABLE
    fifty_models Tables "$directory/program"
    fifty_models Records "$directory/program"
    fifty_models Classes "$directory/program"
    echo "Compiling the libraries for release." >&2
    cat <<'TABLE'

| release build of a library | processor time, s | machine code, MB | text of `size`, MB |
|---|--:|--:|--:|
TABLE
    library_cost Holdfast
    library_cost GRDB
    cat <<'TABLE'

| program with one model | as linked, MB | stripped, MB |
|---|--:|--:|
TABLE
    program_cost OneEngine
    program_cost BothEngines
}
