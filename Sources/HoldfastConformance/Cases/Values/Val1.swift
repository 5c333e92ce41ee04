import Foundation
import Holdfast

extension ConformanceCase {
    static let val1: [ConformanceCase] = [
        ConformanceCase(
            "val-1.scalars",
            "VAL-1",
            "Every type of value is read as it was stored: ordinary, empty, least and greatest"
        ) { environment in
            let db = try await environment.open(Scalars.self)
            let samples = try Scalars.samples()
            let saved = try await db.insert(samples)
            try expect(saved, equals: samples, "what insert returned")
            try expect(try await db.fetch(Scalars.self), equalsEach: samples, "what was read back")
            try expect(try await db.count(Scalars.self), equals: samples.count, "the number of rows")
        },
        ConformanceCase(
            "val-1.optional-scalars",
            "VAL-1",
            "Every type of value can be optional: nil and the same values are kept apart"
        ) { environment in
            let db = try await environment.open(OptionalScalars.self)
            let samples = try Scalars.samples().map(OptionalScalars.init) + [OptionalScalars(id: 7)]
            _ = try await db.insert(samples)
            for expected in samples {
                let value = try await db.find(OptionalScalars.self, key: expected.id)
                try expect(value, equals: expected, "the value with the key \(expected.id)")
            }
        },
        ConformanceCase(
            "val-1.arrays",
            "VAL-1",
            "Every type of value can be the element of an array"
        ) { environment in
            let db = try await environment.open(Arrays.self)
            let samples = try Scalars.samples()
            let owners = [Arrays(id: 1, samples), Arrays(id: 2), Arrays(id: 3, samples.reversed() + samples)]
            _ = try await db.insert(owners)
            try expect(try await db.fetch(Arrays.self), equalsEach: owners, "what was read back")
        },
        ConformanceCase(
            "val-1.optional-arrays",
            "VAL-1",
            "An array of every type of value can be nil, empty or filled"
        ) { environment in
            let db = try await environment.open(OptionalArrays.self)
            let owners = [
                OptionalArrays(id: 1, try Scalars.samples()), OptionalArrays(id: 2), OptionalArrays(id: 3, []),
            ]
            _ = try await db.insert(owners)
            try expect(try await db.fetch(OptionalArrays.self), equalsEach: owners, "what was read back")
        },
        ConformanceCase(
            "val-1.text-keeps-its-bytes",
            "VAL-1",
            "Text is kept byte for byte: no normalization, trimming, folding or escaping"
        ) { environment in
            let db = try await environment.open(Tagged.self)
            let texts = Self.texts
            let tagged = texts.map { Tagged($0, tags: texts) }
            try await db.insert(tagged)
            func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
            let owners = try await db.fetch(Tagged.self)
            try expect(bytes(owners.map(\.name)), equalsEach: bytes(texts), "the bytes of texts")
            for owner in owners {
                try expect(bytes(owner.tags), equalsEach: bytes(texts), "the bytes of the elements of an array")
            }
        },
        ConformanceCase(
            "val-1.large-values",
            "VAL-1",
            "A megabyte of text and of bytes is kept whole, as a value and as an element"
        ) { environment in
            let db = try await environment.open(Scalars.self, Arrays.self)
            var value = Scalars(id: 1)
            value.string = String(repeating: "é€😀x", count: 100_000)
            value.data = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            var owner = Arrays(id: 1)
            owner.string = [value.string, "", value.string]
            owner.data = [Data(), value.data]
            _ = try await db.insert(value)
            _ = try await db.insert(owner)
            let same = try expect(some: try await db.find(Scalars.self, key: 1), "the row")
            try expect(same == value, "A long text or blob was changed.")
            let sameOwner = try expect(some: try await db.find(Arrays.self, key: 1), "the owner")
            try expect(sameOwner == owner, "A long element was changed.")
        },
        ConformanceCase(
            "val-1.every-byte",
            "VAL-1",
            "A blob holds every byte, and an empty one is not NULL"
        ) { environment in
            let db = try await environment.open(OptionalScalars.self)
            var value = OptionalScalars(id: 1)
            value.data = Data(0...255)
            var empty = OptionalScalars(id: 2)
            empty.data = Data()
            empty.string = ""
            _ = try await db.insert([value, empty])
            try expect(try await db.find(OptionalScalars.self, key: 1)?.data, equals: value.data, "the blob")
            let same = try await db.find(OptionalScalars.self, key: 2)
            try expect(same?.data, equals: Data(), "the empty blob")
            try expect(same?.string, equals: "", "the empty text")
        },
        ConformanceCase(
            "val-1.floating-point-bits",
            "VAL-1",
            "Floating point numbers keep every bit, subnormal and infinite ones too"
        ) { environment in
            let db = try await environment.open(Arrays.self)
            var owner = Arrays(id: 1)
            owner.double = [
                .pi, 0.1, 1 / 3, .leastNonzeroMagnitude, -.leastNormalMagnitude, .greatestFiniteMagnitude, .infinity,
                -.infinity, 9_007_199_254_740_992, 1e-300, 123_456_789.123_456_79, -.leastNonzeroMagnitude,
            ]
            owner.float = [
                .pi, 0.1, 1 / 3, .leastNonzeroMagnitude, -.leastNormalMagnitude, .greatestFiniteMagnitude, .infinity,
                -.infinity, 16_777_216, 1e-38,
            ]
            _ = try await db.insert(owner)
            let same = try expect(some: try await db.find(Arrays.self, key: 1), "the owner")
            try expect(same.double.map(\.bitPattern), equals: owner.double.map(\.bitPattern), "the bits of doubles")
            try expect(same.float.map(\.bitPattern), equals: owner.float.map(\.bitPattern), "the bits of floats")
        },
        ConformanceCase(
            "val-1.relative-url",
            "VAL-1",
            "A URL is kept as its absolute text, and a saved one equals its reload"
        ) { environment in
            let db = try await environment.open(Scalars.self)
            var value = Scalars(id: 1)
            value.url = try expect(
                some: URL(string: "../b?q#f", relativeTo: try Scalars.url("https://example.org/a/c")),
                "a relative URL"
            )
            let saved = try await db.insert(value)
            try expect(saved.url.absoluteString, equals: "https://example.org/b?q#f", "the URL that was saved")
            try expect(try await db.find(Scalars.self, key: 1), equals: saved, "what was read back")
        },
        ConformanceCase(
            "val-1.conversions-that-refuse",
            "VAL-1",
            "A conversion of one's own can refuse a value, on the way in and on the way out"
        ) { environment in
            let db = try await environment.open(Progressing.self)
            let value = Progressing(id: 1, share: Percentage(50), history: [Percentage(0), Percentage(100)])
            _ = try await db.insert(value)
            try expect(try await db.find(Progressing.self, key: 1), equals: value, "what was read back")
            let error = try await expect(.invalidValue, from: "a value that the conversion refuses") {
                _ = try await db.insert(Progressing(id: 2, share: Percentage(101)))
            }
            try expect(error.properties, equals: ["share"], "the property that the error names")
            let element = try await expect(.invalidValue, from: "an element that the conversion refuses") {
                _ = try await db.insert(Progressing(id: 2, share: Percentage(1), history: [Percentage(-1)]))
            }
            try expect(element.properties, equals: ["history"], "the property that the error names")
            try await db.sql("UPDATE \(Progressing.self) SET share = 200").execute()
            let stored = try await expect(.decoding, from: "a stored value that the conversion refuses") {
                _ = try await db.fetch(Progressing.self)
            }
            try expect(stored.properties, equals: ["share"], "the property that the error names")
            try expect(try await db.count(Progressing.self), equals: 1, "the number of rows")
        },
    ]

    /// Texts that some software changes on the way.
    static let texts = [
        "", " ", " leading and trailing ", "\t\r\n\u{0B}\u{0C}", "é", "e\u{301}", "\u{1E9B}\u{323}", "Å", "\u{212B}",
        "ﬁ",
        "😀", "👩‍👩‍👧‍👦", "🇦🇶", "\u{FEFF}bom", "\u{200E}\u{202E}rtl", "日本語", "\u{FFFD}\u{FFFF}\u{10FFFF}", "''", "\"", "\\",
        "\\0",
        "%_", "$1 ?1 :a", "NULL", "null", "{\"a\":1}", "\u{1}\u{7F}", "it's; DROP TABLE tagged; --",
    ]
}
