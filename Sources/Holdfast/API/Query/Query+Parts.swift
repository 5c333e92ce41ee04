extension Query {
    /// Loads only some properties, besides the key and the timestamps.
    ///
    /// ```swift
    /// let projects = try await db.query(Project.self).properties(\.name, \.lead).fetch()
    /// ```
    ///
    /// The other properties have the values of a new object; `isLoaded` returns false for them. Setting one of them and
    /// saving throws, a save never overwrites them, and `reload` loads them all, but for what is loaded on demand.
    /// Name a column that is loaded on demand to load it with the objects. Objects of the same type that are
    /// reached through relations load the same properties, but for columns that are loaded on demand, which only what
    /// the query itself selects gets. A relation is followed if it is among the properties, or
    /// named by ``including(_:)``.
    ///
    /// When it runs, the query throws ``DatabaseError/Code/invalidValue`` if you leave out a property that is neither
    /// optional nor has a default, and ``DatabaseError/Code/unsupported`` for a struct, which can't remember missing
    /// properties.
    public func properties(_ properties: PartialKeyPath<Model>...) -> Query {
        let description = Model.ownDescription
        do {
            return self.properties(
                try properties.map { description.properties[try description.requiredIndex(of: $0)].name })
        } catch {
            return changed { $0.failure = error as? DatabaseError }
        }
    }

    /// Loads only the properties with these names, besides the key and the timestamps.
    ///
    /// ```swift
    /// .properties(["name", "lead"])    // SELECT t0."id", t0."name", t0."lead_id" …
    /// ```
    public func properties(_ names: [String]) -> Query { changed { $0.scope.properties = names } }

    /// Loads only the key, the timestamps, and properties without which no object can be created.
    ///
    /// ```swift
    /// let keys = try await db.query(Project.self).sparse().fetch().map(\.id)
    /// ```
    public func sparse() -> Query {
        let description = Model.ownDescription
        return properties(description.properties.filter { !$0.canBeLeftOut }.map(\.name))
    }

    /// Loads relations that would not be loaded otherwise, given by their paths: those that are loaded on demand, such
    /// as arrays with `inverse:`, and those beyond the depth.
    ///
    /// ```swift
    /// .including(["related.lead"])
    /// ```
    ///
    /// They replace the paths that were named before, but not what a closure has chosen.
    public func including(_ paths: RelationPaths) -> Query {
        changed { $0.scope.including = paths.merged(with: $0.scope.including.ofParts) }
    }

    /// Loads relations that would not be loaded otherwise, given by their properties.
    ///
    /// ```swift
    /// .including(\.related, \.lead)
    /// ```
    ///
    /// When it runs, the query throws ``DatabaseError/Code/invalidValue`` for a property that is not a relation.
    public func including(_ relation: PartialKeyPath<Model>, _ others: PartialKeyPath<Model>...) -> Query {
        let description = Model.ownDescription
        do {
            let names = try ([relation] + others).map {
                description.properties[try description.requiredIndex(of: $0)].name
            }
            return including(RelationPaths(names))
        } catch {
            return changed { $0.failure = error as? DatabaseError }
        }
    }

    /// Leaves out objects with a stored value that does not fit its property, which would be an error otherwise.
    ///
    /// ```swift
    /// let readable = try await db.query(Project.self).omittingUnreadable().fetch()
    /// // warning: Objects were left out, … table=project count=2
    /// ```
    ///
    /// As with ``OmitIfMissing()``, an object that references an omitted object is left out too, and arrays leave out
    /// omitted elements; saving their owners loses nothing. The number for each table is logged as a `warning`, without
    /// values. ``count(fileID:line:)``, ``exists(fileID:line:)`` and ``keys(fileID:line:)`` don't read the values, and
    /// count these objects.
    public func omittingUnreadable() -> Query { changed { $0.scope.omitsUnreadable = true } }

    /// Limits the number of levels of relations that are followed; nil for all.
    ///
    /// ```swift
    /// .depth(1)    // projects with their leads, but not the leads' own relations
    /// ```
    public func depth(_ depth: Int?) -> Query { changed { $0.scope.depth = depth } }

    /// Sets the handling of keys without a target row, in a database whose foreign keys were not enforced.
    ///
    /// ```swift
    /// .missingTarget(.nil)    // the property is nil; an error otherwise
    /// ```
    public func missingTarget(_ missingTarget: MissingTarget) -> Query {
        changed { $0.scope.missingTarget = missingTarget }
    }
}
