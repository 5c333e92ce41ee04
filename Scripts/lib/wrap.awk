# Prints a file with those paragraphs of comments and Markdown broken anew that have a line of more than 120 columns.
#
# Code, headings, and what can't be broken (rows of tables, links) stay as they are, and so do files that swift-format is
# told to ignore. Run it in the C locale, where it counts characters by their first bytes.

function width(s) { gsub(/[\200-\277]/, "", s); return length(s) }

# The part of a line before its text: indentation, and what begins a comment.
function prefix_of(line) {
    if (isMarkdown) { match(line, /^ */); return substr(line, 1, RLENGTH) }
    # A regular expression may not be an operand of ?:, where it stands for a match of the line.
    if (isShell ? match(line, /^[ \t]*# */) : match(line, /^[ \t]*\/\/\/? */)) return substr(line, 1, RLENGTH)
    return ""
}

# What begins an item of a list, or nothing.
function marker_of(text) {
    if (match(text, /^([-*+]|[0-9]+\.) +/)) return substr(text, 1, RLENGTH)
    return ""
}

# What begins a comment, without spaces: `//` does not go on with `///`.
function kind_of(line,   prefix) {
    prefix = prefix_of(line)
    gsub(/[ \t]/, "", prefix)
    return prefix
}

# Whether a line goes on with the paragraph of the line before.
function continues(line, before,   text) {
    if (!isMarkdown && (prefix_of(line) == "" || kind_of(line) != kind_of(before))) return 0
    text = substr(line, length(prefix_of(line)) + 1)
    if (text == "" || text ~ /^(#|\||```|>|<|MARK:|swift-format|shellcheck)/) return 0
    return marker_of(text) == ""
}

function spaces(n,   s) { while (n-- > 0) s = s " "; return s }

# Divides a text into words, of which a short piece of code is one, and returns how many there are.
function glued(text,   parts, n, i, count, code, piece) {
    n = split(text, parts, / +/)
    count = 0
    for (i = 1; i <= n; i++) {
        words[++count] = parts[i]
        piece = parts[i]
        if (gsub(/`/, "`", piece) % 2 == 0) continue
        code = parts[i]
        for (j = i + 1; j <= n && width(code) <= 60; j++) {
            code = code " " parts[j]
            piece = parts[j]
            if (gsub(/`/, "`", piece) % 2) break
        }
        if (j > n || width(code) > 60) continue
        words[count] = code
        i = j
    }
    return count
}

# Breaks lines first...last of the file anew.
function reflow(first, last,   prefix, marker, rest, i, n, line, next_prefix, word) {
    prefix = prefix_of(lines[first])
    marker = marker_of(substr(lines[first], length(prefix) + 1))
    next_prefix = last > first ? prefix_of(lines[first + 1]) : prefix spaces(marker ~ /^[0-9]/ ? length(marker) : marker == "" ? 0 : 2)
    rest = substr(lines[first], length(prefix) + 1)
    for (i = first + 1; i <= last; i++) rest = rest " " substr(lines[i], length(prefix_of(lines[i])) + 1)
    n = glued(rest)
    line = prefix words[1]
    for (i = 2; i <= n; i++) {
        word = words[i]
        if (word ~ /^([-*+#>]|[0-9]+\.)$/ || width(line " " word) <= 120) {
            line = line " " word
        } else {
            print line
            line = next_prefix word
        }
    }
    print line
}

FNR == 1 {
    isMarkdown = FILENAME ~ /\.md$/
    isShell = !isMarkdown && FILENAME !~ /\.swift$/
}

/^\/\/ swift-format-ignore-file/ { isIgnored = 1 }

{ lines[FNR] = $0 }

END {
    code = 0
    for (at = 1; at <= FNR; at++) {
        line = lines[at]
        text = substr(line, length(prefix_of(line)) + 1)
        isText = isMarkdown || prefix_of(line) != ""
        if (isText && text ~ /^```/) code = !code
        if (isIgnored || !isText || code || width(line) <= 120 || text ~ /^(#|\||```)/ || text ~ /^[^ ]*$/) { print line; continue }
        last = at
        while (last < FNR && continues(lines[last + 1], lines[last])) last++
        reflow(at, last)
        at = last
    }
}
