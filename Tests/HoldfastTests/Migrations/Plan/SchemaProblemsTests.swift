import Testing

@testable import Holdfast

@Suite struct SchemaProblemsTests {
    private func problems(_ count: Int, code: DatabaseError.Code = .conflict) -> SchemaProblems {
        var problems = SchemaProblems()
        for number in 0..<count {
            problems.add(
                DatabaseError(
                    code, "Problem \(number). Nothing was changed.", table: "t\(number)", properties: ["p\(number)"]))
        }
        return problems
    }

    @Test func `one problem is its own error`() {
        #expect(problems(0).error == nil)
        let error = problems(1, code: .unsupported).error
        #expect(error?.message == "Problem 0. Nothing was changed.")
        #expect(error?.code == .unsupported)
    }

    @Test func `several problems are one error, with the place of the first`() {
        let error = problems(2).error
        #expect(
            error?.message
                == "2 problems are in the way of the migration. (1) Problem 0. (2) Problem 1. Nothing was changed.")
        #expect(error?.table == "t0")
        #expect(error?.properties == ["p0"])
    }

    @Test func `of many problems, the error tells the first and how many there are`() {
        let message = problems(40).error?.message ?? ""
        #expect(message.hasPrefix("40 problems"))
        #expect(message.contains("(25) Problem 24. And 15 more. Nothing was changed."))
        #expect(!message.contains("Problem 25."))
    }

    @Test func `a problem that is found twice is told once`() {
        var twice = problems(2)
        twice.add(problems(2))
        #expect(twice.all.count == 2)
    }

    @Test func `problems of several codes are a conflict`() {
        var mixed = problems(1, code: .unsupported)
        mixed.add(DatabaseError(.conflict, "Another."))
        #expect(mixed.error?.code == .conflict)
        #expect(mixed.error?.table == "t0")
    }
}
