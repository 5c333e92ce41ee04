import Holdfast

extension ConformanceCase {
    /// Expects members with names of one letter each, as they are loaded and as SQL sees them.
    static func expectMembers(
        _ names: String, of panel: Panel, _ db: Database, file: StaticString = #fileID, line: Int = #line
    ) async throws {
        let key = try expect(some: panel.id, "the key of the panel", file: file, line: line)
        let same = try expect(some: try await db.find(Panel.self, key: key), "the panel", file: file, line: line)
        try expect(same.members.map(\.name).joined(), equals: names, "the members", file: file, line: line)
        let texts = try await db.texts(
            "SELECT e.name FROM panel_members AS m JOIN employee AS e ON e.id = m.employee_id WHERE m.panel_id = \(key) ORDER BY m.position"
        )
        try expect(
            texts.compactMap(\.self).joined(), equals: names, "the members as SQL sees them", file: file, line: line)
    }
}
