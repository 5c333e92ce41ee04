import SwiftSyntax

extension ModelDeclaration {
    /// Reads a type that carries `@Table`.
    ///
    /// - Parameters:
    ///   - declaration: The type.
    ///   - attribute: The `@Table` on it.
    ///   - enclosing: The enclosing declarations, innermost first.
    init(_ declaration: some DeclGroupSyntax, attribute: AttributeSyntax, enclosing: [Syntax]) {
        var members = MemberReader()
        members.read(declaration.memberBlock.members, under: nil)

        self.init(
            table: TableAttribute(attribute),
            declaration: declaration,
            kind: Kind(declaration),
            name: declaration.asProtocol((any NamedDeclSyntax).self)?.name ?? declaration.introducer,
            genericParameters: declaration.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause,
            enclosing: enclosing,
            properties: members.properties,
            initializers: members.initializers,
            hooks: members.hooks
        )
    }
}

extension ModelDeclaration.Kind {
    fileprivate init(_ declaration: some DeclGroupSyntax) {
        switch declaration.kind {
        case .classDecl:
            let isFinal = declaration.modifiers.contains { $0.name.tokenKind == .keyword(.final) }
            self = isFinal ? .finalClass : .openClass
        case .structDecl: self = .structure
        case .actorDecl: self = .unsupported("an actor")
        case .enumDecl: self = .unsupported("an enum")
        case .protocolDecl: self = .unsupported("a protocol")
        default: self = .unsupported("an extension")
        }
    }
}

/// Collects the members of a type that matter to its table.
private struct MemberReader {
    var properties: [ModelProperty] = []
    var initializers: [InitializerDeclSyntax] = []
    var hooks: [HookMethod] = []

    mutating func read(_ members: MemberBlockItemListSyntax, under condition: IfConfigDeclSyntax?) {
        for member in members {
            if let variable = member.decl.as(VariableDeclSyntax.self) {
                properties += ModelProperty.all(of: variable, under: condition)
            } else if let function = member.decl.as(FunctionDeclSyntax.self) {
                if let hook = HookMethod(function) { hooks.append(hook) }
            } else if let initializer = member.decl.as(InitializerDeclSyntax.self) {
                initializers.append(initializer)
            } else if let nested = member.decl.as(IfConfigDeclSyntax.self) {
                for clause in nested.clauses {
                    guard case .decls(let members) = clause.elements else { continue }
                    read(members, under: condition ?? nested)
                }
            }
        }
    }
}

extension ModelProperty {
    /// The variables of one declaration.
    static func all(of declaration: VariableDeclSyntax, under condition: IfConfigDeclSyntax?) -> [ModelProperty] {
        let attributes = declaration.attributes.attributes
        let condition = condition ?? declaration.attributes.lazy.compactMap { $0.as(IfConfigDeclSyntax.self) }.first
        return declaration.bindings.flatMap { binding in
            binding.pattern.variableNames.map { name in
                ModelProperty(
                    declaration: declaration,
                    name: name,
                    form: Form(declaration, binding),
                    markers: attributes.compactMap(ColumnMarker.init),
                    type: binding.typeAnnotation?.type,
                    initialValue: binding.initializer?.value,
                    observers: binding.accessorBlock?.observers ?? [],
                    isGrouped: declaration.bindings.count > 1 || !binding.pattern.is(IdentifierPatternSyntax.self),
                    condition: condition
                )
            }
        }
    }
}

extension ModelProperty.Form {
    fileprivate init(_ declaration: VariableDeclSyntax, _ binding: PatternBindingSyntax) {
        for modifier in declaration.modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.static), .keyword(.class): self = .shared(modifier.name)
            case .keyword(.lazy): self = .lazy(modifier.name)
            case .keyword(.override): self = .inherited
            case .keyword(.unowned): self = .reference(modifier.name)
            default: continue
            }
            return
        }
        if let accessors = binding.accessorBlock, !accessors.isObserving {
            self = .computed
        } else if let custom = declaration.attributes.attributes.first(where: { $0.isForeign }) {
            self = custom.isGlobalActor ? .isolated(custom) : .wrapped(custom)
        } else {
            self = .stored
        }
    }
}

extension AttributeSyntax {
    /// Whether this is a property wrapper, a macro or a global actor that is not ours.
    fileprivate var isForeign: Bool { isCustom && ColumnMarker(self) == nil && nameInHoldfast != "_Tracked" }
}

extension AccessorBlockSyntax {
    /// The `willSet` and `didSet` of a stored property.
    fileprivate var observers: [AccessorDeclSyntax] {
        guard case .accessors(let accessors) = accessors else { return [] }
        return accessors.filter {
            [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
        }
    }

    /// Whether there are only observers, so that the property is stored.
    fileprivate var isObserving: Bool {
        guard case .accessors(let accessors) = accessors else { return false }
        return observers.count == accessors.count
    }
}

extension PatternSyntax {
    /// The variables that the pattern declares, in order.
    fileprivate var variableNames: [TokenSyntax] {
        if let identifier = self.as(IdentifierPatternSyntax.self) { return [identifier.identifier] }
        if let tuple = self.as(TuplePatternSyntax.self) { return tuple.elements.flatMap(\.pattern.variableNames) }
        return []
    }
}
