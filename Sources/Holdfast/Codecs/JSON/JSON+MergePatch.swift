extension JSON {
    /// The value with a merge patch of RFC 7396 applied: members of the patch replace those of the same name, members
    /// that are `null` there go away, objects are merged in turn, and whatever is no object replaces all.
    ///
    /// ```swift
    /// let old: JSON = ["name": "Ann", "city": "Bonn", "home": ["street": "Main St", "number": 7]]
    /// old.merging(["city": .null, "home": ["number": 8]])
    /// // {"home":{"number":8,"street":"Main St"},"name":"Ann"}
    /// ```
    public func merging(_ patch: JSON) -> JSON {
        // What no save will accept is still refused then.
        guard isAcceptable else { return self }
        guard let changes = patch.object else { return patch }
        var members = object ?? [:]
        for (name, change) in changes {
            members[name] = change.isNull ? nil : (members[name] ?? [:]).merging(change)
        }
        return JSON(members)
    }
}
