import Holdfast

extension ConformanceCase {
    static let othersConstraints: [ConformanceCase] = [
        ConformanceCase(
            "err-1.others-names", "ERR-1",
            "A violation of a unique key names the properties, whatever others have called the constraint",
            level: .graph
        ) { environment in
            let db = try await environment.open()
            try await db.sql(
                """
                CREATE TABLE numbered (number bigint NOT NULL, title text NOT NULL, "Odd, (one)=(" text,
                    CONSTRAINT odd PRIMARY KEY (number), CONSTRAINT strange UNIQUE (title, number),
                    CONSTRAINT stranger UNIQUE ("Odd, (one)=(", title))
                """
            ).execute()
            try await db.insert(Numbered(1, "a"))
            let key = try await expect(.uniqueViolation, from: "a primary key") {
                try await db.insert(Numbered(1, "b"))
            }
            try expect(key.properties, equals: ["number"], "the properties of a primary key")
            try expect(key.table, equals: "numbered", "the table of a primary key")
            let insert: SQLFragment = "INSERT INTO numbered (number, title, \"Odd, (one)=(\") VALUES (2, 'c', 'd')"
            try await db.sql(insert).execute()
            let unique = try await expect(.uniqueViolation, from: "a unique key") {
                try await db.sql("UPDATE numbered SET title = 'c', \"Odd, (one)=(\" = 'd'").execute()
            }
            try expect(unique.properties, equals: ["Odd, (one)=(", "title"], "the columns of a unique key")
        }
    ]
}
