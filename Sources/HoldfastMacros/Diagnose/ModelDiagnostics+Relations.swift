import SwiftDiagnostics
import SwiftSyntax

extension ModelDiagnostics {
    /// Finds what is wrong with one `@Relation`.
    mutating func checkRelation(_ marker: ColumnMarker, of property: ModelProperty) {
        // What excludes a relation has an error of its own.
        guard !property.isTransient, !model.isPrimaryKey(property), property.marker(.timestamp) == nil,
            property.marker(.expires) == nil
        else { return }
        if marker.inverse == nil, marker.deleteRule == nil, marker.loading == nil, marker.joinTable == nil,
            marker.foreignKey == nil, marker.references == nil, marker.order == nil, marker.orphans == nil
        {
            report(
                "emptyRelation",
                at: marker.attribute,
                "'@Relation' changes nothing by itself: say how, such as '@Relation(deleteRule: .cascade)', or remove it",
                fix: .remove(marker.attribute, "Remove '@Relation'")
            )
        } else if let type = property.visibleValueType {
            report(
                "noRelation",
                at: marker.attribute,
                "'\(property.plainName)' holds \(type), not objects of another table: remove '@Relation'",
                fix: .remove(marker.attribute, "Remove '@Relation'")
            )
        } else {
            if let inverse = marker.inverse { checkInverse(inverse, through: marker.through, of: property) }
            if let references = marker.references { checkReferences(references, of: property) }
            if let rule = marker.deleteRule { checkDeleteRule(rule) }
            if let loading = marker.loading { checkLoading(loading, of: property) }
            if let names = marker.joinTable { checkJoinTable(names, of: property) }
            if let order = marker.order { checkOrder(order, marker, of: property) }
            if let orphans = marker.orphans, marker.inverse == nil { checkOrphans(orphans, of: property) }
            if let isEnforced = marker.foreignKey { checkForeignKey(isEnforced, of: property) }
            checkForeignKey(of: property)
        }
    }

    /// Two properties can't be the other side of the same one.
    mutating func checkInverses() {
        var owners: [String: ModelProperty] = [:]
        for property in model.persisted {
            // Those that go through a type may be beside the array of its objects.
            guard let marker = property.marker(.relation), let inverse = marker.inverse, marker.through == nil else {
                continue
            }
            let path = inverse.trimmedDescription
            guard let owner = owners.updateValue(property, forKey: path) else { continue }
            owners[path] = owner
            report(
                "duplicateInverse",
                at: inverse,
                "'\(owner.plainName)' is the other side of '\(path)' already: remove '\(property.plainName)', or name another property"
            )
        }
    }

    private mutating func checkInverse(
        _ inverse: ExprSyntax, through: ExprSyntax?, of property: ModelProperty
    ) {
        if let through {
            checkThrough(through, inverse, of: property)
        } else if !inverse.isPathToProperty {
            report(
                "inverse",
                at: inverse,
                "the macro must see which property holds the key: write a key path of one property, with its type, such as '\\Task.project'"
            )
        } else if let type = property.elementType?.nameOfModel, let other = inverse.nameOfRoot, type != other {
            // A warning, since the macro sees names: one may be an alias of the other, or its superclass.
            report(
                ModelMessage(
                    id: "otherInverse",
                    message:
                        "'\(property.plainName)' holds objects of '\(type)', and '\(inverse.trimmedDescription)' is a property of '\(other)': name a property of '\(type)', or declare '\(property.plainName)' with '\(other)'",
                    severity: .warning),
                at: inverse)
        }
        for marker in property.markers where [.unique, .indexed, .required, .column].contains(marker.kind) {
            report(
                "inverseColumn",
                at: marker.attribute,
                "'\(property.plainName)' has no column, since the objects at its other side hold the key: remove '\(marker.spelling)'",
                fix: .remove(marker.attribute, "Remove '\(marker.spelling)'")
            )
        }
    }

    /// Checks the two ends of the type that an array goes through.
    private mutating func checkThrough(_ through: ExprSyntax, _ inverse: ExprSyntax, of property: ModelProperty) {
        if !property.isArray {
            report(
                "throughOne",
                at: through,
                "'\(property.plainName)' is one object: declare it as an array, or remove 'through:'"
            )
        }
        for path in [inverse, through] where !path.isPathToProperty {
            report(
                "through",
                at: path,
                "the macro must see both references of the type between: write key paths of one property each, with its type, such as '\\Membership.team' and '\\Membership.user'"
            )
        }
        guard through.isPathToProperty, inverse.trimmedDescription == through.trimmedDescription else { return }
        report(
            "throughTwice",
            at: through,
            "'\(through.trimmedDescription)' leads to the owner already: name the property that leads to what '\(property.plainName)' holds"
        )
    }

    private mutating func checkReferences(_ references: ExprSyntax, of property: ModelProperty) {
        if property.isInverse || property.isArray {
            report(
                "references",
                at: references,
                "'\(property.plainName)' has no column for a property in place of a key: remove 'references:'"
            )
        } else if !references.isPathToProperty {
            report(
                "references",
                at: references,
                "the macro must see which property is held: write a key path of one property, with its type, such as '\\Country.code'"
            )
        }
    }

    private mutating func checkDeleteRule(_ rule: ExprSyntax) {
        guard !rule.isMember(["nullify", "cascade", "deny"], of: "DeleteRule") else { return }
        report("deleteRule", at: rule, "the macro must see the rule: write '.nullify', '.cascade' or '.deny' here")
    }

    /// Whether `loading:` says that the objects of a class are loaded without it; reports what says nothing, or that of
    /// a struct.
    mutating func isOnDemand(_ loading: ExprSyntax) -> Bool {
        guard loading.isMember(["eager", "onDemand"], of: "RelationLoading") else {
            report("loading", at: loading, "the macro must see when to load: write '.eager' or '.onDemand' here")
            return false
        }
        guard loading.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "onDemand" else { return false }
        if !model.isClass {
            report(
                "onDemandStruct",
                at: loading,
                "a struct can't remember what was not loaded: make '\(model.plainName)' a class, or write '.eager'",
                fix: .replace(loading, by: ".eager", "Replace '\(loading.trimmedDescription)' by '.eager'")
            )
        }
        return model.isClass
    }

    private mutating func checkLoading(_ loading: ExprSyntax, of property: ModelProperty) {
        guard isOnDemand(loading) else { return }
        if let type = property.type, !property.isOptional, !property.isArray {
            report(
                "onDemandValue",
                at: type,
                "'\(property.plainName)' has no value while its object is not loaded: declare it as '\(type.trimmedDescription)?'",
                fix: .insert("?", after: type, "Insert '?'")
            )
        }
    }

    private mutating func checkJoinTable(_ names: ExprSyntax, of property: ModelProperty) {
        if property.isInverse {
            report(
                "inverseJoinTable",
                at: names,
                "'\(property.plainName)' is the other side of a relation, whose property names the join table: remove 'joinTable:'"
            )
        } else if !property.isArray {
            report(
                "noJoinTable",
                at: names,
                "'\(property.plainName)' holds one object, whose key is in columns: name them with '@Column', and remove 'joinTable:'"
            )
        } else if let marker = property.marker(.column), let column = marker.columnName {
            report(
                "joinTableTwice",
                at: column,
                "'@Relation' names the join table of '\(property.plainName)' already: remove the name from '@Column'"
            )
        }
        let isVisible =
            names.is(MemberAccessExprSyntax.self)
            || names.as(FunctionCallExprSyntax.self)?.calledExpression.is(MemberAccessExprSyntax.self) ?? false
        guard isVisible else {
            report(
                "joinTable",
                at: names,
                "the macro must see the names: write '.named(\"…\", owner: \"…\", element: \"…\")' or '.unordered' here"
            )
            return
        }
        for name in names.namesInCall { checkName(name, of: name.isTableName ? "table" : "column") }
    }

    /// An order is that of an array, unless positions are.
    private mutating func checkOrder(_ order: ExprSyntax, _ marker: ColumnMarker, of property: ModelProperty) {
        if !property.isArray {
            report("order", at: order, "'\(property.plainName)' holds one object, which has no order: remove 'order:'")
        } else if marker.inverse == nil, marker.joinTable?.hasNoPositions != true {
            report(
                "orderAndPositions",
                at: order,
                "'\(property.plainName)' is ordered by positions: remove 'order:', or write 'joinTable: .unordered'"
            )
        }
    }

    private mutating func checkOrphans(_ orphans: ExprSyntax, of property: ModelProperty) {
        report(
            "orphans",
            at: orphans,
            "'\(property.plainName)' keeps the keys of its objects itself, so none is an orphan: add 'inverse:', or remove 'orphans:'"
        )
    }

    private mutating func checkForeignKey(_ isEnforced: ExprSyntax, of property: ModelProperty) {
        if !isEnforced.is(BooleanLiteralExprSyntax.self) {
            report("foreignKey", at: isEnforced, "the macro must see it: write 'true' or 'false' here")
        } else if property.isInverse {
            report(
                "noForeignKey",
                at: isEnforced,
                "'\(property.plainName)' holds no key, so it has no foreign key: write 'foreignKey:' at its other side"
            )
        }
    }

    /// Checks that a foreign key has no storage of its own: the referenced key determines it.
    private mutating func checkForeignKey(of property: ModelProperty) {
        guard !property.isInverse, let storage = property.marker(.column)?.storage else { return }
        report(
            "relationStorage",
            at: storage,
            "'\(property.plainName)' holds the key of its object as that object's table does: remove 'storage:'"
        )
    }
}

// MARK: - What is written

extension ExprSyntax {
    /// Whether this is a key path such as `\Task.project`; `\Space.Task.project` looks like one of several properties.
    fileprivate var isPathToProperty: Bool {
        guard let path = self.as(KeyPathExprSyntax.self), path.root != nil else { return false }
        let names = path.components.map { $0.component.as(KeyPathPropertyComponentSyntax.self)?.declName }
        guard let last = names.last ?? nil, last.argumentNames == nil, last.baseName.identifier != nil else {
            return false
        }
        return names.dropLast().allSatisfy { $0?.baseName.identifier?.name.first?.isUppercase ?? false }
    }

    /// The last name of the type that a path begins with: `Task` of `\Space.Task.project`.
    fileprivate var nameOfRoot: String? {
        guard let path = self.as(KeyPathExprSyntax.self) else { return nil }
        let names = path.components.map { $0.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName }
        guard names.count > 1 else { return path.root?.nameOfModel }
        return names[names.count - 2]?.identifier?.name
    }

    /// Whether this is one of `members`, with or without its type.
    fileprivate func isMember(_ members: Set<String>, of type: String) -> Bool {
        guard let access = self.as(MemberAccessExprSyntax.self), members.contains(access.declName.baseName.text) else {
            return false
        }
        return access.base.map { [type, "Holdfast.\(type)"].contains($0.trimmedDescription) } ?? true
    }
}

extension ExprSyntax {
    /// The names of a table and its columns that are arguments of this call.
    fileprivate var namesInCall: [ExprSyntax] {
        guard let call = self.as(FunctionCallExprSyntax.self) else { return [] }
        var names: [ExprSyntax] = []
        for argument in call.arguments {
            if let array = argument.expression.as(ArrayExprSyntax.self) {
                for element in array.elements { names.append(element.expression) }
            } else if let name = argument.expression.unlessNil {
                names.append(name)
            }
        }
        return names
    }

    /// Whether these are the names of a join table without positions: `.unordered`, or with `position: nil`.
    fileprivate var hasNoPositions: Bool {
        if let access = self.as(MemberAccessExprSyntax.self) { return access.declName.baseName.text == "unordered" }
        let position = self.as(FunctionCallExprSyntax.self)?.arguments.first { $0.label?.text == "position" }
        return position?.expression.is(NilLiteralExprSyntax.self) ?? false
    }

    /// Whether this is an argument without a label.
    fileprivate var isTableName: Bool { parent?.as(LabeledExprSyntax.self)?.label == nil && !isInArray }

    private var isInArray: Bool { parent?.is(ArrayElementSyntax.self) ?? false }
}

extension ModelProperty {
    /// The type, as it is written, if each value of it fits a column: then it is surely no relation.
    fileprivate var visibleValueType: String? {
        guard let type else {
            switch initialValue?.kind {
            case .stringLiteralExpr: return "a String"
            case .integerLiteralExpr: return "an Int"
            case .floatLiteralExpr: return "a Double"
            case .booleanLiteralExpr: return "a Bool"
            default: return nil
            }
        }
        return type.isValue ? "'\(type.trimmedDescription)'" : nil
    }
}

extension TypeSyntax {
    /// The last name of a type without generic arguments, or of what a reference leads to.
    fileprivate var nameOfModel: String? {
        if let member = self.as(MemberTypeSyntax.self) {
            return member.genericArgumentClause == nil ? member.name.identifier?.name : nil
        }
        guard let named = self.as(IdentifierTypeSyntax.self) else { return nil }
        guard let arguments = named.genericArgumentClause?.arguments else { return named.name.identifier?.name }
        guard named.name.text == "Reference", let target = arguments.first?.argument else { return nil }
        return Syntax(target).as(TypeSyntax.self)?.nameOfModel
    }

    /// Whether this is one of the types that everyone knows, an optional or an array of one, or a dictionary.
    var isValue: Bool {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.isValue }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType.isValue }
        if let array = self.as(ArrayTypeSyntax.self) { return array.element.isValue }
        if self.is(DictionaryTypeSyntax.self) { return true }
        if let member = self.as(MemberTypeSyntax.self) {
            guard ["Swift", "Foundation"].contains(member.baseType.trimmedDescription) else { return false }
            return typesOfValues.contains(member.name.text)
        }
        guard let named = self.as(IdentifierTypeSyntax.self) else { return false }
        guard let argument = named.genericArgumentClause?.arguments.first?.argument else {
            return typesOfValues.contains(named.name.text)
        }
        guard ["Optional", "Array"].contains(named.name.text) else { return false }
        return Syntax(argument).as(TypeSyntax.self)?.isValue ?? false
    }
}

private let typesOfValues: Set = [
    "String", "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double",
    "Float", "Date", "UUID", "Data", "Decimal", "URL",
]
