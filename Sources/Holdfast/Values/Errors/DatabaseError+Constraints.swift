/// The side of a foreign key on which a change was refused.
@_spi(Driver) public enum ForeignKeySide: Sendable {
    /// A row that is referred to does not exist.
    case missing
    /// Rows still refer to one that was to be deleted or changed.
    case referred
}

/// What is said of tables and their constraints, in the same words on every engine.
extension DatabaseError {
    /// The message about a table that a statement names.
    @_spi(Driver) public static func missingTableMessage(_ name: String) -> String {
        "The table \"\(name)\" does not exist. Migrate the database first, or check the name."
    }

    /// The message of a foreign key.
    ///
    /// - Parameters:
    ///   - side: The side on which it was violated; nil if that is not known.
    ///   - table: The table of the row that was written or deleted.
    ///   - references: What may refer: `"customer" of Receipt`.
    @_spi(Driver) public static func foreignKeyMessage(
        _ side: ForeignKeySide?, of table: String? = nil, by references: [String] = []
    ) -> String {
        let row = "A row" + (table.map { " of \"\($0)\"" } ?? "")
        let last = references.last.map { references.count > 1 ? " or \($0)" : $0 } ?? ""
        let by = references.isEmpty ? "" : ", by " + references.dropLast().joined(separator: ", ") + last
        return switch side {
        case .missing:
            "\(row) refers to one that does not exist\(by). Save that first, or remove the reference."
        case .referred:
            "\(row) that was to be deleted or changed is still referred to\(by). Delete what refers to it first, or remove "
                + "the reference."
        case nil:
            "\(row) refers to one that does not exist, or is still referred to\(by). Save what it refers to, or unlink it "
                + "first."
        }
    }

    /// The message about a row that a CHECK constraint refuses.
    ///
    /// - Parameters:
    ///   - constraint: The name of the check that the model declares, or of the constraint; nil if it has none.
    ///   - table: The table of the row; nil if it is not known.
    @_spi(Driver) public static func checkMessage(_ constraint: String?, of table: String? = nil) -> String {
        let row = "A row" + (table.map { " of \"\($0)\"" } ?? "")
        return "\(row) breaks " + (constraint.map { "the check \"\($0)\"" } ?? "a CHECK constraint")
            + (table == nil ? " of its table" : "") + ". Correct its values."
    }

    /// The message about a value that must be there once.
    ///
    /// - Parameters:
    ///   - table: The table concerned; nil if it is not known.
    ///   - properties: The properties or columns that have the value together.
    ///   - constraint: What is violated, which is named if no property is known.
    @_spi(Driver) public static func uniqueMessage(
        table: String?, properties: [String], constraint: String? = nil
    ) -> String {
        let names = properties.map { "\"\($0)\"" }.joined(separator: ", ")
        let value =
            properties.isEmpty
            ? "that value of a unique key" + (constraint.map { " (constraint \"\($0)\")" } ?? "")
            : "that value of \(names)"
        let row = "Another row" + (table.map { " of \"\($0)\"" } ?? "")
        return "\(row) has \(value). Update it, or choose another value."
    }
}
