import Foundation

/// Some of the objects of a query, and the start of the next page.
public struct Page<Model: TableObject> {
    /// The objects, at most as many as were asked for.
    public let objects: [Model]
    /// The start of the next page; nil if there is none.
    public let next: PageCursor?
}

extension Page {
    /// The link to the next page, for an answer of a web service; nil on the last page.
    ///
    /// ```swift
    /// page.nextLink(from: "/projects?status=open&after=AQIB")    // "/projects?status=open&after=AQID…"
    /// ```
    ///
    /// - Parameters:
    ///   - link: The link to this page: path and query of the request. All other parameters stay as they are.
    ///   - parameter: The name of the parameter that has the ``PageCursor/token``.
    public func nextLink(from link: String, parameter: String = "after") -> String? {
        next.map { PageLink(link, without: parameter).text(adding: "\(parameter)=\($0.token)") }
    }
}

/// A position in the order of a query: behind one of its objects, whatever is inserted or deleted before it.
///
/// ```swift
/// let first = try await db.query(Project.self).order(\.name).page(size: 50)
/// let link = first.next?.token ?? ""                 // in a URL
/// let second = try await db.query(Project.self).order(\.name).page(size: 50, after: PageCursor(token: link))
/// ```
///
/// A cursor contains the values by which its object is ordered and the object's key, so its ``token`` reveals stored
/// values. It works only with a query for the same table in the same order, on the same engine; any other refuses it.
/// Conditions may change from page to page: the next page begins behind the same position.
public struct PageCursor: Sendable, Hashable {
    let cells: [Cell]
    let bytes: [UInt8]
    /// Tells the table and the order apart from others.
    let fingerprint: UInt32

    init(_ row: ParameterBuffer, _ fingerprint: UInt32) {
        cells = row.cells
        bytes = row.bytes
        self.fingerprint = fingerprint
    }

    /// The cursor as a text of letters, digits, `-` and `_`, suitable for URLs.
    public var token: String {
        var data = Data([Self.format])
        withUnsafeBytes(of: fingerprint.littleEndian) { data.append(contentsOf: $0) }
        data.append(UInt8(truncatingIfNeeded: cells.count))
        for cell in cells {
            data.append(cell.kind.rawValue)
            withUnsafeBytes(of: cell.count.littleEndian) { data.append(contentsOf: $0) }
            withUnsafeBytes(of: cell.payload.littleEndian) { data.append(contentsOf: $0) }
        }
        data.append(contentsOf: bytes)
        return data.base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Creates a cursor from a token; nil if it is invalid, or of a version of Holdfast that made others.
    ///
    /// The query that receives the cursor checks its contents.
    public init?(token: String) {
        var text = token.replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text).map(Array.init), data.count >= Self.headSize,
            data[0] == Self.format
        else { return nil }
        func number(_ start: Int, _ width: Int) -> UInt64 {
            data[start..<start + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let count = Int(data[Self.headSize - 1])
        let start = Self.headSize + count * Self.cellSize
        guard data.count >= start else { return nil }
        let bytes = Array(data[start...])
        var cells: [Cell] = []
        var end = 0
        for index in 0..<count {
            let cellStart = Self.headSize + index * Self.cellSize
            guard let kind = Cell.Kind(rawValue: data[cellStart]), kind != .list else { return nil }
            let cell = Cell(kind: kind, count: UInt32(number(cellStart + 1, 4)), payload: number(cellStart + 5, 8))
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
        fingerprint = UInt32(number(1, 4))
    }

    /// The first byte of every token: in those of earlier versions it was the number of values.
    private static let format: UInt8 = 0xF1
    /// The format, the fingerprint and the number of values.
    private static let headSize = 6
    private static let cellSize = 13

    /// Whether a value of that kind can have these bytes.
    private static func isSound(_ bytes: ArraySlice<UInt8>, _ kind: Cell.Kind) -> Bool {
        switch kind {
        case .text, .json: !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
        case .decimal: String(decoding: bytes, as: UTF8.self).wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil
        case .uuid: bytes.count == 16
        case .blob, .null, .boolean, .integer, .real, .timestamp, .list: true
        }
    }

    private static func isSound(_ cell: Cell) -> Bool {
        switch cell.kind {
        case .null: cell.payload == 0
        case .boolean: cell.payload <= 1
        case .real: !cell.real.isNaN
        case .integer, .timestamp, .text, .blob, .decimal, .uuid, .json, .list: true
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
    /// Fetches one page of objects.
    ///
    /// Pages neither repeat nor skip an object, whatever is inserted or deleted between them.
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
    /// An object that moves in the order is seen where it is when its page is fetched; of a query with `distinct`, or
    /// for the first of each group, so is one that takes the place of another. The database finds the start of a page
    /// by the values of the order, so an index on them makes every page equally fast. One statement reads the rows of a
    /// page, and others what they lead to:
    ///
    /// ```sql
    /// SELECT t0."id", t0."name", t0."name" FROM "project" AS t0
    /// WHERE t0."name" > $1 OR t0."name" = $2 AND t0."id" > $3 ORDER BY t0."name", t0."id" LIMIT 51
    /// ```
    ///
    /// - Parameters:
    ///   - size: The greatest number of objects, at least 1.
    ///   - cursor: The ``Page/next`` of the page before; nil for the first page.
    ///   - fileID: The caller's file, for errors and the log.
    ///   - line: The caller's line.
    /// - Throws: ``DatabaseError/Code/invalidValue`` for a cursor of another query;
    ///   ``DatabaseError/Code/unsupported`` for a query with a limit or an offset, and for one in a random order.
    public func page(
        size: Int, after cursor: PageCursor? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Page<Model> {
        var query = at(fileID, line)
        let (nodes, fingerprint) = try query.turn(size: size, after: cursor)
        query.specification.conditions += Model.ownDescription.presence.conditions
        let operation = try LoadOperation<Model>(try query.access, specification.scope)
        let (statement, parameters) = try await query.written { try $0.select(with: nodes) }
        let (objects, _, values) = try await operation.objects(
            statement, parameters, with: nodes.count, limit: size, by: try query.need(selecting: nodes),
            purpose: "page")
        return Page(objects: objects, next: values.ofLast.map { PageCursor($0, fingerprint) })
    }
    /// Begins behind a cursor, and ends one row after a page.
    ///
    /// - Returns: What is selected for the next cursor, and the number that tells the order apart from others.
    @_semantics("optimize.sil.specialize.generic.never")  // decision 0069
    mutating func turn(size: Int, after cursor: PageCursor?) throws -> (nodes: [QueryNode], fingerprint: UInt32) {
        let description = Model.ownDescription
        guard size > 0, size < Int.max else {
            throw DatabaseError(.invalidValue, "A page has 1 object or more.", table: description.table)
        }
        guard !specification.isCut else {
            throw DatabaseError(
                .unsupported, "A query with a limit or an offset has no pages.", table: description.table)
        }
        let writer = QuerySQL(
            specification: specification, description: description, dialect: try access.core.dialect
        ).makeWriter()
        let criteria = try writer.criteria(specification.objectOrders)
        guard !criteria.contains(where: { $0.node.isRandom }) else {
            throw DatabaseError(.unsupported, "A query in a random order has no pages.", table: description.table)
        }
        let fingerprint = try writer.fingerprint(criteria)
        if let cursor {
            guard cursor.fingerprint == fingerprint else { throw PageCursor.misfit }
            specification.place = try cursor.condition(criteria)
        }
        specification.limit = size + 1
        return (criteria.map(\.node), fingerprint)
    }
}
