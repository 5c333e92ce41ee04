extension QueryWriter {
    /// The type of a percentile of numbers, which is a number, or of one of the values that there are.
    func percentileType(of argument: QueryNode?, isDiscrete: Bool) throws -> ValueType {
        let aggregate = QueryAggregate(
            kind: .function(isDiscrete ? .maximum : .standardDeviation), argument: argument)
        return try type(of: aggregate)
    }

    /// Writes a percentile.
    func percentile(
        _ fraction: Double, isDiscrete: Bool, of argument: QueryNode?, _ clauses: () throws -> String
    ) throws -> String {
        guard let argument, case let own = try type(of: argument), let type = own.type else {
            throw DatabaseError(.invalidValue, "A query computes an aggregate of a constant.")
        }
        let sql = try compared(argument, own, isTyped: true)
        let value = isDiscrete ? ordered(sql, type, own) : try unscaled(sql, own)
        var encoder = CellEncoder(width: 1)
        encoder.append(.real(fraction))
        let place = dialect.typed(bind(encoder.buffer), .double)
        guard let written = try dialect.percentile(place, of: value, isDiscrete: isDiscrete, clauses()) else {
            throw DatabaseError(.unsupported, "The engine computes no percentiles. Compute them in Swift.")
        }
        return written
    }
}
