@_spi(Driver) import Holdfast

/// The parts of a table's definition that only its text has: CHECK constraints, expressions, collations, and the names
/// of constraints.
struct TableText {
    struct Column {
        var collation: String?
        var generatedExpression: String?
        var isAutoincrement = false
    }

    private(set) var columns: [String: Column] = [:]
    private(set) var checks: [DatabaseSchema.Check] = []
    private(set) var primaryKeyName: String?
    /// The UNIQUE constraints that have a name.
    private(set) var uniques: [DatabaseSchema.UniqueConstraint] = []
    /// The names of the foreign keys, in the order in which they are written.
    private(set) var foreignKeyNames: [String?] = []

    private static let constraintWords = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]

    /// Reads a CREATE TABLE statement.
    init(_ sql: String) {
        let text = SchemaText(sql)
        guard let open = text.tokens.indices.first(where: { text.isSymbol("(", at: $0) }),
            let body = text.group(at: open)
        else { return }
        for part in text.parts(of: body) {
            if Self.constraintWords.contains(where: { text.isWord($0, at: part.lowerBound) }) {
                readConstraints(text, part, of: nil)
            } else if let column = text.name(at: part.lowerBound) {
                columns[column] = Column()
                readConstraints(text, part.dropFirst(), of: column)
            }
        }
    }

    /// Reads what follows the name of a column, or the constraints of the table, between which there need be no comma.
    private mutating func readConstraints(_ text: SchemaText, _ part: Range<Int>, of column: String?) {
        var name: String?
        var isForeignKey = false
        var position = part.lowerBound
        while position < part.upperBound {
            defer { position += 1 }
            let group = text.group(at: position + 1)
            if text.isWord("CONSTRAINT", at: position) {
                name = text.name(at: position + 1)
                position += 1
            } else if text.isWord("CHECK", at: position), let group {
                var check = DatabaseSchema.Check(name: name, expression: text.text(group))
                let isOwn = name?.hasPrefix(DatabaseSchema.Check.namePrefix) ?? false
                if isOwn { check.column = SchemaText(check.expression).name(at: 0) }
                checks.append(check)
                (name, position) = (nil, group.upperBound)
            } else if text.isWord("PRIMARY", at: position) {
                (primaryKeyName, name) = (name, nil)
            } else if text.isWord("UNIQUE", at: position) {
                let columns = column.map { [$0] } ?? group.map { names(text, $0) } ?? []
                if let name { uniques.append(.init(name: name, columns: columns)) }
                name = nil
            } else if text.isWord("FOREIGN", at: position) {
                foreignKeyNames.append(name)
                (name, isForeignKey) = (nil, true)
            } else if text.isWord("REFERENCES", at: position) {
                if !isForeignKey { foreignKeyNames.append(name) }
                (name, isForeignKey) = (nil, false)
                // Not to be taken for a keyword.
                position += 1
            } else if text.isWord("COLLATE", at: position), let column {
                columns[column]?.collation = text.name(at: position + 1)
                position += 1
            } else if text.isWord("AS", at: position), let group, let column {
                columns[column]?.generatedExpression = text.text(group)
                (name, position) = (nil, group.upperBound)
            } else if text.isWord("AUTOINCREMENT", at: position), let column {
                columns[column]?.isAutoincrement = true
            } else if let skipped = text.group(at: position) {
                position = skipped.upperBound
            }
        }
    }

    /// The names at the beginning of each part of a list.
    private func names(_ text: SchemaText, _ list: Range<Int>) -> [String] {
        text.parts(of: list).compactMap { text.name(at: $0.lowerBound) }
    }
}

/// The parts of an index's definition that only its text has.
struct IndexText {
    /// The columns and expressions in their order, without ASC and DESC; and without COLLATE at their end.
    private(set) var terms: [(text: String, uncollated: String)] = []
    private(set) var condition: String?

    /// The names and words in its terms and its condition.
    var names: Set<String> {
        let texts = terms.map(\.text) + [condition].compactMap(\.self)
        return Set(
            texts.flatMap { text in
                let tokens = SchemaText(text)
                return tokens.tokens.indices.compactMap { tokens.name(at: $0) }
            })
    }

    /// Reads a CREATE INDEX statement.
    init(_ sql: String) {
        let text = SchemaText(sql)
        guard let on = text.firstWord("ON"), let list = text.group(at: on + 2) else { return }
        terms = text.parts(of: list).map { part in
            var part = part
            if part.count > 1,
                text.isWord("ASC", at: part.upperBound - 1) || text.isWord("DESC", at: part.upperBound - 1)
            {
                part.removeLast()
            }
            let isCollated = part.count > 2 && text.isWord("COLLATE", at: part.upperBound - 2)
            return (text.text(part), isCollated ? text.text(part.dropLast(2)) : text.text(part))
        }
        if text.isWord("WHERE", at: list.upperBound + 1) {
            condition = text.text(list.upperBound + 2..<text.tokens.count)
        }
    }
}

/// The query of a CREATE VIEW statement.
func viewQuery(_ sql: String) -> String {
    let text = SchemaText(sql)
    guard let start = text.firstWord("AS") else { return sql }
    return text.text(start + 1..<text.tokens.count)
}
