@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastSQLite

struct ValueTests {
    @Test(
        arguments: [
            .null, 0, .integer(.max), .integer(.min), -1,
            .real(0), .real(.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude), .real(.infinity),
            .real(-.infinity),
            "", "a", "é e\u{301} 🧑‍🚀 \u{10FFFF}", .blob([]), .blob([0]), .blob(Array(0...255)),
        ] as [TestValue]
    )
    func `a value comes back as it was bound`(value: TestValue) async throws {
        try await withWriter { connection async throws in
            #expect(try await connection.rows("SELECT ?", value) == [[value]])
            try await connection.execute("CREATE TABLE t (v ANY) STRICT")
            try await connection.rows("INSERT INTO t VALUES (?)", value)
            #expect(try await connection.rows("SELECT v FROM t") == [[value]])
        }
    }

    @Test func `each kind of parameter has its storage class`() async throws {
        let id = [UInt8](0..<16)
        try await withWriter { connection async throws in
            let rows = try await connection.rows(
                Statement("SELECT ?, ?, ?, ?, ?, ?"),
                ParameterBuffer([
                    .boolean(true), .boolean(false), .timestamp(-1), .decimal("-12.50"), .uuid(id), .json("[1]"),
                ])
            )
            #expect(rows == [[1, 0, -1, "-12.50", .blob(id), "[1]"]])
        }
    }

    @Test func `ten megabytes of text and of bytes come back whole`() async throws {
        let text = String(repeating: "0123456789é", count: 1_000_000)
        let bytes = (0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await withWriter { connection async throws in
            try await connection.execute("CREATE TABLE t (a TEXT, b BLOB) STRICT")
            try await connection.rows("INSERT INTO t VALUES (?, ?)", .text(text), .blob(bytes))
            #expect(try await connection.rows("SELECT a, b FROM t") == [[.text(text), .blob(bytes)]])
        }
    }

    @Test func `forty columns fit`() async throws {
        let values = (0..<40).map { TestValue.integer($0) }
        let sql = "SELECT " + values.map { _ in "?" }.joined(separator: ", ")
        try await withWriter { connection async throws in
            let rows = try await connection.rows(Statement(sql), ParameterBuffer(rows: [values]))
            #expect(rows == [values])
        }
    }

    @Test func `text that is not UTF-8 is handed over as it is`() async throws {
        try await withWriter { connection async throws in
            let count = try await connection.run(
                Statement("SELECT CAST(X'61FF62' AS TEXT)"),
                .none,
                timeout: nil
            ) { source in
                try source.next().map { Array($0[0].bytes) }
            }
            #expect(count == [0x61, 0xFF, 0x62])
        }
    }
}
