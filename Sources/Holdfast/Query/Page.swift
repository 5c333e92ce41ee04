import Foundation

/// Some of the objects of a query, and where the next ones begin.
public struct Page<Model: TableObject> {
    /// The objects, at most as many as were asked for.
    public let objects: [Model]
    /// Where the next page begins; nil if there is none.
    public let next: PageCursor?
}

/// A place in the order of a query: after one of its objects, whatever comes or goes before it.
///
/// It holds what the object is ordered by, and its key; so it shows stored values to whoever gets its ``token``. It is
/// of use only for a query of the same order, on the same engine.
public struct PageCursor: Sendable, Hashable {
    let cells: [Cell]
    let bytes: [UInt8]

    init(_ row: ParameterBuffer) {
        cells = row.cells
        bytes = row.bytes
    }

    /// The cursor as a text of letters, digits, `-` and `_`: for a URL, say.
    public var token: String {
        var data = Data()
        for cell in cells {
            data.append(cell.kind.rawValue)
            withUnsafeBytes(of: cell.count.littleEndian) { data.append(contentsOf: $0) }
            withUnsafeBytes(of: cell.payload.littleEndian) { data.append(contentsOf: $0) }
        }
        data.append(contentsOf: bytes)
        let count = UInt8(truncatingIfNeeded: cells.count)
        return (Data([count]) + data).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The cursor that a token stands for; nil if it is none.
    ///
    /// The query that receives the cursor checks its contents.
    public init?(token: String) {
        var text = token.replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text).map(Array.init), let count = data.first.map(Int.init) else {
            return nil
        }
        let start = 1 + count * Self.cellSize
        guard data.count >= start else { return nil }
        let bytes = Array(data[start...])
        var cells: [Cell] = []
        var end = 0
        for index in 0..<count {
            let place = 1 + index * Self.cellSize
            func number(_ offset: Int, _ width: Int) -> UInt64 {
                data[(place + offset)..<(place + offset + width)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
            guard let kind = Cell.Kind(rawValue: data[place]), kind != .list else { return nil }
            let cell = Cell(kind: kind, count: UInt32(number(1, 4)), payload: number(5, 8))
            if cell.hasBytes {
                guard cell.payload == UInt64(end), Int(cell.count) <= bytes.count - end else { return nil }
                end += Int(cell.count)
                guard Self.isSound(bytes[(end - Int(cell.count))..<end], kind) else { return nil }
            } else {
                guard cell.count == 0, Self.isSound(cell) else { return nil }
            }
            cells.append(cell)
        }
        guard end == bytes.count else { return nil }
        self.cells = cells
        self.bytes = bytes
    }

    private static let cellSize = 13

    /// Whether a value of that kind can have these bytes.
    private static func isSound(_ bytes: ArraySlice<UInt8>, _ kind: Cell.Kind) -> Bool {
        switch kind {
        case .text, .json: !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
        case .decimal: String(decoding: bytes, as: UTF8.self).wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil
        case .uuid: bytes.count == 16
        default: true
        }
    }

    private static func isSound(_ cell: Cell) -> Bool {
        switch cell.kind {
        case .null: cell.payload == 0
        case .boolean: cell.payload <= 1
        case .real: !cell.real.isNaN
        default: true
        }
    }

    /// One of the values, by itself.
    func value(_ index: Int) -> ParameterBuffer {
        var row = ParameterBuffer(width: cells.count)
        row.cells = cells
        row.bytes = bytes
        var value = ParameterBuffer(width: 1)
        row.withRow(0) { value.append(copying: $0[index]) }
        return value
    }

    public static func == (left: PageCursor, right: PageCursor) -> Bool { left.token == right.token }

    public func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

extension Query {
    /// Some objects, from a place on: pages that neither repeat nor pass over an object, whatever is inserted or
    /// deleted between them.
    ///
    /// ```swift
    /// var cursor: PageCursor?
    /// repeat {
    ///     let page = try await db.query(Project.self).order { $0.name.ascending }.page(size: 50, after: cursor)
    ///     show(page.objects)
    ///     cursor = page.next
    /// } while cursor != nil
    /// ```
    ///
    /// An object whose place in the order changes meanwhile is seen where it is when its page is fetched. The database
    /// looks the place up by the values that the query orders by, so an index on them does for every page alike.
    ///
    /// - Parameters:
    ///   - size: The greatest number of objects, at least 1.
    ///   - cursor: The place; nil for the first page.
    /// - Throws: ``DatabaseError/Code/invalidValue`` for a cursor of another query;
    ///   ``DatabaseError/Code/unsupported`` for a query with a limit, an offset or `distinct`.
    public func page(size: Int, after cursor: PageCursor? = nil) async throws -> Page<Model> {
        let description = Model.ownDescription
        guard size > 0, size < Int.max else {
            throw DatabaseError(.invalidValue, "A page has 1 object or more, not \(size).", table: description.table)
        }
        guard specification.limit == nil, specification.offset == 0, specification.distinct.isEmpty else {
            throw DatabaseError(
                .unsupported, "A query with a limit, an offset or distinct objects has no pages.",
                table: description.table)
        }
        switch try access.kind {
        // In one snapshot, as the place has to be that of the object which was fetched.
        case .database(let core):
            return try await Database(core: core).read { try await on($0).pageOfSnapshot(size, cursor) }
        case .transaction: return try await pageOfSnapshot(size, cursor)
        }
    }

    private func pageOfSnapshot(_ size: Int, _ cursor: PageCursor?) async throws -> Page<Model> {
        var query = self
        let writer = QueryWriter(Model.ownDescription, dialect: try access.core.dialect)
        let criteria = try writer.criteria(specification.objectOrders)
        if let cursor { query.specification.conditions.append(try cursor.condition(criteria)) }
        // The place comes first, with the keys of the page: what the objects are fetched by afterwards is what was seen
        // then, whatever another transaction commits in between.
        let keyCount = Model.ownDescription.keyIndices.count
        let keyNodes = Model.ownDescription.keyIndices.map { index in
            QueryNode.path(QueryPath(scope: .root, [Model.ownDescription.properties[index].name]))
        }
        var seen = query
        seen.specification.conditions += Model.ownDescription.presence.conditions
        seen.specification.limit = size + 1
        let places = try await seen.run("page", { try $0.select(criteria.map(\.node) + keyNodes) }) { rows in
            var places = ParameterBuffer(width: criteria.count)
            var keys: [Key] = []
            while let cells = try rows.next() {
                for index in 0..<criteria.count { places.append(copying: cells[index]) }
                keys.append(Key(cells: cells + criteria.count, count: keyCount))
            }
            return (places, keys)
        }
        let (rows, keys) = places
        guard !keys.isEmpty else { return Page(objects: [], next: nil) }
        let next = keys.count > size ? PageCursor(rows.selecting([size - 1])) : nil
        query.specification.conditions.append(
            .isIn(.path(QueryPath(scope: .root)), keys.prefix(size).map { .key($0) }))
        if let next { query.specification.conditions.append(.not(try next.condition(criteria))) }
        return Page(objects: try await query.fetch(), next: next)
    }
}
