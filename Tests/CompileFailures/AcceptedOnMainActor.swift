// swift-format-ignore-file
// flags: -default-isolation MainActor -enable-upcoming-feature NonisolatedNonsendingByDefault
import Foundation
import Holdfast

// Where everything is isolated to the main actor unless it says otherwise, models still are not.

@Table final class Project {
    var id: Int64?
    var name = ""
    var tags: [String] = []
    func willSave() throws { name = name.lowercased() }
    func rename() { name = "new" }
}

@Table nonisolated struct Point {
    let id: UUID
    var x = 0.0
}

@Table class Animal {
    var id: Int64?
    var name = ""
}

@Table(inherits: Animal.self) final class Mammal: Animal {
    var legs: Int
    init(legs: Int) {
        self.legs = legs
        super.init()
    }
    override func willSave() throws { legs += 1 }
}

final class Screen {
    let project = Project()
    func edit() {
        project.name = "x"
        project.rename()
    }
}

nonisolated func make() -> Project {
    let project = Project()
    project.name = "made"
    return project
}

nonisolated func keep<Model: TableObject>(_ type: Model.Type) -> String { type.tableMapping.description.table }
nonisolated let tables = keep(Project.self) + keep(Point.self) + keep(Mammal.self)
