/// One row, as a model's `init` reads it: properties by position, decoded from the driver's cells where they are.
///
/// It is lent for the duration of a call, and can't be kept.
public struct Row: ~Copyable {
    @usableFromInline var cells: UnsafePointer<Cell>
    @usableFromInline let slots: UnsafePointer<Int32>
    @usableFromInline let propertyCount: Int
    @usableFromInline let layout: RowLayout
    @usableFromInline let arrays: ArrayValues?
    @usableFromInline let related: RelatedObjects?
    /// Where the originals go of what the objects can change in place; nil if none are kept.
    @usableFromInline let kept: KeptOriginals?
    /// Where the row is among those that ``arrays`` and ``related`` belong to.
    @usableFromInline var position: Int

    @inlinable
    init(
        cells: UnsafePointer<Cell>, layout: RowLayout, arrays: ArrayValues? = nil, related: RelatedObjects? = nil,
        position: Int = 0, keeping kept: KeptOriginals? = nil
    ) {
        self.cells = cells
        self.slots = UnsafePointer(layout.slots)
        self.propertyCount = layout.propertyCount
        self.layout = layout
        self.arrays = arrays
        self.related = related
        self.position = position
        self.kept = kept
    }

    /// The value of the property at `index`.
    ///
    /// - Parameters:
    ///   - type: The property's type.
    ///   - index: The position among the mapped properties, from 0.
    ///   - storage: How its column lays the value out.
    /// - Throws: ``DatabaseError/Code/decoding``, with table and property, if the stored value does not fit.
    @inlinable
    public func decode<Value: PropertyValue>(
        _ type: Value.Type = Value.self, at index: Int, storage: ValueStorage = .native
    ) throws -> Value {
        do {
            let value = try Value._read(self, index, storage)
            if let kept, let original = Value._inPlaceOriginal(value, at: index, evenIfEmpty: false) {
                kept.add(original)
            }
            return value
        } catch {
            throw failure(error, at: index)
        }
    }

    /// Whether the row has a value for the property at `index`; a value can be NULL.
    @inlinable
    public func contains(_ index: Int) -> Bool {
        precondition(index >= 0 && index < propertyCount, "A mapping reads properties from 0 up to its own count.")
        return slots[index] != -1
    }

    @inlinable
    func cell(of index: Int) throws -> Cell {
        precondition(index >= 0 && index < propertyCount, "A mapping reads properties from 0 up to its own count.")
        let slot = slots[index]
        guard slot >= 0 else { throw RowFault.notLoaded }
        return cells[Int(slot)]
    }

    @inlinable
    func isNull(_ index: Int) -> Bool {
        precondition(index >= 0 && index < propertyCount, "A mapping reads properties from 0 up to its own count.")
        let slot = slots[index]
        return slot >= 0 && cells[Int(slot)].isNull
    }

    /// Whether the array at `index` is there: false only where its column on the owner says that it is nil.
    func isPresent(_ index: Int) -> Bool {
        let slot = slots[index]
        // In one column, it is there unless that is NULL.
        return slot < 0 || cells[Int(slot)].payload == 1 || cells[Int(slot)].hasBytes
    }

    /// Calls `body` with the cells of the elements of an array of values, and what is to be added to a payload that
    /// points at bytes.
    @inlinable
    func withElements<Result>(
        of index: Int, _ body: (UnsafeBufferPointer<Cell>, _ base: UInt64) throws -> Result
    ) throws -> Result {
        guard contains(index), let column = arrays?.arrayColumns[index] else { throw RowFault.notLoaded }
        return try column.withElements(ofRow: position, body)
    }

    /// The keys in an array of lazy references.
    func elementKeys(of index: Int) throws -> [Key] {
        guard contains(index), let arrays else { throw RowFault.notLoaded }
        return try arrays.keys(of: index, row: position)
    }

    @usableFromInline
    func failure(_ error: any Error, at index: Int) -> DatabaseError {
        let name = layout.propertyNames[index]
        let sentence: String
        switch error {
        case let error as DatabaseError: return error
        case RowFault.notLoaded:
            return DatabaseError(
                .notLoaded, "\"\(name)\" of \"\(layout.table)\" is not part of this row. Fetch it too.",
                table: layout.table, properties: [name])
        case let mismatch as CellMismatch: sentence = mismatch.sentence
        default: sentence = "was refused by the conversion to the property's type"
        }
        return DatabaseError(
            .decoding, "The stored value of \"\(name)\" in table \"\(layout.table)\" \(sentence).",
            table: layout.table, properties: [name])
    }
}

/// Why a row has no value to decode.
@usableFromInline
enum RowFault: Error {
    case notLoaded
}

extension Row {
    /// The object that the row leads to by a relation.
    @inlinable
    func relatedObject<Model>(at index: Int) throws -> Model {
        guard let object = related?.column(index, of: Model.self)?.object(row: position) else {
            throw RowFault.notLoaded
        }
        return object
    }

    /// The objects that the row leads to by a relation: none where they were not loaded, or are linked later.
    @inlinable
    func relatedObjects<Model>(at index: Int) -> [Model] {
        related?.column(index, of: Model.self)?.objects(row: position) ?? []
    }

    /// Whether there is an object to be had: not where it was not loaded, or is linked later.
    @inlinable
    func hasRelatedObject(at index: Int) -> Bool { related?.relatedColumns[index]?.hasObject(row: position) ?? false }

    /// The key that the columns of a reference hold; nil if they are NULL.
    func referenceKey(at index: Int, width: Int) throws -> Key? {
        precondition(index >= 0 && index < propertyCount, "A mapping reads properties from 0 up to its own count.")
        let slot = slots[index]
        guard slot >= 0 else { throw RowFault.notLoaded }
        let first = cells + Int(slot)
        for part in 0..<width where first[part].isNull { return nil }
        return Key(cells: first, count: width)
    }
}

/// Rows that lie one after the other, and what belongs to them.
@usableFromInline
struct RowRun {
    @usableFromInline let base: UnsafePointer<Cell>
    @usableFromInline let width: Int
    @usableFromInline let rows: Range<Int>
    /// Rows that are passed over.
    @usableFromInline let skipped: Set<Int>
    @usableFromInline let layout: RowLayout
    @usableFromInline let arrays: ArrayValues?
    @usableFromInline let related: RelatedObjects?
    /// Where the originals go of what objects can change in place; nil if none are kept.
    @usableFromInline let kept: KeptOriginals?

    /// Rows without arrays and relations.
    init(base: UnsafePointer<Cell>, width: Int, layout: RowLayout) {
        self.base = base
        self.width = width
        rows = 0..<0
        skipped = []
        self.layout = layout
        arrays = nil
        related = nil
        kept = nil
    }

    init(
        _ stored: StoredRows, rows: Range<Int>, skipped: Set<Int> = [], layout: RowLayout, arrays: ArrayValues?,
        related: RelatedObjects?, keeping kept: KeptOriginals? = nil
    ) {
        base = stored.row(0)
        width = stored.width
        self.rows = rows
        self.skipped = skipped
        self.layout = layout
        self.arrays = arrays
        self.related = related
        self.kept = kept
    }

    @inlinable
    func isSkipped(_ row: Int) -> Bool { !skipped.isEmpty && skipped.contains(row) }

    /// A row to be moved: what it holds is then not retained for each.
    @inlinable
    var row: Row { Row(cells: base, layout: layout, arrays: arrays, related: related, keeping: kept) }

    @inlinable
    func move(_ row: inout Row, to position: Int) {
        row.cells = base + position * width
        row.position = position
    }
}
