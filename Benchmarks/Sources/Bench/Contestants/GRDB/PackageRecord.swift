import Floor
import Foundation
import GRDB

struct PackageRecord: Sendable {
    var name: String
    var architecture: String
    var version: String
    var status: String?
    var priority: String?
    var sectionName: String?
    var maintainerID: Int64?
    var homepage: URL?
    var installedSize: Int64?
    var isEssential: Bool
    var summary: String?
    var description: String?
}

extension PackageRecord {
    init(_ data: FloorPackage) {
        name = String(data.name)
        architecture = String(data.architecture)
        version = String(data.version)
        priority = String(data.priority)
        sectionName = String(data.section.pointee)
        homepage = URL(string: String(data.homepage))
        installedSize = data.installed_size
        isEssential = data.is_essential
        summary = String(data.summary)
    }
}

extension PackageRecord: PersistableRecord {
    static let databaseTableName = "package"

    func encode(to container: inout PersistenceContainer) {
        container["name"] = name
        container["architecture"] = architecture
        container["version"] = version
        container["status"] = status
        container["priority"] = priority
        container["section_name"] = sectionName
        container["maintainer_id"] = maintainerID
        container["homepage"] = homepage?.absoluteString
        container["installed_size"] = installedSize
        container["is_essential"] = isEssential
        container["summary"] = summary
        container["description"] = description
    }
}
