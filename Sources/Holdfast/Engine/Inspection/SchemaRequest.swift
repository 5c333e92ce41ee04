/// The part of a database that a driver is asked to describe.
@_spi(Driver) public enum SchemaRequest: Hashable, Sendable {
    /// All tables, views and types of a schema.
    ///
    /// - Parameters:
    ///   - schema: Its name; nil for the one in which tables are made.
    ///   - includingSizes: Whether tables are measured.
    case all(of: String?, includingSizes: Bool)
    /// Some tables and views of the schema in which tables are made, by their exact names; those that don't exist are
    /// left out.
    ///
    /// It is what changes of them are planned by: with what a plan needs to know besides, such as
    /// ``DatabaseSchema/Table/hasRows``, but without sizes, estimates, types, and the queries of views, which might
    /// wait for a lock.
    case tables([String])
}
