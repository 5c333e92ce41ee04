internal import CPostgres
import Holdfast
import Synchronization

/// The known types of a database that are not the server's own: enums, domains, and those of extensions.
///
/// Shared by all connections of a driver: a type keeps its identity as long as it exists.
final class TypeCatalog: Sendable {
    struct Entry: Sendable {
        /// The type's name, as SQL writes it.
        var name: String
        var format: WireType
    }

    private let entries = Mutex<[UInt32: Entry]>([:])

    /// The format of a type; nil if it has to be asked for.
    func format(_ oid: UInt32) -> WireType? {
        let format = WireType(oid)
        guard case .other = format else { return format }
        return entries.withLock { $0[oid]?.format }
    }

    /// A type's name for people.
    func name(_ oid: UInt32) -> String {
        entries.withLock { $0[oid]?.name } ?? "of oid \(oid)"
    }

    /// Takes up rows of oid, typtype, typcategory, typbasetype, name and typelem.
    ///
    /// - Returns: The types that have to be asked for before some of those that were `asked` are known.
    func learn(from result: ServerResult, asked: Set<UInt32>) -> Set<UInt32> {
        var missing = asked
        var bases: Set<UInt32> = []
        for row in 0..<result.rowCount {
            func oid(_ column: Int32) -> UInt32 {
                let bytes = UnsafeRawBufferPointer(start: PQgetvalue(result.raw, row, column), count: 4)
                return UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
            }
            func letter(_ column: Int32) -> Character {
                Character(UnicodeScalar(UInt8(bitPattern: PQgetvalue(result.raw, row, column).pointee)))
            }
            let name = String(cString: PQgetvalue(result.raw, row, 4))
            let base = oid(3)
            var format = WireType.other(oid(0))
            switch (letter(1), letter(2)) {
            // An enum's binary form is its label's text; so is that of an extension's text type.
            case ("e", _), ("b", "S"): format = .text
            case ("d", _):
                guard let known = self.format(base) else {
                    // Ask for the base first, and then for this again.
                    bases.formUnion([base, oid(0)])
                    continue
                }
                format = known
            case ("b", "A"):
                let element = oid(5)
                guard let known = self.format(element) else {
                    bases.formUnion([element, oid(0)])
                    continue
                }
                if known == .text { format = .array(element: element, isText: true) }
            default: break
            }
            entries.withLock { $0[oid(0)] = Entry(name: name, format: format) }
            missing.remove(oid(0))
        }
        // What isn't there any more is not asked for again.
        for oid in missing.subtracting(bases) {
            entries.withLock { $0[oid] = Entry(name: "of oid \(oid)", format: .other(oid)) }
        }
        return bases
    }
}
