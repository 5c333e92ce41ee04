# Who needs a package, level by level, by the rules of the catalogue in Examples, from the package index itself.
#
#   awk -f needs.awk -v package=libc6 -v architecture=amd64 INDEX      prints: LEVEL NAME:ARCHITECTURE
#
# Without an architecture, the packages of that name of all. The index must have each package in one version.

# A field may go on in lines that begin with white space.
/^[^ \t#]+:/ {
    field = tolower(substr($0, 1, index($0, ":") - 1))
    value[field] = substr($0, index($0, ":") + 1)
}
/^[ \t]+[^ \t]/ { value[field] = value[field] " " $0 }
/^[ \t]*$/ { end_package() }

END {
    end_package()
    for (i = 1; i <= count; i++) {
        resolve(i, depends[i])
        resolve(i, predepends[i])
    }
    for (i = 1; i <= count; i++) {
        if (name[i] == package && (architecture == "" || arch[i] == architecture)) {
            seen[i] = 1
            level[++reached] = i
        }
    }
    start = 1
    for (number = 1; start <= reached; number++) {
        end = reached
        for (; start <= end; start++) {
            total = split(dependents[level[start]], who, " ")
            for (j = 1; j <= total; j++) {
                if (who[j] in seen) continue
                seen[who[j]] = 1
                level[++reached] = who[j]
                print number, name[who[j]] ":" arch[who[j]]
            }
        }
    }
}

function trimmed(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

function end_package(    key, i, total, items) {
    if (("package" in value) && value["status"] !~ /not-installed[ \t]*$/) {
        count++
        name[count] = trimmed(value["package"])
        arch[count] = trimmed(value["architecture"])
        depends[count] = value["depends"]
        predepends[count] = value["pre-depends"]
        named[name[count]] = named[name[count]] " " count
        total = split(value["provides"], items, ",")
        for (i = 1; i <= total; i++) {
            key = trimmed(items[i])
            sub(/[ (:].*/, "", key)
            if (key != "") provided[key] = provided[key] " " count
        }
    }
    for (key in value) delete value[key]
}

# The first of some packages that one of an architecture takes, who may ask for another; 0 if there is none.
function chosen(candidates, own, wanted,    i, total, items) {
    total = split(candidates, items, " ")
    if (wanted != "" && wanted != "any") {
        for (i = 1; i <= total; i++) if (arch[items[i]] == wanted) return items[i]
        return 0
    }
    for (i = 1; i <= total; i++) {
        if (own == "all" || arch[items[i]] == own || arch[items[i]] == "all") return items[i]
    }
    return wanted == "any" && total > 0 ? items[1] : 0
}

function target(clause, own,    i, total, items, text, wanted, found) {
    total = split(clause, items, "|")
    for (i = 1; i <= total; i++) {
        text = trimmed(items[i])
        sub(/[ \t(].*/, "", text)
        wanted = ""
        if (index(text, ":")) {
            wanted = substr(text, index(text, ":") + 1)
            text = substr(text, 1, index(text, ":") - 1)
        }
        found = chosen(named[text], own, wanted)
        if (!found) found = chosen(provided[text], own, wanted)
        if (found) return found
    }
    return 0
}

function resolve(dependent, clauses,    i, total, items, found) {
    total = split(clauses, items, ",")
    for (i = 1; i <= total; i++) {
        found = target(items[i], arch[dependent])
        if (found) dependents[found] = dependents[found] " " dependent
    }
}
