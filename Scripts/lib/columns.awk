# Prints the lines of comments and Markdown that are wider than 120 columns, as FILE:LINE: COLUMNS, and ends with status 1
# if there are any. Rows of tables, links and addresses may be wider: they can't be broken. Files that swift-format is told
# to ignore are left out.
#
# Run it in the C locale, where it counts characters by their first bytes.

FNR == 1 { isIgnored = 0 }
/^\/\/ swift-format-ignore-file/ { isIgnored = 1 }
isIgnored || /^[ \t]*(\/\/\/? )?\|/ { next }
FILENAME ~ /\.swift$/ && !/^[ \t]*\/\// { next }
FILENAME !~ /\.(md|swift)$/ && !/^[ \t]*#/ { next }
/^[ \t]*(\/\/\/? *|# *|[-*] *|[0-9]+\. *)?[^ ]*(https?:\/\/|\]\()[^ ]*$/ { next }

{
    gsub(/[\200-\277]/, "")
    if (length($0) <= 120) next
    printf "%s:%d: %d columns\n", FILENAME, FNR, length($0)
    found = 1
}

END { exit found }
