@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastPostgres

/// Lists where PostgreSQL differs; what engines have in common is tested in HoldfastConformanceTests.
@Suite(.enabled(if: TestServer.isAvailable, TestServer.reason), .server)
struct ListTests {
    /// A row of parameters that are lists.
    private func parameters(_ lists: [[Value]]) -> ParameterBuffer {
        var buffer = ParameterBuffer(width: lists.count)
        for values in lists { buffer.append(list: ParameterBuffer(list: values)) }
        return buffer
    }

    @Test func `a list of values that do not fit the type, or of another kind, is refused`() async throws {
        try await TestServer.withConnection { connection async throws in
            let statement = Statement("SELECT 1 WHERE 1 = ANY ($1::smallint[])")
            for value in [Value.integer(40_000), .text("1"), .uuid(Array(0..<16))] {
                let error = await #expect(throws: DatabaseError.self) {
                    try await connection.rows(statement, parameters([[.integer(1), value]]))
                }
                #expect(error?.code == .invalidValue)
            }
            let error = await #expect(throws: DatabaseError.self) {
                try await connection.rows(Statement("SELECT $1::bigint"), parameters([[.integer(1)]]))
            }
            #expect(error?.code == .invalidValue)
        }
    }
}

extension PostgresConnection {
    /// Runs a statement, and returns its rows.
    fileprivate func rows(_ statement: Statement, _ parameters: ParameterBuffer) async throws -> [[Value]] {
        try await run(statement, parameters, timeout: nil) { rows in
            let width = rows.columnNames.count
            var result: [[Value]] = []
            while let cells = try rows.next() { result.append((0..<width).map { Value(cells[$0]) }) }
            return result
        }
    }
}

extension ParameterBuffer {
    /// A list of values.
    fileprivate init(list values: [Value]) {
        self.init(width: 1)
        for value in values { value.append(to: &self) }
    }
}
