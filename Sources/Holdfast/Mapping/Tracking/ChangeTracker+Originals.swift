/// The originals: what properties held before they were marked, or changed in place.
extension ChangeTracker {
    /// Keeps an original, in place of another one of its property.
    mutating func keep(_ original: OriginalValue) {
        if !originals.isEmpty { dropOriginal(of: Int(original.index)) }
        originals.add(original)
    }

    @usableFromInline
    mutating func dropOriginal(of index: Int) { originals.take { $0 == index } }

    /// Lets go of the objects that the original of a relation holds: only their keys are still needed.
    @usableFromInline
    mutating func releaseObjects(of index: Int) {
        if let original = originals[index] { keep(original.withoutObjects) }
    }

    /// Has properties count as changed if they are marked, whatever they hold.
    mutating func forgetOriginals(of mask: PropertyMask) {
        guard !mask.isEmpty else { return }
        originals.take(where: mask.contains)
        // An array without an original counts as having been empty, so each property gets an original that equals
        // nothing.
        mask.forEach { originals.add(OriginalValue(at: $0)) }
    }

    /// Restores originals that were taken out, in place of later ones.
    ///
    /// - Parameters:
    ///   - mask: The properties that they were taken of.
    ///   - taken: The originals.
    mutating func restoreOriginals(of mask: PropertyMask, _ taken: OriginalValues) {
        // For an inserted object, the originals of all properties were taken out, not only those of marked ones.
        if !originals.isEmpty { originals.take { mask.contains($0) || taken.contains($0) } }
        if taken.smallIndex >= 0 { originals.add(taken.small, at: Int(taken.smallIndex)) }
        var next = taken.list
        while let original = next {
            next = original.next
            originals.add(original)
        }
        if !mask.isEmpty { isUncertain = true }
    }
}

extension TableMapping {
    /// Takes back the marks of properties that hold again what they held when the object was loaded or last saved.
    func settle(_ model: Model) { changes?(model) { settle(model, &$0) } }

    /// Takes back the marks of properties that hold again what they held when the object was loaded or last saved.
    ///
    /// A property that was not loaded has no original, unless it is a reference. And if the version was set, as after a
    /// conflict, the row is another one than what was loaded: everything that was set counts.
    func settle(_ model: Model, _ tracker: inout ChangeTracker) {
        guard tracker.isUncertain, tracker.state == .persisted, !tracker.dirty.isEmpty else { return }
        tracker.takeReplaced(description)
        var same = PropertyMask()
        var settled = tracker.dirty.subtracting(tracker.unloaded)
        if !tracker.knowsDeletions {
            // A deletion took its object out of relations in the database, so a relation that holds such an object
            // again has changed.
            for relation in description.columns.relations
            where relation.target.description.latestDeletion.load() > tracker.latestDeletion {
                settled.subtract(PropertyMask(CollectionOfOne(relation.property)))
            }
        }
        settled.forEach { index in
            guard index < accessors.count,
                let original = tracker.originals[index] ?? accessors[index].inPlace?.empty()
            else { return }
            if original.isSame(as: accessors[index].original(model), in: description) { same.insert(index) }
        }
        tracker.isUncertain = false
        guard tracker.dirty.intersection(description.versionMask).subtracting(same).isEmpty else { return }
        tracker.dirty.subtract(same)
    }

    /// Keeps what arrays and the like hold, which are changed in place, as their originals.
    ///
    /// - Parameter mask: The properties that hold what the row does.
    func keepOriginals(of model: Model, _ mask: PropertyMask, _ tracker: inout ChangeTracker) {
        for index in inPlaceIndices where mask.contains(index) {
            if let original = accessors[index].inPlace?.original(model) {
                tracker.keep(original)
            } else if !tracker.originals.isEmpty {
                tracker.dropOriginal(of: index)
            }
        }
    }

    /// Keeps what the arrays and the like of an object hold that was loaded.
    func keepOriginals(of model: Model) {
        guard !inPlaceIndices.isEmpty else { return }
        changes?(model) { keepOriginals(of: model, description.fullMask.subtracting($0.unloaded), &$0) }
    }

    /// Keeps what arrays and the like hold, now that they were set to what the row holds.
    ///
    /// - Parameter mask: The properties that were set; those that are marked keep their originals.
    func keepOriginals(of model: Model, _ mask: PropertyMask) {
        guard inPlaceIndices.contains(where: mask.contains) else { return }
        changes?(model) { keepOriginals(of: model, mask.subtracting($0.dirty), &$0) }
    }
}
