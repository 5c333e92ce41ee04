import Testing

@_spi(Driver) @testable import Holdfast

@Suite struct TableSQLTests {
    private let sample = TableSQL(description: Sample.tableMapping.description, dialect: TestDialect())
    private let line = TableSQL(description: Line.tableMapping.description, dialect: TestDialect())

    @Test func `an insert names its columns and returns a key that the engine makes`() {
        let mask = PropertyMask([1, 2])
        #expect(
            sample.insert(mask, returningKey: true)
                == #"INSERT INTO "sample" ("name", "code") VALUES (:1, :2) RETURNING "id""#)
        #expect(sample.insert(PropertyMask(), returningKey: false) == #"INSERT INTO "sample" DEFAULT VALUES"#)
    }

    @Test func `an update sets what changed where the whole key matches`() {
        #expect(
            line.update(PropertyMask([2]))
                == #"UPDATE "line" SET "text" = :1 WHERE "order" = :2 AND "number" = :3"#)
    }

    @Test func `a version is counted up where it is the one that is known`() {
        let counted = TableSQL(description: Counted.tableMapping.description, dialect: TestDialect())
        #expect(
            counted.update(PropertyMask([1, 2]))
                == #"UPDATE "counted" SET "text" = :1, "version" = :2 WHERE "id" = :3 AND "version" = :4"#)
        func upsert(isExplicit: Bool) -> String {
            counted.upsert(
                PropertyMask([0, 1, 2]),
                Upsert(
                    key: PropertyMask([0]), updated: PropertyMask([1, 2]), returned: PropertyMask([2]),
                    isExplicit: isExplicit))
        }
        let start =
            #"INSERT INTO "counted" ("id", "text", "version") VALUES (:1, :2, :3) ON CONFLICT ("id") DO UPDATE SET "text" = excluded."text", "version" = "counted"."version" + 1"#
        #expect(upsert(isExplicit: true) == start + #" RETURNING "version""#)
        #expect(
            upsert(isExplicit: false)
                == start + #" WHERE "counted"."version" = excluded."version" RETURNING "version""#)
    }

    @Test func `an upsert leaves the key alone`() {
        #expect(
            line.upsert(
                PropertyMask([0, 1, 2, 3]),
                Upsert(
                    key: PropertyMask([0, 1]), updated: PropertyMask([2, 3]), returned: PropertyMask(),
                    isExplicit: false))
                == #"INSERT INTO "line" ("order", "number", "text", "is_open") VALUES (:1, :2, :3, :4) ON CONFLICT ("order", "number") DO UPDATE SET "text" = excluded."text", "is_open" = excluded."is_open""#
        )
    }

    @Test func `an upsert updates what was chosen, and reads the row back`() {
        func sql(_ updated: [Int]) -> String {
            sample.upsert(
                PropertyMask([1, 2]),
                Upsert(
                    key: PropertyMask([2]), updated: PropertyMask(updated), returned: PropertyMask([0, 1, 2]),
                    isExplicit: true))
        }
        let start = #"INSERT INTO "sample" ("name", "code") VALUES (:1, :2) ON CONFLICT ("code") DO UPDATE SET "#
        #expect(sql([1]) == start + #""name" = excluded."name" RETURNING "id", "name", "code""#)
        #expect(sql([]) == start + #""code" = "sample"."code" RETURNING "id", "name", "code""#)
    }

    @Test func `an insert that may be ignored tells which rows were inserted`() {
        #expect(
            sample.insertOrIgnore(PropertyMask([1, 2]))
                == #"INSERT INTO "sample" ("name", "code") VALUES (:1, :2) ON CONFLICT DO NOTHING RETURNING CAST(:3 AS INT64), "id""#
        )
    }

    @Test func `rows come by primary key, text by code point`() {
        #expect(
            line.selectAll()
                == #"SELECT "order", "number", "text", "is_open" FROM "line" ORDER BY "order" COLLATE CODEPOINT, "number""#
        )
    }

    @Test func `composite keys are looked up as rows`() {
        #expect(line.selectMany().hasSuffix(#"WHERE ("order", "number") IN LISTS FROM 1"#))
        #expect(sample.selectMany().hasSuffix(#"WHERE ("id") IN LISTS FROM 1"#))
    }

    @Test func `elements come in the order of their owners and positions`() throws {
        let tags = try #require(Sample.tableMapping.description.columns.joinTables[5])
        #expect(
            sample.selectElements(tags, ofAll: true, withPositions: false)
                == #"SELECT "sample_id", "value" FROM "sample_tags" ORDER BY "sample_id", "position""#)
        #expect(
            sample.deleteElement(tags)
                == #"DELETE FROM "sample_tags" WHERE "sample_id" = :1 AND "position" = :2"#)
        #expect(
            sample.insertElement(tags)
                == #"INSERT INTO "sample_tags" ("sample_id", "position", "value") VALUES (:1, :2, :3)"#)
    }
}
