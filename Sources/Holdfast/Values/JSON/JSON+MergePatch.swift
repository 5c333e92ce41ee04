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
        // What no save will accept is given back, so that it is still refused then.
        guard let tree = try? tree() else { return self }
        guard let changes = try? patch.tree() else { return patch }
        return JSON(part: tree.merging(changes).text(), isChecked: false)
    }
}
