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
}
