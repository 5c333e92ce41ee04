# shellcheck shell=bash
# shellcheck disable=SC2034 # The scripts that source it use these.
# What the scripts share. Source it: . "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# The checkout that this file belongs to.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# Where the packages in Examples, Integration and the README are built, and Holdfast itself for whoever uses it as they
# do.
shared_build=$root/.build/packages
# Without the manifest of the package before, which SwiftPM would take for this one's.
shared_flags=(--scratch-path "$shared_build" --disable-build-manifest-caching)

# Otherwise SwiftPM 6.3 writes the flags of Holdfast's traits in another order in most of its build plans, and each time
# compiles all of it again: https://github.com/swiftlang/swift-package-manager/issues/10525
export SWIFT_DETERMINISTIC_HASHING=1

# Prints what is about to happen, apart from what programs print.
heading() {
    printf '\n==> %s\n' "$*"
}

# Builds a product of one of the packages in the repository, and prints where its program is. They share a directory, so
# that Holdfast and what it depends on are built once for all of them.
build_product() {
    local package=$1 product=$2
    shift 2
    local flags=(--package-path "$root/$package" "${shared_flags[@]}" "$@")
    # In a substitution, a failure ends nothing by itself.
    swift build "${flags[@]}" --product "$product" >&2 || return
    printf '%s/%s\n' "$(swift build "${flags[@]}" --show-bin-path)" "$product"
}

# Runs the tests of one of these packages, on the engines of HOLDFAST_TEST_ENGINES.
test_package() {
    HOLDFAST_TEST_POSTGRES_URL=${HOLDFAST_POSTGRES_URL:-} swift test --package-path "$root/$1" \
        "${shared_flags[@]}"
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
