/// The version of a package, ordered as dpkg orders versions: deb-version(7).
///
/// ```swift
/// DebianVersion("1.0~rc1") < DebianVersion("1.0") // true
/// ```
struct DebianVersion {
    private let epoch: Substring
    private let upstream: Substring
    private let revision: Substring

    init(_ text: String) {
        var rest = text[...]
        if let colon = rest.firstIndex(of: ":") {
            epoch = rest[..<colon]
            rest = rest[rest.index(after: colon)...]
        } else {
            epoch = "0"
        }
        if let hyphen = rest.lastIndex(of: "-") {
            upstream = rest[..<hyphen]
            revision = rest[rest.index(after: hyphen)...]
        } else {
            upstream = rest
            revision = "0"
        }
    }
}

extension DebianVersion: Comparable {
    static func == (left: DebianVersion, right: DebianVersion) -> Bool {
        left.order(relativeTo: right) == 0
    }

    static func < (left: DebianVersion, right: DebianVersion) -> Bool {
        left.order(relativeTo: right) < 0
    }

    private func order(relativeTo other: DebianVersion) -> Int {
        for (left, right) in [(epoch, other.epoch), (upstream, other.upstream), (revision, other.revision)] {
            let order = Self.order(Array(left.utf8)[...], Array(right.utf8)[...])
            if order != 0 { return order }
        }
        return 0
    }

    /// Compares stretches without digits and numbers in turns, from the left.
    private static func order(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        var (left, right) = (left, right)
        while !left.isEmpty || !right.isEmpty {
            while left.first.isOtherThanDigit || right.first.isOtherThanDigit {
                let order = weight(left.popFirst(unless: \.isDigit)) - weight(right.popFirst(unless: \.isDigit))
                if order != 0 { return order }
            }
            let order = numberOrder(left.popNumber(), right.popNumber())
            if order != 0 { return order }
        }
        return 0
    }

    /// Letters come before everything else, and a tilde even before the end.
    private static func weight(_ byte: UInt8?) -> Int {
        switch byte {
        case nil: 0
        case UInt8(ascii: "~"): -1
        case let byte? where byte.isLetter: Int(byte)
        case let byte?: Int(byte) + 256
        }
    }

    /// Compares numbers of any length, which have no zeros in front.
    private static func numberOrder(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        if left.count != right.count { return left.count - right.count }
        return left.elementsEqual(right) ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func popFirst(unless isExcluded: (UInt8) -> Bool) -> UInt8? {
        guard let first, !isExcluded(first) else { return nil }
        return removeFirst()
    }

    /// Takes the digits at the beginning away, and returns them without zeros in front.
    fileprivate mutating func popNumber() -> ArraySlice<UInt8> {
        let digits = prefix(while: \.isDigit)
        removeFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }
}

extension UInt8? {
    fileprivate var isOtherThanDigit: Bool { map { !$0.isDigit } ?? false }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }
}
