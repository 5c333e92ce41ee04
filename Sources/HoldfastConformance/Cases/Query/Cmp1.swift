import Foundation
import Holdfast

/// Conditions on values: what they mean in Swift, they mean in a query.
extension ConformanceCase {
    static let cmp1: [ConformanceCase] = [
        asking(
            "cmp-1.texts", "CMP-1",
            "Texts are matched literally or by patterns, with or without regard to the case of ASCII letters",
            [
                .typed(
                    "beginning", { $0.name.hasPrefix("Sm") },
                    { $0.name.unicodeScalars.starts(with: "Sm".unicodeScalars) }),
                .typed(
                    "beginning, any case", { $0.name.hasPrefix("sm", caseSensitive: false) },
                    { $0.name.lowercased().hasPrefix("sm") }),
                .typed("no beginning", { $0.nickname.hasPrefix("") }, { $0.nickname != nil }),
                .typed("the last scalar", { $0.name.hasPrefix("𝔘") }, { $0.name.hasPrefix("𝔘") }),
                .typed("end", { $0.name.hasSuffix("th") }, { $0.name.hasSuffix("th") }),
                .typed("end longer than the text", { $0.name.hasSuffix("xxxxxxxxxa") }, { _ in false }),
                .typed("end, any case", { $0.name.hasSuffix("TH", caseSensitive: false) }, { $0.name.hasSuffix("th") }),
                .typed("part", { $0.name.contains("t") }, { $0.name.contains("t") }),
                .typed(
                    "part, any case", { $0.name.contains("S", caseSensitive: false) },
                    { $0.name.lowercased().contains("s") }),
                .typed("what a pattern would misread", { $0.name.contains("%") }, { $0.name.contains("%") }),
                .typed(
                    "what a pattern would misread", { $0.name.contains("_", caseSensitive: false) },
                    { $0.name.contains("_") }),
                .typed(
                    "what a pattern would misread", { $0.name.contains("\\", caseSensitive: false) },
                    { $0.name.contains("\\") }),
                .typed("a pattern", { $0.name.like("sm_th") }, { ["Smith", "Smyth", "smith"].contains($0.name) }),
                .typed(
                    "a pattern with case", { $0.name.like("Sm_th", caseSensitive: true) },
                    { ["Smith", "Smyth"].contains($0.name) }),
                .typed("a pattern of ASCII alone", { $0.name.like("zoË") }, { _ in false }),
                .typed("a pattern with an escape", { $0.name.like("100\\%") }, { $0.name == "100%" }),
                .typed(
                    "a pattern with an escape and case", { $0.name.like("under\\_%", caseSensitive: true) },
                    { $0.name == "under_score" }),
                .typed(
                    "what another pattern would misread", { $0.name.like("*%*", caseSensitive: true) },
                    { $0.name == "*star*" }),
                .typed(
                    "what another pattern would misread", { $0.name.like("[b%", caseSensitive: true) },
                    { $0.name == "[bracket]" }),
                .typed("one character for a scalar", { $0.name.like("__") }, { $0.name.unicodeScalars.count == 2 }),
                .typed("everything", { $0.nickname.like("%") }, { $0.nickname != nil }),
                .typed("a backslash", { $0.name.like("back\\\\%", caseSensitive: true) }, { $0.name == "back\\slash" }),
            ]),
        ConformanceCase(
            "cmp-1.refused", "CMP-1", "A pattern that is too long, or ends in an escape, is refused"
        ) { environment in
            let (db, _) = try await openSample(environment)
            try await expect(.invalidValue, from: "a pattern of 50,001 bytes") {
                _ = try await db.query(Engineer.self).where { $0.name.like(String(repeating: "%", count: 50_001)) }
                    .count()
            }
            try await expect(.invalidValue, from: "a pattern that ends in an escape") {
                _ = try await db.query(Engineer.self).where { $0.name.like("a\\") }.count()
            }
            try await expect(.invalidValue, from: "a NUL character") {
                _ = try await db.query(Engineer.self).where { $0.name == "a\0b" }.count()
            }
        },
    ]
}
