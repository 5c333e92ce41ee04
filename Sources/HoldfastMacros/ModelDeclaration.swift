import SwiftSyntax

/// A type marked `@Table`, as far as its syntax tells: what is parsed first, then diagnosed, then emitted.
struct ModelDeclaration {
    enum Kind: Equatable {
        case finalClass
        case openClass
        case structure
        /// A declaration that no table can be made of, in words: "an actor".
        case unsupported(String)
    }

    let table: TableAttribute
    let declaration: any DeclGroupSyntax
    let kind: Kind
    let name: TokenSyntax
    let genericParameters: GenericParameterClauseSyntax?
    /// What the type is declared in, innermost first.
    let enclosing: [Syntax]

    /// All variables, in the order of their declarations.
    let properties: [ModelProperty]
    let initializers: [InitializerDeclSyntax]
    let hooks: [HookMethod]
}

extension ModelDeclaration {
    /// The type's own name as text, without backticks.
    var plainName: String { name.identifier?.name ?? name.text }

    var isClass: Bool { kind == .finalClass || kind == .openClass }

    /// Whether the type is declared in the code of a function.
    var isLocal: Bool { enclosing.contains(where: \.isCode) }

    /// Whether the type is isolated to a global actor, as far as the names of its attributes show.
    var isIsolated: Bool { declaration.attributes.attributes.contains(where: \.isGlobalActor) }

    /// Whether the type can't be copied.
    var isNoncopyable: Bool {
        declaration.inheritanceClause?.inheritedTypes.contains { $0.type.is(SuppressedTypeSyntax.self) } ?? false
    }

    /// The type in the inheritance clause that has one of `names`, with or without its module.
    func inherited(_ names: Set<String>) -> InheritedTypeSyntax? {
        declaration.inheritanceClause?.inheritedTypes.first { inherited in
            let name =
                inherited.type.as(IdentifierTypeSyntax.self)?.name ?? inherited.type.as(MemberTypeSyntax.self)?.name
            return names.contains(name?.text ?? "")
        }
    }

    /// Whether the type, or one that it is nested in, has generic parameters.
    var isGeneric: Bool { genericParameters != nil || genericScope != nil }

    /// The innermost of the types around this one that has generic parameters.
    var genericScope: Syntax? {
        enclosing.first { $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil }
    }

    /// The properties that have columns; a position here is the position in rows, parameters and change marks.
    var persisted: [ModelProperty] { properties.filter(\.isPersisted) }

    /// The properties of the primary key: those marked as such, else the one named `id`.
    var primaryKey: [ModelProperty] {
        let marked = persisted.filter { $0.marker(.primaryKey) != nil }
        return marked.isEmpty ? persisted.filter { $0.plainName == "id" } : marked
    }

    func isPrimaryKey(_ property: ModelProperty) -> Bool {
        primaryKey.contains { $0.plainName == property.plainName }
    }

    /// The access that members need so that the conformance is as visible as the type, with a space after it.
    var access: String {
        let own = declaration.modifiers.lazy.compactMap(\.accessLevel).first
        let inherited = enclosing.first?.as(ExtensionDeclSyntax.self)?.modifiers.lazy.compactMap(\.accessLevel).first
        switch own ?? inherited {
        case .public, .open: return "public "
        case .package: return "package "
        default: return ""
        }
    }

    /// Whether the class would lose the `init()` that Swift gives to a class whose properties all have defaults.
    var losesInitializer: Bool { isClass && initializers.isEmpty && propertiesWithoutDefault.isEmpty }

    /// The stored properties that an initializer must set.
    var propertiesWithoutDefault: [ModelProperty] { properties.filter { $0.isInstanceStorage && !$0.hasDefault } }
}

extension Syntax {
    /// Whether this is the code of a function, an initializer, an accessor or a closure.
    fileprivate var isCode: Bool {
        switch kind {
        case .functionDecl, .initializerDecl, .deinitializerDecl, .subscriptDecl, .accessorDecl, .patternBinding,
            .closureExpr:
            true
        default: false
        }
    }
}

extension DeclModifierSyntax {
    /// The access level that this modifier gives to a declaration; nil for other modifiers and for `private(set)`.
    var accessLevel: Keyword? {
        guard detail == nil, case .keyword(let keyword) = name.tokenKind else { return nil }
        let levels: [Keyword] = [.private, .fileprivate, .internal, .package, .public, .open]
        return levels.contains(keyword) ? keyword : nil
    }
}
