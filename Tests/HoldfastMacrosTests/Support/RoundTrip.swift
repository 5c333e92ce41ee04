import Testing

@testable import Holdfast

/// What `model` becomes when it is encoded as a row, and the row is decoded again, without a database in between.
func roundTrip<Model: TableObject>(_ model: Model) throws -> Model {
    try withRow(of: model) { try Model.ownMapping.decode($0) }
}

/// Lends the row that `model` is encoded as, whole or as far as `mask` says.
func withRow<Model: TableObject, Result>(
    of model: Model,
    mask: PropertyMask? = nil,
    _ body: (borrowing Row) throws -> Result
) throws -> Result {
    let mapping = Model.ownMapping
    let description = mapping.description
    try description.validate()
    let mask = mask ?? description.fullMask
    var encoder = RowEncoder(description, mask: mask)
    try mapping.encode(model, &encoder)
    var columns = [ArrayColumn?](repeating: nil, count: description.properties.count)
    for array in encoder.arrays {
        let elements = array.encoder.buffer
        columns[array.property] = ArrayColumn(elements: elements, starts: array.starts + [elements.cells.count])
    }
    let arrays = ArrayValues(columns)
    return try encoder.cells.buffer.withRow(0) { cells in
        let base = try #require(cells.baseAddress)
        return try body(Row(cells: base, layout: description.layout(mask), arrays: arrays))
    }
}
