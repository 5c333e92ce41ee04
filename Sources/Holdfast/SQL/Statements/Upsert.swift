/// The effect of writing a row where one with its unique key exists.
struct Upsert: Hashable, Sendable {
    /// The properties of the unique key.
    let key: PropertyMask
    /// The properties that are set in the row that exists.
    let updated: PropertyMask
    /// The properties that are read back, because the row that exists may hold others.
    let returned: PropertyMask
    /// Whether it was asked for, so that the object becomes what its row is; else a struct is saved whole.
    let isExplicit: Bool
    /// What is computed of the row that exists and of the new one; nil if all is set to what the new one has.
    var changes: UpsertChanges?

    /// Whether nothing is to be known of the row that exists.
    var isSilent: Bool { isExplicit && returned.isEmpty }
}

extension TableDescription {
    /// Throws if there can be several rows that have the same in some properties.
    func requireUnique(_ key: PropertyMask) throws {
        let keys = uniqueKeys
        guard !keys.contains(key) else { return }
        func names(_ mask: PropertyMask) -> String {
            mask.indices.map { "\"\(self.properties[$0].name)\"" }.joined(separator: ", ")
        }
        throw DatabaseError(
            .syntax,
            "\(names(key)) of \(type) is no unique key, so there can be several rows like it. Unique keys: \(keys.map(names).joined(separator: "; ")).",
            table: table, properties: key.indices.map { self.properties[$0].name })
    }

    /// The primary key and the other unique keys.
    private var uniqueKeys: [PropertyMask] {
        [keyMask] + properties.indices.filter { properties[$0].isUnique }.map { PropertyMask([$0]) }
            + indexes.filter { $0.isUnique && $0.isPlain }.map {
                PropertyMask($0.properties.compactMap { index(ofProperty: $0) })
            }
    }
}
