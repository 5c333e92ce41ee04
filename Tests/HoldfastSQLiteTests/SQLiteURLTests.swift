import Foundation
@_spi(Driver) import Holdfast
import Testing

@testable import HoldfastSQLite

struct SQLiteURLTests {
    @Test(arguments: [
        ("sqlite:catalog.db", SQLiteOptions(location: .file("catalog.db"))),
        ("sqlite:./data/catalog.db", SQLiteOptions(location: .file("./data/catalog.db"))),
        ("sqlite:/var/catalog.db", SQLiteOptions(location: .file("/var/catalog.db"))),
        ("sqlite:///var/catalog.db", SQLiteOptions(location: .file("/var/catalog.db"))),
        ("sqlite://localhost/var/catalog.db", SQLiteOptions(location: .file("/var/catalog.db"))),
        ("file:///var/a%20b%23%3F.db", SQLiteOptions(location: .file("/var/a b#?.db"))),
        ("sqlite:caf%C3%A9.db", SQLiteOptions(location: .file("café.db"))),
        ("sqlite:a+b.db", SQLiteOptions(location: .file("a+b.db"))),
        ("sqlite::memory:", SQLiteOptions(location: .inMemory)),
        ("sqlite:?mode=memory", SQLiteOptions(location: .inMemory)),
        ("sqlite:a.db?synchronous=normal", SQLiteOptions(location: .file("a.db"), synchronous: .normal)),
        ("sqlite:a.db?trusted_schema=on", SQLiteOptions(location: .file("a.db"), trustsSchema: true)),
        ("sqlite:a.db?trusted_schema=off", SQLiteOptions(location: .file("a.db"))),
        (
            "sqlite:a.db?mode=ro&synchronous=OFF",
            SQLiteOptions(location: .file("a.db"), mode: .readOnly, synchronous: .off)
        ),
        ("sqlite:a.db?", SQLiteOptions(location: .file("a.db"))),
    ])
    func `a URL names a database`(url: String, options: SQLiteOptions) throws {
        #expect(try SQLiteOptions(url: url) == options)
    }

    @Test(arguments: [
        "sqlite:", "sqlite://", "sqlite:///?mode=memory", "sqlite://catalog.db", "sqlite://host/catalog.db",
        "catalog.db",
        "sqlite:a.db?cache=shared", "sqlite:a.db?mode=rx", "sqlite:a.db?mode=memory", "sqlite::memory:?mode=ro",
        "sqlite:a.db?synchronous=2", "sqlite:a.db?trusted_schema=1", "sqlite:a.db?synchronous",
        "sqlite:a.db?mode=ro&mode=rw", "sqlite:a%2.db",
        "sqlite:a%",
        "sqlite:a%00.db", "sqlite:a%FF.db", "sqlite:a.db#part", "sqlite:?synchronous=full",
    ])
    func `a URL that means nothing is refused`(url: String) throws {
        let error = #expect(throws: DatabaseError.self) { try SQLiteOptions(url: url) }
        #expect(error?.code == .cannotConnect)
    }

    @Test func `a URL says its mode, or gets the one of its driver type`() throws {
        #expect(try SQLiteOptions(url: "sqlite:a.db", mode: .readOnly).mode == .readOnly)
        #expect(try SQLiteOptions(url: "sqlite:a.db?mode=rw", mode: .readOnly).mode == .readWrite)
        for url in ["sqlite::memory:", "sqlite:?mode=memory"] {
            #expect(try SQLiteOptions(url: url, mode: .readOnly) == SQLiteOptions(location: .inMemory))
        }
    }

    @Test func `the driver type answers to its schemes`() throws {
        #expect(DriverType.sqlite.schemes == ["sqlite", "file"])
        _ = try DriverType.sqlite.configure("sqlite:a.db")
    }

    @Test func `no URL traps, and an error shows none of it but the names of parameters`() async {
        let parts = [
            "s3cret", "/", "?", "&", "=", "mode", "ro", "memory", "synchronous", "off", ":memory:", "//", "localhost",
            "#",
            "%", "%40", "%00", "%ff", "%+1", "é", "\u{0}", "key", "S3CRET", ".db", "@", " ",
        ]
        var random = SystemRandomNumberGenerator()
        for round in 0..<5_000 {
            if round.isMultiple(of: 100) { await Task.yield() }
            var url = ["sqlite:", "file:", "sqlite:s3cret?", ""].randomElement(using: &random) ?? ""
            for _ in 0..<Int.random(in: 0..<10, using: &random) { url += parts.randomElement(using: &random) ?? "" }
            do {
                _ = try SQLiteOptions(url: url)
            } catch {
                let words = "\(error) \((error as? DatabaseError)?.debugDescription ?? "")"
                #expect(error is DatabaseError && !words.lowercased().contains("s3cret"), "\(url): \(words)")
            }
        }
    }
}
