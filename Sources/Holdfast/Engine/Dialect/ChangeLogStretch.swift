/// A part of the change log: what is after one position and before another.
@_spi(Driver) public struct ChangeLogStretch: Hashable, Sendable {
    /// The position after which it begins.
    public var position: String
    /// The number of the entry behind which it is read on; 0 if nothing of it was read yet.
    public var number: Int64 = 0
    /// The position where it ends; nil for that of now.
    public var end: String?
    /// The latest entry before `end`, or before `position` if there is no end; nil if that is not known.
    public var mark: ChangeLogMark?

    /// Creates one that begins after a position.
    public init(after position: String) { self.position = position }
}

/// An entry by which a log is recognized.
///
/// A database that is restored from a backup may number entries as it did before. It does not make two at one time.
@_spi(Driver) public struct ChangeLogMark: Hashable, Sendable {
    /// The number of the entry; 0 if there was none.
    public var number: Int64
    /// When it was made, in microseconds.
    public var at: Int64

    /// Creates the mark of an entry.
    public init(number: Int64, at: Int64) { (self.number, self.at) = (number, at) }
}

/// The reason for which a log can't be read on, by the number that queries have for it.
@_spi(Driver) public enum ChangeLogObstacle: Int64, Sendable {
    /// Entries of the stretch were trimmed.
    case trimmed = 1
    /// The log is of an older state than the stretch.
    case older = 2
    /// The log was written by another server.
    case foreign = 3
    /// The server is a copy of another, and does not know which transactions are open there.
    case standby = 4
}
