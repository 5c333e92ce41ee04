import Synchronization

/// The relations for which a warning about many objects was logged.
final class LargeLoads: Sendable {
    private let relations = Mutex<Set<String>>([])

    /// Whether a relation was not asked about before.
    func isFirst(_ relation: String) -> Bool { relations.withLock { $0.insert(relation).inserted } }
}

extension TableDescription {
    /// The error about a load of the type that brings more objects than the configuration allows.
    func tooManyObjects(
        _ maximum: Int, relation: (owner: TableDescription, relation: Relation)?
    ) -> DatabaseError {
        let cause = relation.map { ", most of them through \"\($0.relation.name)\" of \($0.owner.type)" } ?? ""
        let remedy =
            relation == nil
            ? "Ask for fewer, or stream them" : "Mark that relation .onDemand, or load with a depth"
        return DatabaseError(
            .unsupported,
            "A load of \(type) brings more than \(maximum) objects\(cause); `maximumObjectsPerLoad` allows no more. \(remedy).",
            table: table, properties: relation.map { [$0.relation.name] } ?? [])
    }
}
