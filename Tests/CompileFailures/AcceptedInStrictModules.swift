// swift-format-ignore-file
// flags: -package-name example -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature NonisolatedNonsendingByDefault -strict-memory-safety -warnings-as-errors
public import Holdfast

// All that a model needs is this module; nothing it expands to warns.

@Table public final class Project: Codable {
    public var id: Int64?
    public var name: String
    @Unique public var code: String?
    public var tags: [String] = []
    public var observed = 0 { didSet { code = "\(oldValue)" } }
    let kind: Int
    public init(name: String) {
        self.name = name
        kind = 1
    }
}

@Table open class Animal: Codable {
    public var id: Int64?
    public var name = ""
    public init() {}
    open func didSave(in transaction: Transaction) async throws {}
}

@Table(inherits: Animal.self) public class Mammal: Animal {
    public weak var parent: Mammal?
    @Relation(deleteRule: .cascade) public var young: [Mammal] = []
}

@Table(inherits: Mammal.self) public final class Whale: Mammal {
    let depth: Int
    public init(depth: Int) {
        self.depth = depth
        super.init()
    }
    required init(from decoder: any Decoder) throws { fatalError() }
    override public func didSave(in transaction: Transaction) async throws {}
}

public struct Outer {
    @Table package struct Point: Hashable, Sendable {
        let id: String
        var x = 0.0
    }
}

extension Outer.Point {
    init(x: Double) { self.init(id: "x", x: x) }
}
