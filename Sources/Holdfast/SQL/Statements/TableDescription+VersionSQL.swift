/// The version of a row as statements count it up.
extension TableDescription {
    /// The column of the version.
    var versionColumn: String? { versionIndex.flatMap { properties[$0].columnName } }

    /// The version of a row that is counted up by SQL: NULL, which the column refuses, where its type holds no more.
    ///
    /// - Parameter column: The column, as it is to be written.
    func countedUp(_ column: String) -> String {
        let limit = versionLimit
        return limit == .max ? "\(column) + 1" : "CASE WHEN \(column) < \(limit) THEN \(column) + 1 END"
    }

    /// The greatest version.
    var versionLimit: Int64 {
        versionIndex.flatMap { properties[$0].columnType?.integers?.upperBound } ?? .max
    }

    /// The columns by which an update of some properties finds its rows: the key, and the version if that is counted
    /// up.
    func conditionColumns(_ mask: PropertyMask) -> [String] {
        guard let versionIndex, mask.contains(versionIndex), let versionColumn else { return keyColumns }
        return keyColumns + [versionColumn]
    }
}
