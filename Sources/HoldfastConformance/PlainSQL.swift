import Holdfast

// What other programs see of a graph: short forms of `sql` for cases that look at both sides.

extension DatabaseContext {
    /// The one number that a statement gives.
    func number(_ fragment: SQLFragment) async throws -> Int {
        try expect(some: try await sql(fragment).fetch(as: Int.self).first, "the number that SQL gives")
    }

    /// A column of numbers.
    func numbers(_ fragment: SQLFragment) async throws -> [Int] { try await sql(fragment).fetch(as: Int.self) }

    /// A column of texts, some of which may be NULL.
    func texts(_ fragment: SQLFragment) async throws -> [String?] { try await sql(fragment).fetch(as: String?.self) }
}
