// swift-format-ignore-file
// flags: -swift-version 5
import Foundation
import Holdfast

@Table public final class Project: Codable {
    public var id: Int64?
    @Unique public var code: String?
    public var tags: [String] = []
    public var observed = 0 { didSet { code = "\(oldValue)" } }
    @Transient public var draft = ""
    public init() {}
}

@Table open class Animal {
    public var id: Int64?
    public init() {}
}

@Table(inherits: Animal.self) final class Mammal: Animal {
    var legs = 4
    weak var parent: Mammal?
}

@Table struct Point: Hashable {
    let id: UUID
    var x = 0.0
}
