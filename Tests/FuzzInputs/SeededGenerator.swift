/// Numbers that are the same each time for a seed (splitmix64, by Sebastiano Vigna).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var result = state
        result = (result ^ (result >> 30)) &* 0xbf58_476d_1ce4_e5b9
        result = (result ^ (result >> 27)) &* 0x94d0_49bb_1331_11eb
        return result ^ (result >> 31)
    }
}

extension Array {
    /// One of the elements; of an empty array, an error of the program's.
    func random(using random: inout SeededGenerator) -> Element { self[Int.random(in: 0..<count, using: &random)] }
}
