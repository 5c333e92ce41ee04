import Holdfast
import HoldfastPostgres
import HoldfastSQLite
import Testing

/// Conditions of many parts and of many levels: written in linear time, or refused.
@Suite struct ChainTests {
    /// The error of a query that is written, if there is one.
    private func failure(_ condition: Condition) -> DatabaseError? {
        do {
            _ = try Query(Project.self).where(condition).sql(for: .sqlite)
            return nil
        } catch {
            return error as? DatabaseError
        }
    }

    private func condition(_ make: (Columns<Project>) -> Condition) -> Condition {
        make(Columns())
    }

    @Test func `chains of operators are flat, on either side`() throws {
        let chain = condition { columns in
            var (left, right) = (columns.hours == 0, columns.hours == 0)
            for number in 1..<40_000 {
                left = left || columns.hours == number
                right = columns.hours == number || right
            }
            return left && right
        }
        let query = Query(Project.self).where(chain)
        #expect(try query.parameters(for: .sqlite).count == 2, "Each chain is one list.")
        #expect(try query.sql(for: .postgres).utf8.count < 1_000)
    }

    @Test func `a condition of too many levels is refused, not a trap`() {
        let alternating = condition { columns in
            var condition = columns.hours == 0
            for number in 0..<40_000 { condition = !(condition && columns.hours == number) }
            return condition
        }
        #expect(failure(alternating)?.code == .invalidValue)
        let sum = condition { columns in
            var sum = columns.hours + 1
            for number in 0..<40_000 { sum = sum + number }
            return sum > 1
        }
        #expect(failure(sum)?.code == .invalidValue)
        var text: Condition = "hours = 1"
        for _ in 0..<40_000 { text = "\(text) OR hours = 1" }
        #expect(failure(text)?.code == .invalidValue)
    }

    @Test func `comparisons of one property become a list`() throws {
        let numbers = (0..<100).map { "hours <> \($0)" }.joined(separator: " AND ")
        let query = Query(Project.self).where(Condition(parsing: numbers + " AND name = 'x'"))
        #expect(try query.parameters(for: .sqlite).count == 2)
        // Of an array, that each value differs from some element is something else.
        let minutes = (0..<100).map { "meetings.minutes <> \($0)" }.joined(separator: " AND ")
        #expect(try Query(Project.self).where(Condition(parsing: minutes)).parameters(for: .sqlite).count == 100)
    }

    @Test func `more values than can be bound one by one are refused`() {
        let text = (0..<10_001).map { "hours > \($0)" }.joined(separator: " OR ")
        #expect(failure(Condition(parsing: text))?.code == .invalidValue)
    }
}
