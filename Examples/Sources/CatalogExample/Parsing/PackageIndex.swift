/// What a package index holds.
struct PackageIndex {
    /// One package for each name and architecture, in the order of the index.
    var packages: [DebianPackage] = []

    /// How many packages were passed over because the index has a newer version of them.
    var supersededCount = 0
}
