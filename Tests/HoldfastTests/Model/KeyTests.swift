import Foundation
import Testing

@testable import Holdfast

@Suite struct KeyTests {
    @Test func `keys are compared by their bytes, not by canonical equivalence`() {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        #expect(composed == decomposed)
        #expect(Key(composed) != Key(decomposed))
        #expect(Key("a", 1) == Key("a", 1))
        #expect(Key("a", 1) != Key("a", 2))
        #expect(Key("ab", "c") != Key("a", "bc"))
    }

    @Test func `whole numbers of any width are one kind of key`() {
        #expect(Key(Int32(7)) == Key(Int64(7)))
        #expect(Set([Key(7), Key(UInt8(7))]).count == 1)
    }

    @Test func `a UUID is its sixteen bytes, whatever the engine calls them`() throws {
        let id = UUID()
        let key = Key(id)
        var bytes = ParameterBuffer(width: 1)
        withUnsafeBytes(of: id.uuid) { bytes.append(.blob, $0) }
        let stored = try #require(bytes.withRow(0) { cells in cells.baseAddress.map { Key(cells: $0, count: 1) } })
        #expect(stored == key)
        #expect(stored.hashValue == key.hashValue)
    }

    @Test func `a part that can't be stored is an error when the key is used`() {
        #expect(throws: DatabaseError.self) { try Key("a\0b").parameters() }
        #expect(throws: DatabaseError.self) { try Key(UInt64.max).parameters() }
    }

    @Test func `a key shows no value`() {
        #expect(!"\(Key("secret"))".contains("secret"))
        #expect(!String(reflecting: Key("secret")).contains("secret"))
    }
}
