import Foundation
import Holdfast
import HoldfastConformance
import HoldfastDocuments
import Testing

@testable import HoldfastConformance

/// SQL of one's own about documents that hold the keys of others: each engine has its own words for what is inside.
@Suite struct DocumentSQLTests {
    private struct Client: DocumentObject {
        static let documentTable = "clients"
        var documentKey: String
        var city: String
    }

    private struct Line: DocumentObject {
        static let documentTable = "lines"
        var documentKey: String
        var count: Int
        var price: Double
    }

    private struct Bill: DocumentObject {
        static let documentTable = "bills"
        var documentKey: String
        var number: Int
        var isPaid: Bool
        var client: DocumentReference<Client>
        var lines: [DocumentReference<Line>]
    }

    /// What differs between the engines.
    private struct Words {
        let engine: SchemaEngine

        func text(_ name: String, of alias: String) -> SQLFragment {
            switch engine {
            case .sqlite: "json_extract(\(unsafe: alias).value, '$.\(unsafe: name)')"
            case .postgresql: "(\(unsafe: alias).value ->> '\(unsafe: name)')"
            }
        }

        func number(_ name: String, of alias: String) -> SQLFragment {
            switch engine {
            case .sqlite: text(name, of: alias)
            case .postgresql: "CAST(\(text(name, of: alias)) AS double precision)"
            }
        }

        /// The elements of an array, as `element.value`.
        func elements(_ name: String, of alias: String) -> SQLFragment {
            switch engine {
            case .sqlite: "json_each(\(unsafe: alias).value, '$.\(unsafe: name)') AS element"
            case .postgresql:
                "jsonb_array_elements_text(\(unsafe: alias).value -> '\(unsafe: name)') AS element (value)"
            }
        }
    }

    private func withBills(
        _ engine: SchemaEngine, _ body: (Database, Words) async throws -> Void
    ) async throws {
        let home = try await engine.provision.makeDatabase()
        var failure: (any Error)?
        do {
            try await Database.withDatabase(home.configuration) { db async throws in
                try await db.documents.migrate()
                let clients = ["Ulm", "Bonn"].map { Client(documentKey: "c-\($0)", city: $0) }
                let lines = [(2, 9.99), (1, 19.99), (5, 4.5)].enumerated().map { index, line in
                    Line(documentKey: "l\(index)", count: line.0, price: line.1)
                }
                try await db.documents.save([
                    Bill(
                        documentKey: "b1", number: 1001, isPaid: true, client: DocumentReference(clients[0]),
                        lines: [DocumentReference(lines[0]), DocumentReference(lines[1])]),
                    Bill(
                        documentKey: "b2", number: 1002, isPaid: false, client: DocumentReference(clients[1]),
                        lines: [DocumentReference(lines[2])]),
                ])
                try await body(db, Words(engine: engine))
            }
        } catch { failure = error }
        try await home.destroy()
        if let failure { throw failure }
    }

    @Test(arguments: SchemaEngine.available)
    func `values inside documents are selected`(_ engine: SchemaEngine) async throws {
        try await withBills(engine) { db, words in
            let numbers = try await db.sql(
                """
                SELECT \(words.number("number", of: "bill")) FROM keyed_document AS bill
                WHERE bill.table_name = \(Bill.documentTable) ORDER BY 1
                """
            ).fetch(as: Double.self)
            #expect(numbers == [1001, 1002])
            // A truth value is one on either engine where a query asks for it.
            let paid = db.documents["bills"].where { $0["isPaid"] == true }
            #expect(try await paid.documentKeys() == ["b1"])
            #expect(try await paid.select { $0["number", as: Int.self] }.fetch() == [1001])
        }
    }

    @Test(arguments: SchemaEngine.available)
    func `documents are joined by the keys that they hold`(_ engine: SchemaEngine) async throws {
        try await withBills(engine) { db, words in
            let city = "Bonn"
            let found = try await db.sql(
                """
                SELECT bill.document_key, client.document_key FROM keyed_document AS bill
                JOIN keyed_document AS client ON client.table_name = 'clients'
                    AND client.document_key = \(words.text("client", of: "bill"))
                WHERE bill.table_name = 'bills' AND \(words.text("city", of: "client")) = \(city)
                """
            ).fetch(as: (String, String).self)
            #expect(found.map(\.0) == ["b2"])
            #expect(found.map(\.1) == ["c-Bonn"])
        }
    }

    @Test(arguments: SchemaEngine.available)
    func `documents are joined by the keys in an array`(_ engine: SchemaEngine) async throws {
        try await withBills(engine) { db, words in
            let lines = try await db.sql(
                """
                SELECT line.document_key, \(words.number("count", of: "line")) FROM keyed_document AS bill
                CROSS JOIN \(words.elements("lines", of: "bill"))
                JOIN keyed_document AS line ON line.table_name = 'lines' AND line.document_key = element.value
                WHERE bill.table_name = 'bills' AND bill.document_key = 'b1' ORDER BY line.document_key
                """
            ).fetch(as: (String, Double).self)
            #expect(lines.map(\.0) == ["l0", "l1"])
            #expect(lines.map(\.1) == [2, 1])
            let expensive = try await db.sql(
                """
                SELECT DISTINCT bill.document_key FROM keyed_document AS bill
                CROSS JOIN \(words.elements("lines", of: "bill"))
                JOIN keyed_document AS line ON line.table_name = 'lines' AND line.document_key = element.value
                WHERE bill.table_name = 'bills' AND \(words.number("price", of: "line")) > \(15.0)
                """
            ).fetch(as: String.self)
            #expect(expensive == ["b1"])
        }
    }

    @Test(arguments: SchemaEngine.available)
    func `values of documents that others refer to are added up`(_ engine: SchemaEngine) async throws {
        try await withBills(engine) { db, words in
            let sums = try await db.sql(
                """
                SELECT \(words.text("city", of: "client")),
                    sum(\(words.number("count", of: "line")) * \(words.number("price", of: "line")))
                FROM keyed_document AS bill
                JOIN keyed_document AS client ON client.table_name = 'clients'
                    AND client.document_key = \(words.text("client", of: "bill"))
                CROSS JOIN \(words.elements("lines", of: "bill"))
                JOIN keyed_document AS line ON line.table_name = 'lines' AND line.document_key = element.value
                WHERE bill.table_name = 'bills' GROUP BY 1 ORDER BY 1
                """
            ).fetch(as: (String, Double).self)
            #expect(sums.map(\.0) == ["Bonn", "Ulm"])
            #expect(abs(sums[0].1 - 22.5) < 0.000_1 && abs(sums[1].1 - 39.97) < 0.000_1)
        }
    }
}
