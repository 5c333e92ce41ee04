// Random JSON, and random paths into it.

extension AnyJSON {
    static func random(_ depth: Int, _ random: inout some RandomNumberGenerator) -> AnyJSON {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
        case 0: .null
        case 1: .boolean(Bool.random(using: &random))
        case 2: .integer([0, 1, -1, 7, 1 << 53 + 1, .max, .min].randomElement(using: &random) ?? 0)
        case 3: .real([0.5, -1.5, 7, 1e15, 1e300, -2.25e-5].randomElement(using: &random) ?? 0)
        case 4, 5:
            .text(["", "a", "B", "7", "true", "\u{1F600}", "é\"\\/\n", "zz"].randomElement(using: &random) ?? "")
        case 6, 7: .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in self.random(depth - 1, &random) })
        default:
            .object(
                Dictionary(
                    names.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
                        .map { ($0, self.random(depth - 1, &random)) }
                ) { first, _ in first })
        }
    }

    static let names = ["a", "b", "c d", "é", "x-1", "0", "it's"]

    /// A path of one to three steps, as text and as steps, that leads somewhere often.
    static func randomPath(
        _ random: inout some RandomNumberGenerator
    ) -> (text: String, steps: [any Sendable]) {
        var (text, steps): (String, [any Sendable]) = ("", [])
        for index in 0..<Int.random(in: 1...3, using: &random) {
            if Int.random(in: 0..<(index > 0 ? 2 : 8), using: &random) == 0 {
                let position = Int.random(in: 0..<3, using: &random)
                (text, steps) = (text + "[\(position)]", steps + [position])
            } else {
                let name = names.randomElement(using: &random) ?? "a"
                let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
                text += (index > 0 ? "." : "") + (isPlain ? name : "\"\(name)\"")
                steps.append(name)
            }
        }
        return (text, steps)
    }
}
