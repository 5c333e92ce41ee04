internal import CPostgres
@_spi(Driver) import Holdfast

/// A statement as a session knows it once it is prepared, or is about to.
final class PreparedStatement: Sendable {
    let key: PreparedStatements.Key
    /// Its name in the session; empty where it isn't kept.
    let name: String
    /// The types of its parameters, and how they travel.
    let oids: [UInt32]
    let types: [WireType]
    /// The limits of columns that hold only some values of their types; empty if all hold every value.
    let limits: [ValueLimit?]
    /// How many columns it returns for the sake of ``ColumnGuard``, after those that it was asked for.
    let guardCount: Int
    /// The name of the statement that goes in front of it for the sake of ``ColumnGuard``; nil if none does.
    let guardName: String?
    /// The command that is run behind it for the sake of ``ColumnGuard``; nil if nothing is.
    let comparison: StatementPlan.Command?
    let kind: BriefWaits.Kind
    /// The name as libpq takes it.
    private let bytesOfName: ContiguousArray<CChar>

    init(
        _ key: PreparedStatements.Key, of statement: Statement, name: String, oids: [UInt32], types: [WireType],
        limits: [ValueLimit?] = [], guardCount: Int = 0, guardName: String? = nil,
        comparison: StatementPlan.Command? = nil
    ) {
        self.key = key
        (self.limits, self.guardCount, self.guardName) = (limits, guardCount, guardName)
        self.comparison = comparison
        // A statement that writes but looks like a read only distorts the average time of reads.
        kind = statement.kind == .read ? .read : .write
        self.name = name
        self.oids = oids
        self.types = types
        bytesOfName = name.utf8CString
    }

    /// Its name, and that of what goes in front of it.
    var names: [String] { [name] + (guardName.map { [$0] } ?? []) }

    /// Sends a run of it with a row of parameters.
    ///
    /// - Returns: What libpq returned; or, with nothing sent, the value that can't be.
    func send(
        _ session: OpaquePointer, _ parameters: ParameterBuffer, row: Int, _ encoder: inout ParameterEncoder
    ) -> (status: Int32, failure: ParameterEncoder.Failure?) {
        bytesOfName.withUnsafeBufferPointer { name in
            encoder.send(parameters, row: row) { values, lengths, formats in
                let count = Int32(truncatingIfNeeded: parameters.width)
                return PQsendQueryPrepared(session, name.baseAddress, count, values, lengths, formats, 1)
            }
        }
    }
}
