import Foundation
import Holdfast

extension ConformanceCase {
    static let sch5: [ConformanceCase] = [
        ConformanceCase(
            "sch-5.models", "SCH-5", "The schema has the tables of models, with their columns, keys and indexes",
            requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open(Note.self, Scalars.self)
            let schema = try await db.schema()
            let note = try expect(some: schema.table("note"), "the table of a type")
            try expect(note.columns.map(\.name), equals: ["id", "title", "body", "rank", "code"], "the columns")
            try expect(note.columns.map(\.type), equals: [.int64, .text, .text, .int64, .text], "the types")
            try expect(note.columns.map(\.isNullable), equals: [false, false, true, false, true], "what can be NULL")
            try expect(note.columns.map(\.keyPosition), equals: [0, nil, nil, nil, nil], "the positions in the key")
            try expect(note.primaryKey?.columns, equals: ["id"], "the primary key")
            try expect(note.column("id")?.identity != nil, "The engine is not said to make the key.")
            try expect(note.column("rank")?.identity == nil, "The engine is said to make a column that it does not.")
            try expect(note.indexes.filter(\.isUnique).map(\.columns), equals: [["code"]], "the unique indexes")
            try expect(note.indexes.first?.terms.map(\.isNullsFirst), equals: [true], "where NULLs are")
            try expect([note.kind, schema.table("scalars")?.kind], equals: [.ordinary, .ordinary], "the kinds")
            try expect(note.isStrict, "A table of a type holds values of other types.")
            try expect(note.rowEstimate ?? 0, equals: 0, "the estimate of rows that there are not")
            try expect(note.bytes, equals: nil, "a size that was not asked for")
        },
        ConformanceCase(
            "sch-5.arrays", "SCH-5", "The schema has the join tables of arrays, and columns of the types of properties",
            requires: [.describingSchemas]
        ) { environment in
            let schema = try await environment.open(Tagged.self, Scalars.self).schema()
            let tags = try expect(some: schema.table("tagged_tags"), "the join table")
            try expect(tags.primaryKey?.columns, equals: ["tagged_id", "position"], "the key of the join table")
            let key = try expect(tags.foreignKeys, count: 1, "foreign keys")[0]
            try expect(key.columns + [key.table] + key.targetColumns, equals: ["tagged_id", "tagged", "id"], "the key")
            try expect([key.onDelete, key.onUpdate], equals: [.cascade, .noAction], "the actions")

            let types = Dictionary(
                uniqueKeysWithValues: schema.table("scalars")?.columns.map { ($0.name, $0.type) } ?? [])
            let expected: [String: ColumnType] = [
                "bool": .boolean, "date": .timestamp, "uuid": .uuid, "decimal": .decimal, "address": .json,
                "data": .blob, "double": .double, "string": .text, "int64": .int64,
            ]
            for (name, type) in expected { try expect(types[name] ?? nil, equals: type, "the type of \(name)") }
        },
        ConformanceCase(
            "sch-5.others", "SCH-5",
            "The schema has the tables of other programs: keys, constraints, and views",
            requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open()
            try await OthersTables.make(db)
            let schema = try await db.schema()
            try expect(schema.tables.map(\.name), equals: ["The \"Owner\"", "part"], "the tables")
            try OthersTables.check(owner: try expect(some: schema.table("The \"Owner\""), "the first table"))
            let view = try expect(some: schema.view("looking"), "the view")
            try expect(view.columns.map(\.name), equals: ["id", "owner_code"], "the columns of the view")
            try expect(view.definition.uppercased().hasPrefix("SELECT"), "The view's query is \(view.definition).")
            try expect(view.definition.contains("part"), "The view's query is \(view.definition).")
        },
        ConformanceCase(
            "sch-5.others-relations", "SCH-5",
            "The schema has the foreign keys, computed columns and indexes of expressions of other programs",
            requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open()
            try await OthersTables.make(db)
            let part = try expect(some: try await db.schema().table("part"), "the second table")
            try OthersTables.check(part: part)
            try OthersTables.check(indexes: part.indexes)
        },
        ConformanceCase(
            "sch-5.transactions", "SCH-5", "A transaction sees what it has changed of the schema, and nobody else does",
            requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open(Note.self)
            do {
                try await db.transaction { tx in
                    try await tx.sql("CREATE TABLE fresh (a integer)").execute()
                    let seen = try await tx.schema()
                    try expect(seen.table("fresh")?.columns.map(\.name), equals: ["a"], "the new table")
                    throw DatabaseError(.invalidValue, "The program fails.")
                }
            } catch let error as DatabaseError where error.code == .invalidValue {}
            let schema = try await db.schema()
            try expect(schema.table("fresh") == nil, "A table is there that was rolled back.")
            try expect(
                try await db.schema(schema.name), equals: schema, "the schema under the name that it says it has")
        },
        ConformanceCase(
            "sch-5.absent", "SCH-5", "A schema that does not exist is not found", requires: [.describingSchemas]
        ) { environment in
            let db = try await environment.open()
            try await expect(.notFound, from: "a schema that is not there") {
                _ = try await db.schema("no \"such\" one")
            }
        },
    ]
}

/// Tables as another program makes them, in SQL that every engine knows.
private enum OthersTables {
    static func make(_ db: Database) async throws {
        try await db.sql(
            #"""
            CREATE TABLE "The ""Owner""" (
                "Key" integer NOT NULL, b integer NOT NULL, code varchar(20) DEFAULT 'it''s' NOT NULL,
                "größe" integer CHECK ("größe" > 0),
                CONSTRAINT owner_pk PRIMARY KEY (b, "Key"),
                CONSTRAINT owner_code UNIQUE (code),
                CONSTRAINT owner_sum CHECK (b + "Key" < 100 AND code <> '), CHECK (')
            )
            """#
        ).execute()
        try await db.sql(
            #"""
            CREATE TABLE part (
                id integer PRIMARY KEY,
                owner_code varchar(20) REFERENCES "The ""Owner""" (code) ON UPDATE CASCADE ON DELETE SET NULL,
                x integer, y integer, doubled integer GENERATED ALWAYS AS (x * 2) STORED,
                CONSTRAINT part_owner FOREIGN KEY (x, y) REFERENCES "The ""Owner""" (b, "Key") ON DELETE CASCADE
            )
            """#
        ).execute()
        try await db.sql(
            "CREATE UNIQUE INDEX part_lower ON part (lower(owner_code), x DESC) WHERE y IS NOT NULL"
        ).execute()
        try await db.sql("CREATE INDEX part_y ON part (y, x)").execute()
        try await db.sql("CREATE VIEW looking AS SELECT id, owner_code FROM part").execute()
    }

    static func check(owner: DatabaseSchema.Table) throws {
        try expect(owner.columns.map(\.name), equals: ["Key", "b", "code", "größe"], "the columns")
        try expect(owner.primaryKey, equals: .init(name: "owner_pk", columns: ["b", "Key"]), "the primary key")
        try expect(owner.columns.map(\.keyPosition), equals: [1, 0, nil, nil], "the positions in the key")
        try expect(owner.uniqueConstraints, equals: [.init(name: "owner_code", columns: ["code"])], "what is unique")
        try expect(owner.indexes, equals: [], "indexes without those of constraints")
        try expect(owner.columns.map(\.isNullable), equals: [false, false, false, true], "what can be NULL")
        try expect(owner.column("code")?.type, equals: .text, "the type of a text with a length")
        try expect(
            owner.column("code")?.typeName.contains("(20)") == true, "The length is lost: \(owner.columns[2].typeName)")
        try expect(
            owner.column("code")?.defaultExpression?.hasPrefix("'it''s'") == true,
            "The default is \(owner.column("code")?.defaultExpression ?? "none").")
        try expect(owner.checks, count: 2, "CHECK constraints")
        try expect(
            owner.checks.contains { $0.name == "owner_sum" && $0.expression.contains("'), CHECK ('") },
            "The CHECK constraints are \(owner.checks).")
    }

    static func check(part: DatabaseSchema.Table) throws {
        try expect(part.column("doubled")?.generated?.isStored, equals: true, "whether it is stored")
        try expect(
            part.column("doubled")?.generated?.expression.contains("x * 2") == true, "The computed column is not shown."
        )
        try expect(part.column("doubled")?.defaultExpression, equals: nil, "the default of a computed column")
        try expect(part.primaryKey?.columns, equals: ["id"], "the primary key")
        let keys = part.foreignKeys.sorted { $0.columns.count < $1.columns.count }
        try expect(keys, count: 2, "foreign keys")
        try expect(keys.map(\.table), equals: ["The \"Owner\"", "The \"Owner\""], "the tables")
        try expect(keys.map(\.columns), equals: [["owner_code"], ["x", "y"]], "the columns")
        try expect(keys.map(\.targetColumns), equals: [["code"], ["b", "Key"]], "the columns referred to")
        try expect(keys.map(\.onDelete), equals: [.setNull, .cascade], "what a deletion does")
        try expect(keys.map(\.onUpdate), equals: [.cascade, .noAction], "what a change of the key does")
        try expect(keys[1].name, equals: "part_owner", "the name of a foreign key")
    }

    static func check(indexes: [DatabaseSchema.Index]) throws {
        try expect(indexes.map(\.name), equals: ["part_lower", "part_y"], "the indexes")
        try expect(indexes.map(\.isUnique), equals: [true, false], "what is unique")
        try expect(indexes.map(\.columns), equals: [nil, ["y", "x"]], "the columns of plain indexes")
        let lower = indexes[0]
        try expect(lower.terms.map(\.column), equals: [nil, "x"], "the columns of an index with an expression")
        try expect(lower.terms.map(\.isDescending), equals: [false, true], "the directions")
        try expect(
            lower.terms[0].expression?.hasPrefix("lower(") == true, "The expression is \(lower.terms[0]).")
        try expect(
            lower.condition?.uppercased().contains("Y IS NOT NULL") == true,
            "The condition is \(lower.condition ?? "none").")
    }
}
