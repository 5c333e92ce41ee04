# Prints the conformance cases that are not in a file named after their clause, and those with more than 15 expectations,
# as FILE:LINE: MESSAGE, and ends with status 1 if there are any. Functions of these files have at most 15, too.
#
# A case begins with its id and its clause: "op-equal.form", "OP-EQUAL". It relies on swift-format's indentation of four
# spaces for each level, by which cases are elements of arrays that are members.

# The beginning of the names of a clause's files: OpEqual for op-equal.
function file_of(clause,    words, count, i, name) {
    count = split(clause, words, "-")
    for (i = 1; i <= count; i++) name = name toupper(substr(words[i], 1, 1)) substr(words[i], 2)
    return name
}

function report(line, message) {
    printf "%s:%d: %s\n", file, line, message
    found = 1
}

function finish() {
    if (expectations > 15) report(start, what " has " expectations " expectations, and may have 15.")
    expectations = 0
}

FNR == 1 {
    finish()
    file = FILENAME
    name = file
    sub(/.*\//, "", name)
    sub(/(\+.*)?\.swift$/, "", name)
}

/^    [^ })\]]/ {
    finish()
    start = FNR
    what = "This member"
}

match($0, /"[a-z]+(-[a-z0-9]+)+\.[^"]+", *("[A-Z][A-Z0-9-]+"|$)/) {
    finish()
    start = FNR
    what = substr($0, RSTART + 1, RLENGTH)
    sub(/".*/, "", what)
    clause = what
    sub(/\..*/, "", clause)
    if (file_of(clause) != name) report(FNR, what " belongs in " file_of(clause) ".swift, or " file_of(clause) "+….swift.")
}

{
    line = $0
    gsub(/func expect/, "", line)
    expectations += gsub(/(^|[^A-Za-z_])expect[A-Za-z]*(<[^>]*>)?\(/, "", line)
}

END {
    finish()
    exit found
}
