import Foundation
import Testing

@_spi(Driver) @testable import Holdfast

@Suite struct ExpirySQLTests {
    private let now = CurrentTime(timestamp: "NOW()", microseconds: "MICROS(NOW())")
    private var brief: TableSQL {
        TableSQL(description: Brief.tableMapping.description, dialect: TestDialect(engineTime: now))
    }

    private var clocked: TestDialect { TestDialect(engineTime: now, timePosition: 0) }

    @Test func `statements read a table without what has expired`() {
        #expect(
            brief.selectOne()
                == #"SELECT "id", "text", "until" FROM (SELECT * FROM "brief" WHERE ("until" <= NOW()) IS NOT TRUE) AS "brief" WHERE "id" = :1"#
        )
    }

    @Test func `statements write where a row has not expired`() {
        #expect(
            brief.update(PropertyMask([1]))
                == #"UPDATE "brief" SET "text" = :1 WHERE ("brief"."until" <= NOW()) IS NOT TRUE AND ("id" = :2)"#)
        #expect(brief.delete() == #"DELETE FROM "brief" WHERE ("brief"."until" <= NOW()) IS NOT TRUE AND ("id" = :1)"#)
    }

    @Test func `a sweep is answered by the index`() {
        #expect(
            brief.selectExpired(limit: 5, followingOne: false)?
                .hasPrefix(#"SELECT "id" FROM "brief" WHERE "until" <= NOW() ORDER BY "until""#) == true)
    }

    @Test func `a clock of the program's is one more parameter behind the others`() {
        let sql = TableSQL(description: Brief.tableMapping.description, dialect: clocked)
        let update = sql.text(after: 2) { $0.update(PropertyMask([1])) }
        #expect(
            update.sql == #"UPDATE "brief" SET "text" = :1 WHERE ("brief"."until" <= :3) IS NOT TRUE AND ("id" = :2)"#)
        #expect(update.takesTime)
        let insert = sql.text(after: 2) { $0.insert(PropertyMask([0, 1]), returningKey: false) }
        #expect(insert == TimedSQL(sql: brief.insert(PropertyMask([0, 1]), returningKey: false)))
        #expect(brief.text(after: 1) { $0.selectOne() } == TimedSQL(sql: brief.selectOne()))
    }

    @Test func `a query binds the time of a clock once, wherever it is needed`() throws {
        let description = Brief.tableMapping.description
        let writer = QueryWriter(description, dialect: clocked, declared: nil, scopes: QueryScopes())
        #expect(
            writer.root.source.sql == #"(SELECT * FROM "brief" WHERE ("until" <= :1) IS NOT TRUE) AS t0"#)
        #expect(writer.bind(text: "a") == ":2")
        #expect(
            writer.source(of: description, as: "t1")
                == #"(SELECT * FROM "brief" WHERE ("until" <= :1) IS NOT TRUE) AS t1"#)
        let parameters = try writer.parameters
        #expect(parameters.cells.map(\.isClockTime) == [true, false])
    }

    @Test func `a query without the time binds none`() throws {
        let writer = QueryWriter(
            Counted.tableMapping.description, dialect: clocked, declared: nil, scopes: QueryScopes())
        let start = writer.mark
        #expect(try writer.parameters.cells.isEmpty)
        _ = writer.source(of: Brief.tableMapping.description, as: "t1")
        #expect(try writer.parameters.cells.count == 1)
        writer.reset(to: start)
        #expect(writer.bind(text: "a") == ":1")
        #expect(
            writer.source(of: Brief.tableMapping.description, as: "t2")
                == #"(SELECT * FROM "brief" WHERE ("until" <= :2) IS NOT TRUE) AS t2"#)
    }

    @Test func `the time comes to its places, or behind each row`() {
        var places = ParameterBuffer(width: 3)
        for cell in [Cell.integer(7), .clockTime, .timestamp(3)] { places.append(cell) }
        #expect(places.telling(.timestamp(5), atEnd: false).cells.map(\.integer) == [7, 5, 3])
        var rows = ParameterBuffer(width: 1)
        for number: Int64 in [7, 8] { rows.append(.integer(number)) }
        let told = rows.telling(.timestamp(5), atEnd: true)
        #expect(told.rowCount == 2 && told.cells.map(\.integer) == [7, 5, 8, 5])
        #expect(ParameterBuffer.none.telling(.timestamp(5), atEnd: true).cells.map(\.integer) == [5])
    }
}

@Table
final class Brief {
    @PrimaryKey let id: Int64
    var text: String
    @Expires var until: Date?

    init(id: Int64, text: String) { (self.id, self.text) = (id, text) }
}
