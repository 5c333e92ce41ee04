import SwiftSyntax

/// One attribute of ours on a property, such as `@Unique` or `@Column("legacy_at", storage: .iso8601)`.
struct ColumnMarker {
    enum Kind: String, CaseIterable {
        case primaryKey = "PrimaryKey"
        case column = "Column"
        case transient = "Transient"
        case indexed = "Indexed"
        case unique = "Unique"
        case required = "Required"
        case timestamp = "Timestamp"
        case relation = "Relation"
        case version = "Version"
        case omitIfMissing = "OmitIfMissing"
        case expires = "Expires"
    }

    let kind: Kind
    let attribute: AttributeSyntax

    init?(_ attribute: AttributeSyntax) {
        guard let name = attribute.nameInHoldfast, let kind = Kind(rawValue: name) else { return nil }
        self.kind = kind
        self.attribute = attribute
    }

    /// The attribute as its user knows it, `@Unique`.
    var spelling: String { "@\(kind.rawValue)" }

    /// The argument without a label: the name of `@Column`, the kind of `@Timestamp`.
    var unlabeledArgument: ExprSyntax? { attribute.argument(labeled: nil) }

    /// The source of the key, as `@PrimaryKey` names it.
    var keySource: ExprSyntax? { kind == .primaryKey ? unlabeledArgument?.unlessNil : nil }

    /// The column name that `@Column` gives.
    var columnName: ExprSyntax? { columnNames == nil ? unlabeledArgument?.unlessNil : nil }

    /// The names of the columns of a composite key that `@Column` gives.
    var columnNames: ArrayExprSyntax? { kind == .column ? unlabeledArgument?.as(ArrayExprSyntax.self) : nil }

    /// The `renamedFrom:` of `@Column`.
    var formerNames: ExprSyntax? { attribute.argument(labeled: "renamedFrom") }

    /// The `storage:` of `@Column`.
    var storage: ExprSyntax? { attribute.argument(labeled: "storage")?.unlessNil }

    /// The `check:` of `@Column`.
    var check: ExprSyntax? { attribute.argument(labeled: "check")?.unlessNil }

    /// The `generated:` of `@Column`, unless it is the literal `false`.
    var generated: ExprSyntax? {
        guard let argument = attribute.argument(labeled: "generated") else { return nil }
        return argument.as(BooleanLiteralExprSyntax.self)?.literal.tokenKind == .keyword(.false) ? nil : argument
    }

    /// The property that holds the key, where `@Relation` is on its other side.
    var inverse: ExprSyntax? { attribute.argument(labeled: "inverse")?.unlessNil }

    /// The property of a type between both that leads on from there, of `@Relation`.
    var through: ExprSyntax? { attribute.argument(labeled: "through") }

    /// The `references:` of `@Relation`.
    var references: ExprSyntax? { attribute.argument(labeled: "references")?.unlessNil }

    /// The `deleteRule:` of `@Relation`.
    var deleteRule: ExprSyntax? { attribute.argument(labeled: "deleteRule") }

    /// The `loading:` of `@Relation` or `@Column`.
    var loading: ExprSyntax? { attribute.argument(labeled: "loading") }

    /// The `joinTable:` of `@Relation`.
    var joinTable: ExprSyntax? { attribute.argument(labeled: "joinTable")?.unlessNil }

    /// The `order:` of `@Relation`.
    var order: ExprSyntax? { attribute.argument(labeled: "order") }

    /// The `orphans:` of `@Relation`.
    var orphans: ExprSyntax? { attribute.argument(labeled: "orphans") }

    /// The `foreignKey:` of `@Relation`.
    var foreignKey: ExprSyntax? { attribute.argument(labeled: "foreignKey") }

    /// The time that `@Timestamp` keeps, `created`, `modified` or `deleted`, where it is written out.
    var timestampKind: String? {
        let name = unlabeledArgument?.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        return name.flatMap { ["created", "modified", "deleted"].contains($0) ? $0 : nil }
    }
}

extension AttributeSyntax {
    /// The name of this attribute if it can be one of ours: `Table` of `@Table` and of `@Holdfast.Table`.
    var nameInHoldfast: String? {
        if let type = attributeName.as(IdentifierTypeSyntax.self) { return type.name.identifier?.name }
        guard let type = attributeName.as(MemberTypeSyntax.self),
            type.baseType.as(IdentifierTypeSyntax.self)?.name.identifier?.name == "Holdfast"
        else { return nil }
        return type.name.identifier?.name
    }

    /// The last part of this attribute's name: `MainActor` of `@Swift.MainActor`.
    var lastName: String {
        let token =
            attributeName.as(IdentifierTypeSyntax.self)?.name ?? attributeName.as(MemberTypeSyntax.self)?.name
        return token?.identifier?.name ?? attributeName.trimmedDescription
    }

    /// Whether this names a type or a macro, not an attribute of the language: those are written in lower case.
    var isCustom: Bool { lastName.first?.isUppercase ?? false }

    /// Whether this is a global actor, as far as its name shows.
    var isGlobalActor: Bool { lastName.hasSuffix("Actor") }

    func argument(labeled label: String?) -> ExprSyntax? {
        arguments?.as(LabeledExprListSyntax.self)?.first { $0.label?.text == label }?.expression
    }
}

extension ExprSyntax {
    /// This expression, or nil if it is the literal `nil`.
    var unlessNil: ExprSyntax? { self.is(NilLiteralExprSyntax.self) ? nil : self }
}

extension AttributeListSyntax {
    var attributes: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }
}
