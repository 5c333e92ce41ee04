import Holdfast

/// What packages are about, such as `utils` or `non-free/libs`.
///
/// Its name is its key: packages refer to it by the column `section_name`.
@Table
final class Section {
    @PrimaryKey let name: String

    init(name: String) { self.name = name }
}
