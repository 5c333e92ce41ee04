/// The values that a column admits, where a CHECK constraint keeps others out.
///
/// ```swift
/// enum Status: String, Storable, CaseIterable { case planned, running, done }
///
/// @Column(check: .cases) var status = Status.planned
/// // CONSTRAINT "holdfast_project_status_check" CHECK ("status" IN ('planned', 'running', 'done'))
/// ```
public enum ColumnCheck: Hashable, Sendable {
    /// The stored values of the cases of an enum, and NULL if the property is optional.
    case cases
}
