import Holdfast

/// The state of a project, of which the raw value is stored.
enum ProjectStatus: String, Storable, CaseIterable {
    case planned, running, paused, done
}
