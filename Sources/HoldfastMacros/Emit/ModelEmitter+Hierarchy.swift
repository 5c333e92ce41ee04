import SwiftSyntax

// A class that is not final, or that extends another, has a hidden namespace `_$Table` beside its mapping. What is in
// it works on the class's own properties, after it has called the same of the superclass: nothing is called through an
// object, so that an object of a subclass that is taken for one of this class is treated as one of this class.

extension ModelEmitter {
    /// The members of a class of a hierarchy.
    var hierarchyMembers: [String] {
        var members: [String] = []
        if model.superclass == nil { members.append("\(model.access)var _$changes: Holdfast.ChangeTracker = .init()") }
        if let initializer { members.append(initializer) }
        if model.losesInitializer { members.append("init() {}") }
        return members + hooks + [defaultOrder, inheritedMapping("_$Table.mapping"), namespace].compactMap(\.self)
    }

    /// The members of a class of a hierarchy with errors, for itself and its subclasses.
    var hierarchyMembersDespiteErrors: [String] {
        var members: [String] = []
        if model.superclass == nil {
            members.append("\(model.access)var _$changes: Holdfast.ChangeTracker { get { fatalError() } set {} }")
            members.append("\(model.access)init(_$row row: borrowing Holdfast.Row) throws { fatalError() }")
            if model.losesInitializer { members.append("init() {}") }
        } else if model.hasDesignatedInitializer || !model.propertiesWithoutDefault.isEmpty {
            members.append("\(model.access)override init(_$row row: borrowing Holdfast.Row) throws { fatalError() }")
        }
        guard model.canConform else { return members }
        let functions = [
            function("describe", ["fatalError()"]), function("encode", ["fatalError()"]),
            function("assign", ["fatalError()"]), function("finish", ["fatalError()"]),
        ]
        let offset = model.superclass.map { _ in "static var offset: Int { fatalError() }" }
        return members + hooks
            + [defaultOrder, inheritedMapping("fatalError()"), namespace([offset].compactMap(\.self) + functions)]
            .compactMap(\.self)
    }
}

// MARK: - Parts

extension ModelEmitter {
    private var root: String { model.superclass.map { "\($0)._HierarchyRoot" } ?? model.name.text }

    /// In a class that is isolated by mistake, so that the conformance is no mistake as well.
    private var isolation: String { model.isIsolated ? "nonisolated " : "" }

    /// The access of what subclasses call.
    private var access: String { model.kind == .openClass ? model.access : "" }

    private var overridableAccess: String { model.kind == .openClass ? model.overridableAccess : model.access }

    /// The number of inherited properties, as code inside the namespace.
    private var offset: String? { model.superclass.map { _ in "offset" } }

    /// Makes an object of a row; nil for a class that inherits it, together with all initializers of its superclass,
    /// which it would lose if it had one of its own.
    private var initializer: String? {
        guard model.superclass != nil else {
            return block("\(model.access)init(_$row row: borrowing Holdfast.Row) throws", decodings(of: "self"))
        }
        guard model.hasDesignatedInitializer else { return nil }
        let lines = decodings(of: "self", after: "_$Table.offset") + ["try super.init(_$row: row)"]
        return block("\(model.access)override init(_$row row: borrowing Holdfast.Row) throws", lines)
    }

    /// The hooks that subclasses can override, at the top of a hierarchy, and whether one is declared.
    private var hooks: [String] {
        let areDeclared = !model.hooks.isEmpty || model.inherited(["TableHooks"]) != nil
        guard model.superclass == nil else {
            return areDeclared ? ["\(overridableAccess)override class var _hasHooks: Bool { true }"] : []
        }
        let missing = HookMethod.Kind.allCases.filter { kind in !model.hooks.contains { $0.kind == kind } }
        let access = isolation + overridableAccess
        return missing.map { "\(access)\($0.signature(mutating: false, transaction: "Holdfast.Transaction")) {}" }
            + ["\(access)class var _hasHooks: Bool { \(areDeclared) }"]
    }

    /// The `defaultOrder` that subclasses can override, in a root class that does not declare it: they could not
    /// override the default of a protocol.
    private var defaultOrder: String? {
        guard model.superclass == nil, !model.properties.contains(where: { $0.plainName == "defaultOrder" }) else {
            return nil
        }
        return "\(isolation)\(overridableAccess)class var defaultOrder: [Holdfast.Ordering] { [] }"
    }

    private func inheritedMapping(_ body: String) -> String {
        let override = model.superclass == nil ? "" : "override "
        return
            "\(isolation)\(overridableAccess)\(override)class var tableMapping: Holdfast.TableMapping<\(root)> { \(body) }"
    }

    private var namespace: String {
        var members: [String] = []
        if let superclass = model.superclass {
            members.append("static let offset: Int = \(superclass).tableMapping.description.properties.count")
        }
        members += [
            mappingOfOwn,
            function("describe", inherited("describe(&table)") + descriptions),
            function("encode", inherited("encode(object, &encoder)") + encodings(after: offset)),
            function("assign", inherited("assign(object, row)") + assignments(after: offset)),
            function("finish", inherited("finish(object, row)") + finishing),
        ]
        return namespace(members)
    }

    private func namespace(_ members: [String]) -> String { block("\(access)nonisolated enum _$Table", members) }

    /// The assignments that the initializer left out: all of them in a class that inherits it.
    private var finishing: [String] {
        model.superclass == nil || model.hasDesignatedInitializer ? [] : decodings(of: "object", after: offset)
    }

    private func inherited(_ call: String) -> [String] {
        guard let superclass = model.superclass else { return [] }
        return ["\(call.hasPrefix("describe") ? "" : "try ")\(superclass)._$Table.\(call)"]
    }

    private var mappingOfOwn: String {
        let type = model.name.text
        var decode = "decode: { row in try \(type)(_$row: row) }"
        if model.superclass != nil {
            decode = block(
                "decode:",
                [
                    "let object = try \(type)(_$row: row)",
                    "try finish(object, row)",
                    "object._$changes = Holdfast.ChangeTracker()",
                    "return object",
                ], parameters: " row in"
            )
        }
        let arguments =
            names + [
                "describe: { table in describe(&table) }",
                decode,
                "encode: { object, encoder in try encode(object, &encoder) }",
                "assign: { object, row in try assign(object, row) }",
                "changes: { object, body in body(&object._$changes) }",
            ]
        let list = arguments.joined(separator: ",\n").indented()
        guard model.superclass != nil else {
            return """
                static let mapping: Holdfast.TableMapping<\(type)> = .init(
                    \(list)
                )
                """
        }
        return """
            static let mapping: Holdfast.TableMapping<\(root)> = .init(
                of: Holdfast.TableMapping<\(type)>(
                    \(list.indented())
                )
            )
            """
    }

    /// One of the functions of the namespace, by its name.
    private func function(_ name: String, _ lines: [String]) -> String {
        let type = model.name.text
        let parameters =
            switch name {
            case "describe": "<_$Model: \(type)>(_ table: inout Holdfast.TableMappingBuilder<_$Model>)"
            case "encode": "(_ object: \(type), _ encoder: inout Holdfast.RowEncoder) throws"
            default: "(_ object: \(type), _ row: borrowing Holdfast.Row) throws"
            }
        return block("\(access)static func \(name)\(parameters)", lines)
    }

    private func block(_ head: String, _ lines: [String], parameters: String = "") -> String {
        guard !lines.isEmpty else { return "\(head) {}" }
        return """
            \(head) {\(parameters)
                \(lines.joined(separator: "\n").indented())
            }
            """
    }
}
