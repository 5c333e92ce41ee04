@_spi(Driver) import Holdfast

/// The statements by which a connection does to many rows together what others do to one.
struct BulkStatements {
    private struct Key: Hashable {
        let statement: Int
        let types: [UInt32]
    }

    private static let capacity = 256

    private var statements: [Key: Statement?] = [:]

    /// The statement in place of another one whose parameters have such types; nil if there is none.
    mutating func statement(for statement: Int, _ types: [UInt32], _ render: () -> String?) -> Statement? {
        let key = Key(statement: statement, types: types)
        if let known = statements[key] { return known }
        if statements.count >= Self.capacity { statements = [:] }
        let made = render().map { Statement($0) }
        statements[key] = .some(made)
        return made
    }
}
