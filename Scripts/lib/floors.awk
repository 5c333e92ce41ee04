# Reads the Swift files of the core, named relative to its folder, and reports references that lead upward: see
# Scripts/check-floors.
#
# A reference is the name of a type, or a macro with its @, that one other file declares, outside of any type. Calls of
# methods are not seen.

BEGIN {
    floorCount = split(floors, names, " ")
    for (number = 1; number <= floorCount; number++) rank[names[number]] = number
    longest = 25
}

FNR == 1 {
    file = FILENAME
    files[++fileCount] = file
    folder = file
    sub(/\/[^\/]*$/, "", folder)
    if (++sizes[folder] == longest + 1) problem("Sources/Holdfast/" folder " has more than " longest " files.")
    floor = file
    sub(/\/.*/, "", floor)
    floorOf[file] = floor
    if (!(floor in rank)) problem(file " is on no floor.")
    depth = 0
    isText = isComment = 0
}

{
    line = code($0)
    if (depth == 0) declare(line)
    depth += gsub(/{/, "{", line) - gsub(/}/, "}", line)
    while (match(line, /[A-Za-z_][A-Za-z0-9_]*/)) {
        before = RSTART > 1 ? substr(line, RSTART - 1, 1) : last
        word = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        last = "x"
        if (before != "." && before != "`" && word ~ /^_?[A-Z]/) uses[file] = uses[file] (before == "@" ? "@" : "") word " "
    }
    last = ""
}

# The line without comments and texts.
function code(line,    rest) {
    if (isText) {
        if (!match(line, /"""/)) return ""
        isText = 0
        line = substr(line, RSTART + 3)
    }
    if (isComment) {
        if (!match(line, /\*\//)) return ""
        isComment = 0
        line = substr(line, RSTART + 2)
    }
    if (match(line, /"""/)) {
        rest = substr(line, RSTART + 3)
        line = substr(line, 1, RSTART - 1)
        isText = rest !~ /"""/
    }
    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    sub(/\/\/.*/, "", line)
    gsub(/@_spi\([A-Za-z]+\)/, "", line)
    if (match(line, /\/\*/)) {
        rest = substr(line, RSTART)
        isComment = rest !~ /\*\//
        line = substr(line, 1, RSTART - 1)
    }
    return line
}

# Notes the type or the macro that a line declares.
function declare(line,    name, isMacro) {
    if (!match(line, /(^| )(class|struct|enum|actor|protocol|typealias|macro) +[A-Za-z_][A-Za-z0-9_]*/)) return
    name = substr(line, RSTART, RLENGTH)
    isMacro = name ~ /macro /
    sub(/.* /, "", name)
    if (isMacro) name = "@" name
    if (name in home && home[name] != file) isAmbiguous[name] = 1
    home[name] = file
}

function problem(sentence) {
    print sentence
    problemCount++
}

# Visits a file and what it refers to, by Tarjan's algorithm: https://doi.org/10.1137/0201010
function visit(file,    words, count, number, other, size) {
    index_[file] = low[file] = ++visited
    stack[++height] = file
    onStack[file] = 1
    count = split(edges[file], words, " ")
    for (number = 1; number <= count; number++) {
        other = words[number]
        if (!(other in index_)) {
            visit(other)
            if (low[other] < low[file]) low[file] = low[other]
        } else if (onStack[other] && index_[other] < low[file]) low[file] = index_[other]
    }
    if (low[file] != index_[file]) return
    do {
        other = stack[height--]
        onStack[other] = 0
        size++
    } while (other != file)
    if (size > largest) { largest = size; someFile = file }
}

END {
    for (number = 1; number <= fileCount; number++) {
        file = files[number]
        count = split(uses[file], words, " ")
        for (position = 1; position <= count; position++) {
            word = words[position]
            if (!(word in home) || word in isAmbiguous) continue
            other = home[word]
            if (other == file || (file, other) in isKnown) continue
            isKnown[file, other] = 1
            edges[file] = edges[file] other " "
            if (floorOf[file] != floorOf[other]) across++
            if (rank[floorOf[file]] < rank[floorOf[other]])
                problem(file " knows " word " of " other ", which is on a higher floor.")
        }
    }
    for (number = 1; number <= fileCount; number++) if (!(files[number] in index_)) visit(files[number])
    if (largest > longest) problem(largest " files refer to each other in a cycle, one of them " someFile ".")
    printf "%d files, %d references between floors, the largest cycle has %d files.\n", fileCount, across, largest
    exit problemCount > 0
}
