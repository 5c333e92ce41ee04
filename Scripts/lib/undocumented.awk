# Prints the public declarations in Swift files that have no documentation comment, as FILE:LINE: DECLARATION, and ends
# with status 1 if there are any.
#
# The requirements of a public protocol and the cases of a public enumeration count as public. What fulfils a requirement
# of one of our protocols, or of the usual ones of the standard library, has that one's documentation; unavailable
# overloads and names that begin with an underscore are not documented. It relies on swift-format's indentation of four
# spaces for each level.

BEGIN {
    count = split("description debugDescription hash encode rawValue next makeAsyncIterator run configuration", names, " ")
    for (i = 1; i <= count; i++) requirements[names[i]] = 1
    standard = "^init\\((rawValue|storedValue|from|arrayLiteral|stringLiteral|stringInterpolation|literalCapacity|integerLiteral" \
        "|floatLiteral|booleanLiteral|nilLiteral)[ :]|^(static )?func (==|<) .*-> Bool|appendLiteral"
}

# The name of a declaration without `public`.
function name_of(declaration) {
    if (declaration ~ /^(convenience )?init/) return "init"
    if (match(declaration, /(func|var|let|class|struct|enum|protocol|typealias|associatedtype|macro|case|actor) /)) {
        declaration = substr(declaration, RSTART + RLENGTH)
        sub(/[^A-Za-z0-9_].*/, "", declaration)
        return declaration
    }
    return ""
}

FNR == 1 { documented = 0; level = -1; text = 0; open = 0 }

# Texts of several lines, such as the sources that a macro emits.
{
    line = $0
    quotes = gsub(/"""/, "", line)
    if (text) { if (quotes % 2) text = 0; next }
    if (quotes % 2) text = 1
}

/^[ \t]*\/\/\// { documented = 1; next }

# Attributes, some of several lines, and conditions stand between a comment and its declaration.
open || /^ *@[a-zA-Z]+\(/ && !/\) *public / {
    if (/\*, unavailable/) documented = 1
    line = $0
    open += gsub(/\(/, "", line)
    open -= gsub(/\)/, "", line)
    next
}
/^[ \t]*(@|#if|#else|#endif|\/\/)/ && !/ (func|var|let|init|class|struct|enum|protocol|typealias|subscript|macro) ?/ { next }

/^[ \t]*$/ { documented = 0; next }

{
    match($0, /^ */)
    indent = RLENGTH
    if (level >= 0 && indent <= level) level = -1
    declaration = $0
    sub(/^ */, "", declaration)
    while (sub(/^@[A-Za-z_]+(\([^)]*\))? /, "", declaration)) {}
    member = level >= 0 && indent == level + 4 && declaration ~ kind
    if (declaration ~ /^public / && declaration !~ /^public (extension|import)/ || member) {
        shown = declaration
        sub(/^public /, "", declaration)
        if (member && kind !~ /case/ && documented) requirements[name_of(declaration)] = 1
        if (!documented) {
            missing[++total] = FILENAME ":" FNR ": " shown
            missing_name[total] = name_of(declaration)
            isWitness = !member && declaration ~ standard || missing_name[total] ~ /^_/
            missing_name[total] = isWitness ? "description" : member ? "" : missing_name[total]
        }
        if (declaration ~ /^protocol /) { level = indent; kind = "^(static |mutating )*(func|var|init|associatedtype|subscript)" }
        if (declaration ~ /^(indirect )?enum /) { level = indent; kind = "^(indirect )?case " }
    }
    documented = 0
}

END {
    for (i = 1; i <= total; i++) {
        if (missing_name[i] != "init" && missing_name[i] in requirements) continue
        print missing[i]
        found = 1
    }
    exit found
}
