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
    /// The enclosing declarations, innermost first.
    let enclosing: [Syntax]

    /// All variables, in the order of their declarations.
    let properties: [ModelProperty]
    let initializers: [InitializerDeclSyntax]
    let hooks: [HookMethod]
}

extension ModelDeclaration {
    /// The type's own name as text, without backticks.
    var plainName: String { name.identifier?.name ?? name.text }

    /// The class with `@Table` that this one extends, if it is one that can.
    var superclass: String? {
        guard isClass, let type = table.inheritedType, let first = firstInherited,
            first.trimmedDescription.lastComponent == type.lastComponent
        else { return nil }
        return type
    }

    /// The first type in the inheritance clause, which is the superclass if there is one.
    var firstInherited: TypeSyntax? { declaration.inheritanceClause?.inheritedTypes.first?.type }

    /// Whether it has no key because it inherits one, as far as its declaration shows, and `inherits:` is forgotten.
    var mayForgetSuperclass: Bool {
        guard isClass, table.inherits == nil, let first = firstInherited, primaryKey.isEmpty else { return false }
        return !knownProtocols.contains(String(first.trimmedDescription.lastComponent))
            && !properties.contains { $0.marker(.primaryKey) != nil || $0.plainName == "id" }
    }

    /// Whether there are classes above it or, as far as one can tell, below it.
    var isInHierarchy: Bool { kind == .openClass || superclass != nil }

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
    ///
    /// A subclass has the key that it inherits.
    var primaryKey: [ModelProperty] {
        guard superclass == nil else { return [] }
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

    /// The access that members need which subclasses of any module override, with a space after it.
    var overridableAccess: String {
        declaration.modifiers.contains { $0.name.tokenKind == .keyword(.open) } ? "open " : access
    }

    /// Whether the class declares how it is made.
    ///
    /// One that doesn't inherits the initializers of its superclass.
    var hasDesignatedInitializer: Bool {
        !initializers.allSatisfy { $0.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) } }
    }

    /// Whether the class would lose the `init()` that Swift gives to a class whose properties all have defaults.
    var losesInitializer: Bool {
        isClass && superclass == nil && !hasDesignatedInitializer && propertiesWithoutDefault.isEmpty
    }

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

/// Protocols that many classes conform to; what else comes first in an inheritance clause may be a superclass.
private let knownProtocols: Set = [
    "Codable", "Comparable", "CustomDebugStringConvertible", "CustomStringConvertible", "Decodable", "Encodable",
    "Equatable", "Error", "Hashable", "Identifiable", "Sendable", "TableHooks", "TableObject",
]

extension String {
    /// The part after the last dot: the name of a type without its enclosing types.
    fileprivate var lastComponent: Substring { split(separator: ".").last ?? "" }
}
