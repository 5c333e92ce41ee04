import Foundation
import Testing

@_spi(Driver) @testable import Holdfast

@Suite struct DeletionSQLTests {
    private let sketches = TableSQL(description: Sketch.tableMapping.description, dialect: TestDialect())

    @Test func `statements read a table without what is marked`() {
        #expect(
            sketches.selectOne()
                == #"SELECT "id", "version", "deleted_at" FROM (SELECT * FROM "sketch" WHERE "deleted_at" IS NULL) AS "sketch" WHERE "id" = :1"#
        )
        #expect(
            sketches.count()
                == #"SELECT count(*) FROM (SELECT * FROM "sketch" WHERE "deleted_at" IS NULL) AS "sketch""#)
        #expect(sketches.delete() == #"DELETE FROM "sketch" WHERE "sketch"."deleted_at" IS NULL AND ("id" = :1)"#)
    }

    @Test func `statements about all rows have no condition`() {
        let all = TableSQL(description: Sketch.tableMapping.description, dialect: TestDialect(), seen: nil)
        #expect(all.count() == #"SELECT count(*) FROM "sketch""#)
        #expect(all.delete() == #"DELETE FROM "sketch" WHERE "id" = :1"#)
    }

    @Test func `a mark is set once, taken off where there is one, and counts up the version`() throws {
        let deletion = try #require(Sketch.tableMapping.description.deletion)
        #expect(
            sketches.mark(deletion).hasPrefix(
                #"UPDATE "sketch" SET "deleted_at" = :1, "version" = "version" + 1 WHERE "sketch"."deleted_at" IS NULL AND ("#
            ))
        #expect(
            sketches.restore(deletion).hasPrefix(
                #"UPDATE "sketch" SET "deleted_at" = NULL, "version" = "version" + 1 WHERE "sketch"."deleted_at" IS NOT NULL AND ("#
            ))
    }

    @Test func `a query finds what it is asked for`() {
        let description = Sketch.tableMapping.description
        func source(_ deleted: DeletedRows) -> String {
            QueryWriter(
                description, dialect: TestDialect(), declared: nil, scopes: QueryScopes(),
                seen: SeenRows(deleted: deleted)
            ).root.source.sql
        }
        #expect(source(.leftOut) == #"(SELECT * FROM "sketch" WHERE "deleted_at" IS NULL) AS t0"#)
        #expect(source(.included) == #""sketch" AS t0"#)
        #expect(source(.only) == #"(SELECT * FROM "sketch" WHERE "deleted_at" IS NOT NULL) AS t0"#)
    }

    @Test func `a time of deletion is an optional variable`() {
        #expect(throws: DatabaseError.self) { try Undeletable.tableMapping.description.validate() }
    }
}

@Table
final class Sketch {
    var id: Int64?
    @Version var version = 0
    @Timestamp(.deleted) var deletedAt: Date?

    init() {}
}

@Table
final class Undeletable {
    var id: Int64?
    @Timestamp(.deleted) @Required var deletedAt: Date?

    init() {}
}
