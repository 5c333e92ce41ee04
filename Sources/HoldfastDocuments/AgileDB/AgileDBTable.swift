import Foundation
import Holdfast

/// A table of a file of AgileDB, in either of its layouts: since 7.1 with the document as JSON, before that with a
/// column for each property, and with the elements of arrays in a table beside it.
struct AgileDBTable {
    private static let timeColumns = ["autoDeleteDateTime", "addedDateTime", "updatedDateTime"]

    private let db: Database
    let name: String
    /// The columns of properties; nil if documents are JSON.
    private let properties: [String]?

    /// The tables of documents in a file.
    static func all(in db: Database) async throws -> [AgileDBTable] {
        let names = try await db.sql("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            .fetch(as: String.self)
        var tables: [AgileDBTable] = []
        for name in names where !name.hasPrefix("sqlite_") && !name.hasPrefix("__") {
            let columns = try await db.sql("SELECT name FROM pragma_table_info(\(name)) ORDER BY cid")
                .fetch(as: String.self)
            // The elements of arrays have no times, and neither have the tables of other programs.
            guard columns.contains("key"), timeColumns.allSatisfy(columns.contains) else { continue }
            let isJSON = columns.contains("value") && !columns.contains("hasArrayValues")
            let others = columns.filter { $0 != "key" && $0 != "hasArrayValues" && !timeColumns.contains($0) }
            tables.append(AgileDBTable(db: db, name: name, properties: isJSON ? nil : others))
        }
        return tables
    }

    /// Some documents in the order of their keys.
    func documents(after last: String?, limit: Int) async throws -> [Document] {
        var columns = SQLFragment("key, autoDeleteDateTime, addedDateTime, updatedDateTime")
        if let properties {
            columns = "\(columns), hasArrayValues"
            for property in properties {
                columns = "\(columns), typeof(\(identifier: property)), \(identifier: property)"
            }
        } else {
            columns = "\(columns), value"
        }
        let condition: SQLFragment = last.map { "WHERE key > \($0)" } ?? ""
        let rows = try await db.sql(
            "SELECT \(columns) FROM \(identifier: name) \(condition) ORDER BY key LIMIT \(limit)"
        ).fetch()
        guard let first = rows.first, let end = rows.last else { return [] }
        let arrays =
            properties == nil
            ? [:] : try await elements(from: first.decode(at: 0), through: end.decode(at: 0))
        return try rows.enumerated().map { index, row in
            let key = try row.decode(String.self, at: 0)
            do {
                let value =
                    try properties.map { try self.value(of: row, $0, arrays[Array(key.utf8)] ?? [:]) }
                    ?? JSON(parsing: try row.decode(String.self, at: 4))
                try value.requireAcceptable()
                var document = Document(value, table: name, key: key, expiresAt: try time(row, 1))
                try document.requireKey()
                (document.addedAt, document.updatedAt) = (try time(row, 2), try time(row, 3))
                return document
            } catch let error as DatabaseError {
                throw DatabaseError(
                    .decoding,
                    "The document \(index) of \(rows.count), in the order of keys, can't be read: \(error.message)",
                    table: name)
            }
        }
    }

    private func time(_ row: SQLRow, _ position: Int) throws -> Date? {
        guard let text = try row.decode(String?.self, at: position), !text.isEmpty else { return nil }
        guard let micros = ISO8601.microseconds(of: text) else {
            throw DatabaseError(.decoding, "The column \"\(Self.timeColumns[position - 1])\" has no date.")
        }
        return Date(timeIntervalSince1970: Double(micros) / 1_000_000)
    }

    /// The document of a row that has a column for each property.
    private func value(of row: SQLRow, _ properties: [String], _ arrays: [String: [JSON]]) throws -> JSON {
        var members: [String: JSON] = [:]
        for (index, property) in properties.enumerated() {
            let position = 5 + 2 * index
            switch try row.decode(String.self, at: position) {
            case "integer": members[property] = JSON(try row.decode(Int64.self, at: position + 1))
            case "real": members[property] = JSON(try row.decode(Double.self, at: position + 1))
            case "text": members[property] = JSON(string: try row.decode(String.self, at: position + 1))
            default: break
            }
        }
        // tags:stringArray,counts:intArray; an array without elements is only there.
        for array in try (row.decode(String?.self, at: 4) ?? "").split(separator: ",") {
            let name = String(array.prefix { $0 != ":" })
            members[name] = JSON(arrays[name] ?? [])
        }
        return JSON(members)
    }

    /// The elements of the arrays of documents, by the bytes of keys and by property, in their order.
    private func elements(from first: String, through last: String) async throws -> [[UInt8]: [String: [JSON]]] {
        let rows = try await db.sql(
            """
            SELECT key, objectKey, stringValue, intValue, doubleValue FROM \(identifier: name + "_arrayValues")
            WHERE key BETWEEN \(first) AND \(last) ORDER BY rowid
            """
        ).fetch(as: (String, String, String?, Int64?, Double?).self)
        var elements: [[UInt8]: [String: [JSON]]] = [:]
        for (key, property, string, integer, double) in rows {
            let element = string.map(JSON.init(string:)) ?? integer.map { JSON($0) } ?? double.map { JSON($0) } ?? .null
            elements[Array(key.utf8), default: [:]][property, default: []].append(element)
        }
        return elements
    }
}
