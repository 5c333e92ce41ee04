import ArgumentParser
import Floor
import Foundation
import Holdfast
import HoldfastDocuments
import HoldfastPostgres
import HoldfastSQLite

/// Measures keyed documents next to the C libraries, taking turns in one process.
///
/// Documents have about 150 bytes. The floor has their texts ready; Holdfast is given `JSON`, or a `Codable` value that
/// it encodes and decodes.
struct DocumentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "documents", abstract: "Measures keyed documents.")

    @OptionGroup var location: DatabaseLocation
    @Option(help: "How many documents there are.") var count = 20_000
    @Option(help: "How many rounds there are.") var rounds = 7

    private struct Person: Codable {
        struct Address: Codable {
            var city: String
            var zip: String
        }
        var name: String
        var age: Int
        var address: Address
        var tags: [String]

        init(_ number: Int) {
            (name, age) = ("Person number \(number)", 18 + number % 60)
            address = Address(city: "city \(number)", zip: "\(10_000 + number)")
            tags = ["tag \(number % 7)", "tag \(number % 11)"]
        }
    }

    @concurrent
    func run() async throws {
        let people = (0..<count).map { Person($0) }
        let names = (0..<count).map { "person \($0)" }
        let documents = try people.map { try JSON(encoding: $0) }
        let (keys, values) = (Texts(names), Texts(documents.map(\.text)))
        let cities = (0..<2_000).map { "city \($0 * 9 % count)" }
        let cityTexts = Texts(cities)

        try await Database.withDatabase(location.configuration(connections: 1, trusts: true)) { db in
            try await db.documents.migrate(indexes: [.path("address.city", as: String.self)])
            let table = db.documents["t"]
            let floor = location.openFloor()
            defer { floor_close(floor) }
            let sql = try table.where { $0["address.city"] == "c" }.select { $0.key }
                .sql(for: location.engine == .sqlite ? .sqlite : .postgres)
            var times: [String: [(floor: Duration, holdfast: Duration)]] = [:]
            let clock = ContinuousClock()
            func measure(
                _ work: String, _ floorWork: () -> Void, _ work2: () async throws -> Void
            ) async throws {
                let first = clock.measure(floorWork)
                let second = try await clock.measure { try await work2() }
                times[work, default: []].append((first, second))
            }
            for _ in 0...rounds {
                func clear() { floor_execute(floor, "DELETE FROM keyed_document") }
                try await measure("set, JSON") {
                    clear()
                    floor_set_documents(floor, keys.texts, values.texts, Int64(count))
                } _: {
                    clear()
                    try await table.set(Dictionary(uniqueKeysWithValues: zip(names, documents)))
                }
                try await measure("set again, Codable") {
                    floor_set_documents(floor, keys.texts, values.texts, Int64(count))
                } _: {
                    try await table.set(Dictionary(uniqueKeysWithValues: zip(names, people)))
                }
                try await measure("get, JSON") {
                    _ = floor_get_documents(floor, keys.texts, Int64(count))
                } _: {
                    for name in names where try await table.get(name, as: JSON.self) == nil { throw BenchError(name) }
                }
                try await measure("get, Codable") {
                    _ = floor_get_documents(floor, keys.texts, Int64(count))
                } _: {
                    for name in names where try await table.get(name, as: Person.self) == nil {
                        throw BenchError(name)
                    }
                }
                var (found, other): (Int64, Int64) = (0, 0)
                try await measure("keys by an indexed path") {
                    found = sql.withCString { floor_document_keys(floor, $0, cityTexts.texts, 2_000) }
                } _: {
                    for city in cities {
                        other += Int64(try await table.where { $0["address.city"] == city }.documentKeys().count)
                    }
                }
                guard found == other, found == 2_000 else { throw BenchError("\(found) keys, and \(other)") }
            }
            print("| \(location.engine) | ratio, median · least | floor | Holdfast |\n|---|--:|--:|--:|")
            for (work, all) in times.sorted(by: { $0.key < $1.key }) {
                let rounds = all.dropFirst()
                let ratios = rounds.map { $0.holdfast / $0.floor }.sorted()
                func median(_ durations: [Duration]) -> String {
                    durations.sorted()[durations.count / 2].formatted(.units(allowed: [.milliseconds]))
                }
                print(
                    "| \(work) | \(String(format: "%.2f · %.2f", ratios[ratios.count / 2], ratios[0])) "
                        + "| \(median(rounds.map(\.floor))) | \(median(rounds.map(\.holdfast))) |")
            }
        }
    }
}

/// Texts as the floor takes them.
private final class Texts {
    let texts: UnsafeMutablePointer<FloorText>
    private let count: Int

    init(_ strings: [String]) {
        texts = .allocate(capacity: strings.count)
        count = strings.count
        for (index, string) in strings.enumerated() {
            guard let bytes = strdup(string) else { preconditionFailure("There is no memory.") }
            texts[index] = FloorText(bytes: bytes, length: Int64(string.utf8.count))
        }
    }

    deinit {
        for index in 0..<count { free(texts[index].bytes) }
        texts.deallocate()
    }
}
