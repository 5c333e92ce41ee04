#if DEBUG
import Logging

/// Finds changed objects that a save leaves out, for a warning in debug builds.
final class ChangeFinder: SaveSink {
    private var changed: [Int: Int] = [:]

    /// Warns, once for each relation, of changed objects in arrays that a save of their owner passes over.
    ///
    /// - Parameter passedOver: Relations that the save does not follow, as the owner has them unchanged.
    func check(_ passedOver: PropertyMask, of node: NodeID) throws {
        let objects = graph.savedObjects[Int(node.table)]
        guard let tracker = objects.tracker(of: Int(node.index)), tracker.state == .persisted else { return }
        let mask = passedOver.subtracting(tracker.unloaded).subtracting(tracker.dirty)
        guard !mask.isEmpty else { return }
        changed = [:]
        try objects.visit(mask, of: Int(node.index), self)
        for (property, count) in changed {
            let (description, core) = (objects.description, graph.core)
            let name = description.properties[property].name
            guard core.warnings.isFirst(about: "changes left out in \(description.type).\(name)") else { continue }
            core.configuration.telemetry.logger.warning(
                "A save of an object leaves changed objects out that one of its arrays holds, as it does not own them. Save them themselves, or name the array: `scope: .following([\"\(name)\"])`.",
                metadata: ["relation": "\(description.type).\(name)", "changed": "\(count)"])
        }
    }

    override func meet<Model: TableObject>(element object: Model, at index: Int, in encoder: inout RowEncoder) throws {
        try graph.savedObjects(of: Model.self).changes?(object) { tracker in
            if tracker.state == .persisted, !tracker.dirty.isEmpty { changed[index, default: 0] += 1 }
        }
    }
}
#endif
