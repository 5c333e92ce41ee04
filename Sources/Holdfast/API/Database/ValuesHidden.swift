/// A type that holds values of the database or secrets, of which neither `print`, `dump` and `Mirror` nor string
/// interpolation shows more than the type's name.
///
/// Whoever wants to see what is in it asks for that: ``Query/parameters(for:)``, ``SQLRow/decode(_:at:)``.
public protocol _ValuesHidden: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension _ValuesHidden {
    public var description: String { "\(Self.self)" }
    public var debugDescription: String { description }
    /// The parts that reflection may show: none, since they can have values.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

// Values by themselves.

extension Cell: _ValuesHidden {}
extension ParameterBuffer: _ValuesHidden {}
extension CellEncoder: _ValuesHidden {}
extension RowEncoder: _ValuesHidden {}
extension StoredRows: _ValuesHidden {}
extension CurrentRow: _ValuesHidden {}
extension Key: _ValuesHidden {}
extension JSONValue: _ValuesHidden {}
extension SQLRow: _ValuesHidden {}
extension PageCursor: _ValuesHidden {}
extension LoggedChange: _ValuesHidden {}
extension DatabaseNotification: _ValuesHidden {}

// Queries, with the values that they bind.

extension QueryNode: _ValuesHidden {}
extension QueryValue: _ValuesHidden {}
extension QueryValueList: _ValuesHidden {}
extension Condition: _ValuesHidden {}
extension QueryExpression: _ValuesHidden {}
extension QueryFragment: _ValuesHidden {}
extension Ordering: _ValuesHidden {}
extension Query: _ValuesHidden {}
extension QueryOptions: _ValuesHidden {}
extension Selection: _ValuesHidden {}
extension ValueSelection: _ValuesHidden {}
extension RowSelection: _ValuesHidden {}
extension SelectedNode: _ValuesHidden {}
extension Assignments: _ValuesHidden {}
extension Assignment: _ValuesHidden {}
extension RelationAssignment: _ValuesHidden {}
extension JSONAssignment: _ValuesHidden {}
extension Statement: _ValuesHidden {}
extension SQLFragment: _ValuesHidden {}
extension SQLQuery: _ValuesHidden {}

// Databases, with how they are opened, and what is kept for them.

extension DatabaseConfiguration: _ValuesHidden {}
extension Database: _ValuesHidden {}
extension DatabaseCore: _ValuesHidden {}
extension DatabaseAccess: _ValuesHidden {}
extension Transaction: _ValuesHidden {}
extension TransactionScope: _ValuesHidden {}
extension Session: _ValuesHidden {}
extension LiveResults: _ValuesHidden {}
