// Numbers as text, the same in every locale.

extension BinaryInteger {
    /// The number with commas between thousands: `63,440`.
    var grouped: String {
        var digits = String(magnitude)
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits = String(digits.dropLast(3))
        }
        return (self < 0 ? "-" : "") + ([digits[...]] + groups).joined(separator: ",")
    }
}

extension Int64 {
    /// A number of KiB with a fitting unit: `1.5 GiB`.
    var kibibytes: String {
        guard self >= 1024 else { return "\(self) KiB" }
        var (size, unit) = (Double(self) / 1024, "MiB")
        for larger in ["GiB", "TiB", "PiB", "EiB"] where size >= 1024 { (size, unit) = (size / 1024, larger) }
        return "\(size.rounded(to: 1)) \(unit)"
    }
}

extension Double {
    /// The number with that many digits after the point, at most.
    func rounded(to digits: Int) -> Double {
        let factor = (0..<digits).reduce(1.0) { factor, _ in factor * 10 }
        return (self * factor).rounded() / factor
    }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
