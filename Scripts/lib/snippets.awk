# Prints an article with the code of its snippets in place: below a line <!-- Snippets/Querying.swift: conditions -->
# stands a block of the slice that is between "// snippet.conditions" and the next "// snippet.end" of that file. What
# is between "// snippet.hide" and "// snippet.show" is left out, and the indentation that all lines share.

# Reads the slices of a file into slices[file, name].
function read_slices(file,    line, name, isHidden) {
    known[file] = 1
    while ((getline line < file) > 0) {
        if (line ~ /^ *\/\/ snippet\.[a-z0-9-]+$/) {
            sub(/^ *\/\/ snippet\./, "", line)
            if (line == "hide") isHidden = 1
            else if (line == "show") isHidden = 0
            else name = line == "end" ? "" : line
            if (name != "" && !((file, name) in slices)) slices[file, name] = ""
        } else if (name != "" && !isHidden) {
            slices[file, name] = slices[file, name] line "\n"
        }
    }
    close(file)
}

# Prints lines without the blanks that all of them begin with, and without empty lines around them.
function print_code(text,    lines, count, i, indent, least, first) {
    sub(/\n+$/, "", text)
    sub(/^\n+/, "", text)
    count = split(text, lines, "\n")
    least = -1
    for (i = 1; i <= count; i++) {
        if (lines[i] == "") continue
        match(lines[i], /^ */)
        if (least < 0 || RLENGTH < least) least = RLENGTH
    }
    print "```swift"
    for (i = 1; i <= count; i++) print substr(lines[i], least + 1)
    print "```"
}

# The block that stands there already is replaced.
isReplacing && !isInside && /^```swift$/ { isInside = 1; next }
isReplacing && isInside { if ($0 == "```") isReplacing = isInside = 0; next }
{ isReplacing = 0 }

/^<!-- Snippets\/[A-Za-z]+\.swift: [a-z0-9-]+ -->$/ {
    file = $2
    sub(/:$/, "", file)
    if (!(file in known)) read_slices(file)
    if (!((file, $3) in slices)) {
        printf "%s:%d: there is no slice %s in %s\n", FILENAME, FNR, $3, file > "/dev/stderr"
        failed = 1
    }
    print
    print_code(slices[file, $3])
    isReplacing = 1
    next
}
{ print }
END { exit failed }
