import Holdfast

/// What packages are about; its name is its key.
@Table
final class Section {
    @PrimaryKey let name: String

    init(name: String) { self.name = name }
}
