/// Setting and reading the relations of single objects.
extension SavedObjects {
    func assign(_ values: RelationValues, to index: Int) throws {
        let (mapping, position) = (plan.mapping, values.isByIndex ? index : 0)
        try withoutSpecialization(&objects[index]) { object in
            try withUnsafePointer(to: Cell.null) { empty in
                try mapping.assign(
                    &object,
                    Row(cells: empty, layout: values.layout, related: values.related, position: position))
            }
        }
        store?.objects[index] = objects[index]
    }

    func capture(_ property: Int, of index: Int) -> () -> Void {
        let object = objects[index]
        let restore = plan.mapping.accessors[property].capture(object)
        return {
            var object = object
            restore(&object)
        }
    }

    func keepOriginals(of properties: PropertyMask, _ index: Int) {
        plan.mapping.keepOriginals(of: objects[index], properties)
    }

    func column(leadingTo index: Int) -> RelatedColumn {
        let store = ObjectStore<Model>()
        store.objects = [objects[index]]
        return TypedRelatedColumn(RelatedRowIndices(targets: [0]), store: store)
    }

    func column(_ positions: RelatedRowIndices) -> RelatedColumn {
        let store = store ?? ObjectStore<Model>()
        if self.store == nil {
            store.objects = objects
            self.store = store
        }
        return TypedRelatedColumn(positions, store: store)
    }

    func encoded(_ properties: PropertyMask, of indices: [Int]) throws -> RowEncoder {
        var encoder = RowEncoder(description, mask: properties, sink: graph.linkEncoder)
        for index in indices {
            graph.linkEncoder.begin(NodeID(table: table.tableIndex, index: index), into: nil)
            try plan.mapping.encode(objects[index], &encoder)
        }
        return encoder
    }

    /// Notes what was taken out of the relations that the other side keeps.
    func noteTakenOut(_ batch: SaveBatch, _ links: [ArrayLinks], _ entries: [SaveBatch.Entry]) {
        for links in links where description.columns.inverseMask.contains(links.property) {
            var taken: Set<ElementKey>? = []
            for (row, entry) in entries.enumerated() {
                guard let before = tracker(of: entry.index)?.inverses?[links.property] else {
                    taken = nil
                    break
                }
                let now = links.elements(ofRow: row).map { element in links.keys.withRow(element) { ElementKey($0) } }
                taken?.formUnion(before.subtracting(now))
            }
            batch.takenOut[links.property] = .some(taken)
        }
    }
}
