import Holdfast

/// Somebody who leads projects, works on them, and attends meetings.
///
/// The table is logged, so that a page which one instance of the service shows follows what another one saves.
@Table(log: true)
final class Person {
    var id: Int64?
    @Indexed var name: String
    @Unique var email: String
    /// Counted up by each update, so that nobody overwrites what somebody else has saved meanwhile.
    @Version var version = 0

    init(name: String, email: String) {
        self.name = name
        self.email = email
    }
}
