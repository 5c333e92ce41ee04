internal import CPostgres
import Synchronization

/// An owned `PGresult`.
// Unchecked: a result doesn't change after libpq handed it out, and is cleared once, by the last owner.
final class ServerResult: @unchecked Sendable {
    let raw: OpaquePointer

    init(_ raw: OpaquePointer) { self.raw = raw }

    /// Beyond so many bytes, the many blocks of a result take milliseconds to free.
    private static let largeSize = 4 << 20
    /// Whether one is being cleared aside: only one is, so that they don't pile up.
    private static let isClearing = Atomic<Bool>(false)

    // Unchecked: a result that nobody else owns any more.
    private struct Leftover: @unchecked Sendable { let raw: OpaquePointer }

    deinit {
        guard PQresultMemorySize(raw) > Self.largeSize,
            !Self.isClearing.exchange(true, ordering: .relaxed)
        else { return PQclear(raw) }
        let leftover = Leftover(raw: raw)
        Task.detached {
            PQclear(leftover.raw)
            Self.isClearing.store(false, ordering: .relaxed)
        }
    }

    var rowCount: Int32 { PQntuples(raw) }
    var columnCount: Int32 { PQnfields(raw) }

    /// The types of a statement's parameters, where it was described.
    var parameterTypes: [UInt32] { (0..<PQnparams(raw)).map { PQparamtype(raw, $0) } }

    /// The number of rows that an INSERT, UPDATE, DELETE, MERGE or COPY changed; 0 for anything else.
    var affectedRows: Int {
        let command = PQcmdStatus(raw)
        guard let command, let count = PQcmdTuples(raw), count.pointee != 0 else { return 0 }
        return switch UInt8(bitPattern: command.pointee) {
        case UInt8(ascii: "I"), UInt8(ascii: "U"), UInt8(ascii: "D"), UInt8(ascii: "M"), UInt8(ascii: "C"):
            Int(atoll(count))
        default: 0
        }
    }

    /// The answer to a command, as the server tags it: `COMMIT`, `INSERT 0 1`.
    var commandTag: String { String(cString: PQcmdStatus(raw)) }

    /// A field of an error; see the constants of the shim.
    func field(_ code: Int32) -> String? {
        PQresultErrorField(raw, code).map { String(cString: $0) }
    }
}
