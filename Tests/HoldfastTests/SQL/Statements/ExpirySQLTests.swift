import Foundation
import Testing

@_spi(Driver) @testable import Holdfast

@Suite struct ExpirySQLTests {
    private let now = CurrentTime(timestamp: "NOW()", microseconds: "MICROS(NOW())")
    private var brief: TableSQL {
        TableSQL(description: Brief.tableMapping.description, dialect: TestDialect(currentTime: now))
    }

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

    @Test func `a clock of the program's is one more parameter where placeholders are numbered`() throws {
        let statement = Statement(
            #"SELECT "NOW()" FROM a WHERE b <= NOW() AND c = :1 AND d < MICROS(NOW()) AND e > NOW()"#)
        let clocked = try #require(ClockedStatement(statement, now, TestDialect(currentTime: now), width: 1))
        #expect(
            clocked.statement.sql
                == #"SELECT "NOW()" FROM a WHERE b <= :2 AS TIMESTAMP AND c = :1 AND d < :3 AS INT64 AND e > :2 AS TIMESTAMP"#
        )
        var parameters = ParameterBuffer(width: 1)
        for number: Int64 in [7, 8] { parameters.append(.integer(number)) }
        let result = clocked.parameters(parameters, 5)
        #expect(result.rowCount == 2)
        #expect(result.cells.map(\.integer) == [7, 5, 5, 8, 5, 5])
        #expect(ClockedStatement(Statement("SELECT 1"), now, TestDialect(currentTime: now), width: 0) == nil)
    }
}

@Table
final class Brief {
    @PrimaryKey let id: Int64
    var text: String
    @Expires var until: Date?

    init(id: Int64, text: String) { (self.id, self.text) = (id, text) }
}
