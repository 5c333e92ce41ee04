import SwiftSyntax

/// One variable that a model declares.
struct ModelProperty {
    /// The kind of variable; only `stored` ones have columns.
    enum Form {
        case stored
        case computed
        /// An `override`: what it overrides is stored, or computed, elsewhere.
        case inherited
        case shared(TokenSyntax)
        case lazy(TokenSyntax)
        case reference(TokenSyntax)
        case wrapped(AttributeSyntax)
        case isolated(AttributeSyntax)
    }

    /// The declaration that the property is part of.
    let declaration: VariableDeclSyntax
    /// The name as it was written, with the backticks it needs in code.
    let name: TokenSyntax
    let form: Form
    let markers: [ColumnMarker]
    let type: TypeSyntax?
    let initialValue: ExprSyntax?
    /// The user's `willSet` and `didSet`.
    let observers: [AccessorDeclSyntax]
    /// Whether the declaration has several variables, or takes a tuple apart.
    let isGrouped: Bool
    /// The `#if` around the declaration, or among its attributes.
    let condition: IfConfigDeclSyntax?
}

extension ModelProperty {
    /// The name as text, without backticks.
    var plainName: String { name.identifier?.name ?? name.text }

    /// Whether it is declared with `let`.
    var isConstant: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

    /// The `weak` before it.
    var weakKeyword: TokenSyntax? {
        declaration.modifiers.lazy.map(\.name).first { $0.tokenKind == .keyword(.weak) }
    }

    func marker(_ kind: ColumnMarker.Kind) -> ColumnMarker? { markers.first { $0.kind == kind } }

    var isTransient: Bool { marker(.transient) != nil }

    /// Whether it takes up memory in each object.
    var isInstanceStorage: Bool {
        switch form {
        case .computed, .inherited, .shared: false
        case .stored, .lazy, .reference, .wrapped, .isolated: true
        }
    }

    /// Whether it is to be kept in the database.
    var isPersisted: Bool { isInstanceStorage && !isTransient }

    /// Whether a class marks its changes: a `let` has none, and errors are not to be followed by errors of the
    /// compiler.
    var isTracked: Bool {
        guard case .stored = form else { return false }
        return isPersisted && !isConstant && !isGrouped && condition == nil && observers.count < 2
    }

    /// Whether an initializer may leave it out.
    ///
    /// A property wrapper may have a default of its own; what one cannot see is taken to be there.
    var hasDefault: Bool {
        if initialValue != nil || weakKeyword != nil { return true }
        switch form {
        case .wrapped, .lazy: return true
        default: return !isConstant && (type.map(isSugaredOptional) ?? false)
        }
    }

    /// Whether each object has a value of its own for it, which no constant tells.
    var isInitialized: Bool { initialValue != nil && constantDefault == nil && !isConstant && !isOptional }

    /// The type that an optional type wraps, or else the type itself; nil where it is inferred.
    var wrappedType: TypeSyntax? { type.map(unwrapped) }

    /// Whether the declared type is an optional.
    var isOptional: Bool { type.map { unwrapped($0).id != $0.id } ?? false }

    /// Whether it is an array, and so has a table of its own, as far as its declaration shows.
    var isArray: Bool {
        guard let wrappedType else { return initialValue?.is(ArrayExprSyntax.self) ?? false }
        return wrappedType.is(ArrayTypeSyntax.self) || wrappedType.as(IdentifierTypeSyntax.self)?.name.text == "Array"
    }

    /// Whether it is an array, a dictionary or a set, as far as its declaration shows: a change of a part of it is not
    /// to copy the whole.
    var isChangedInPlace: Bool {
        if let wrappedType { return wrappedType.isCollection }
        guard let initialValue else { return false }
        if initialValue.is(ArrayExprSyntax.self) || initialValue.is(DictionaryExprSyntax.self) { return true }
        guard let called = initialValue.as(FunctionCallExprSyntax.self)?.calledExpression else { return false }
        return called.is(ArrayExprSyntax.self) || called.is(DictionaryExprSyntax.self)
            || called.as(GenericSpecializationExprSyntax.self)?.expression.trimmedDescription.isCollectionName == true
    }

    /// The type of the value, or of the elements of an array.
    var elementType: TypeSyntax? { wrappedType?.as(ArrayTypeSyntax.self)?.element ?? wrappedType }

    /// Whether it is plain to see that a column can hold its values.
    var isOfKnownType: Bool {
        if let type { return type.isValue && elementType?.is(DictionaryTypeSyntax.self) != true }
        guard let initialValue else { return false }
        return initialValue.is(StringLiteralExprSyntax.self) || initialValue.is(IntegerLiteralExprSyntax.self)
            || initialValue.is(FloatLiteralExprSyntax.self) || initialValue.is(BooleanLiteralExprSyntax.self)
    }

    /// Whether it is the other side of a relation, and so has no column, as far as its declaration shows.
    var isInverse: Bool { marker(.relation)?.inverse != nil }

    /// Whether it is a key from the engine, if it is one.
    var isGeneratedKey: Bool {
        isOptional && (wrappedType?.trimmedDescription == "Int64" || marker(.primaryKey)?.keySource != nil)
    }
}

/// `T?` and `T!` start as nil by themselves; `Optional<T>` does not.
private func isSugaredOptional(_ type: TypeSyntax) -> Bool {
    type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
}

private func unwrapped(_ type: TypeSyntax) -> TypeSyntax {
    if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType }
    if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType }
    if let named = type.as(IdentifierTypeSyntax.self), named.name.text == "Optional",
        let argument = named.genericArgumentClause?.arguments.first?.argument,
        let wrapped = Syntax(argument).as(TypeSyntax.self)
    {
        return wrapped
    }
    return type
}

extension TypeSyntax {
    fileprivate var isCollection: Bool {
        if self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self) { return true }
        if let type = self.as(IdentifierTypeSyntax.self) { return type.name.text.isCollectionName }
        guard let type = self.as(MemberTypeSyntax.self) else { return false }
        return type.baseType.trimmedDescription == "Swift" && type.name.text.isCollectionName
    }
}

extension String {
    fileprivate var isCollectionName: Bool { ["Array", "Dictionary", "Set"].contains(self) }
}
