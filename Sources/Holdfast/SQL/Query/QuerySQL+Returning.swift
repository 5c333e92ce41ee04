/// What a statement that changes rows returns of them.
enum ReturnedValues {
    case nothing
    /// The columns of the objects, as a load selects them.
    case objects
    case values([QueryNode])
}

extension QuerySQL {
    /// The clause by which a statement that changes rows returns something of them.
    ///
    /// ` RETURNING "id", "name"`
    func returning(_ returned: ReturnedValues, _ writer: QueryWriter) throws -> String {
        // In this clause, engines know the table by its name alone.
        let name = dialect.quoted(description.tableName.name)
        switch returned {
        case .nothing: return ""
        case .objects:
            let mask = specification.scope.properties == nil ? nil : try specification.scope.mask(of: description)
            return writer.timed { dialect in
                let columns =
                    mask.map { description.selectedColumns($0, from: name, isQualified: false, dialect) }
                    ?? description.loadedColumns(from: name, isQualified: false, dialect)
                return dialect.returning(columns)
            }
        case .values(let nodes):
            let target = QueryObject(description, source: QuerySource(name), alias: name)
            if nodes.contains(where: \.leavesItsRow) { throw returnsOthers }
            let values = try writer.withRoot(target) { try nodes.map { try writer.selected($0) } }
            guard target.source.sql == name else { throw returnsOthers }
            return dialect.returning(values)
        }
    }

    private var returnsOthers: DatabaseError {
        DatabaseError(
            .unsupported,
            "A change by a query returns something that is not in the changed rows themselves: of a relation, an array or several rows. Return the key, and select that by it.",
            table: description.table)
    }

    /// Reads values of the objects and, behind them, their primary keys, and locks their rows.
    func valuesAndKeys(_ nodes: [QueryNode]) throws -> Rendering {
        guard !nodes.contains(where: \.hasAggregate) else { throw returnsOthers }
        let found = try render { writer in
            let values = try nodes.map { try writer.selected($0) }
            return (values + writer.root.key(writer)).joined(separator: ", ")
        }
        return (found.sql + (try changeLock), found.parameters)
    }

    /// Reads the columns of the objects as ``select()`` does, and locks their rows.
    func selectToChange() throws -> Rendering {
        let mask = specification.scope.properties == nil ? nil : try specification.scope.mask(of: description)
        let found = try ofGiven.render { $0.root.columnList(mask, $0) }
        return (found.sql + (try changeLock), found.parameters)
    }
}

extension QueryNode {
    /// Whether a part of it asks for other rows, or for several: no statement that changes a row can return it alike on
    /// every engine.
    var leavesItsRow: Bool {
        switch self {
        case .aggregate, .window, .subquery, .exists, .isInQuery, .isHeld, .hasElement, .elementCount,
            .elementAggregate:
            true
        case .text: true
        default: children.contains(where: \.leavesItsRow)
        }
    }
}
