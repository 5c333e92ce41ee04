@_spi(Driver) extension Dialect {
    public func quoted(_ table: TableName) -> String {
        (table.schema.map { quoted($0) + "." } ?? "") + quoted(table.name)
    }
}
