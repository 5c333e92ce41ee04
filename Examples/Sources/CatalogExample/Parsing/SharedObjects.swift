/// The maintainers and the sections of an index, one object for each.
struct SharedObjects {
    private var maintainers: [ByteString: Maintainer] = [:]
    private var sections: [ByteString: Section] = [:]

    /// The maintainer with that name and address, made at first sight.
    mutating func maintainer(_ contact: String) -> Maintainer {
        if let maintainer = maintainers[ByteString(contact)] { return maintainer }
        let maintainer = Maintainer(contact: contact)
        maintainers[ByteString(contact)] = maintainer
        return maintainer
    }

    /// The section of that name, made at first sight.
    mutating func section(_ name: String) -> Section {
        if let section = sections[ByteString(name)] { return section }
        let section = Section(name: name)
        sections[ByteString(name)] = section
        return section
    }
}
