import SwiftDiagnostics
import SwiftSyntax

extension ModelDiagnostics {
    /// Finds what is wrong with one variable.
    mutating func check(_ property: ModelProperty) {
        checkName(property)
        switch property.form {
        case .computed, .inherited, .shared: checkThatNothingMarks(property)
        default:
            checkMarkers(property)
            if property.isTransient { checkTransient(property) } else { checkPersisted(property) }
        }
    }

    private mutating func checkName(_ property: ModelProperty) {
        let isStatic = if case .shared = property.form { true } else { false }
        if property.plainName.hasPrefix("_$") || (isStatic && property.plainName == "tableMapping") {
            report(
                "reservedName",
                at: property.name,
                "'\(property.plainName)' is a name that '@Table' may use: give this property another"
            )
        }
    }
}

// MARK: - Storage

extension ModelDiagnostics {
    private mutating func checkTransient(_ property: ModelProperty) {
        guard !property.hasDefault else { return }
        report(
            "transientDefault",
            at: property.name,
            "an object that is loaded has no value for '\(property.plainName)': give this '@Transient' property a default value"
        )
    }

    private mutating func checkPersisted(_ property: ModelProperty) {
        if property.isGrouped {
            reportGrouped(property)
        } else if let condition = property.condition {
            let advice =
                condition.parent?.is(AttributeListSyntax.self) == true
                ? "move the attributes of '\(property.plainName)' out of it"
                : "move '\(property.plainName)' out of it, or mark it '@Transient'"
            report(
                "conditional",
                at: property.name,
                "a macro can't tell what '\(condition.condition)' leaves: \(advice)"
            )
        } else if let obstacle = obstacle(to: property) {
            report("form", at: obstacle.node, obstacle.message)
        } else {
            checkConstant(property)
            checkCompositeKey(property)
            checkOptionalKey(property)
            checkArray(property)
            checkObservers(property)
            checkDeclaredType(property)
        }
    }

    private mutating func reportGrouped(_ property: ModelProperty) {
        let declaration = property.declaration
        // One error for all of them.
        guard ModelProperty.all(of: declaration, under: nil).first?.plainName == property.plainName else { return }
        report(
            "grouped",
            at: declaration.bindings,
            "each property of a model needs a declaration of its own: write '\(declaration.bindingSpecifier.text)' for each of them",
            fix: declaration.separated
        )
    }

    /// Why a variable that isn't plain storage can't have a column.
    private func obstacle(to property: ModelProperty) -> (node: Syntax, message: String)? {
        let name = property.plainName
        return switch property.form {
        case .computed, .inherited, .shared: nil
        case .stored:
            model.isClass
                ? nil
                : property.weakKeyword.map { keyword in
                    (
                        Syntax(keyword),
                        "the object of 'weak var \(name)' may be gone when it is saved: mark it '@Transient', or remove 'weak'"
                    )
                }
        case .lazy(let keyword):
            (Syntax(keyword), "a lazy property can't be loaded: mark '\(name)' '@Transient', or remove 'lazy'")
        case .reference(let keyword):
            (
                Syntax(keyword),
                "the object of '\(keyword.text) var \(name)' may be gone when it is saved: mark it '@Transient', or remove '\(keyword.text)'"
            )
        case .wrapped(let attribute):
            (
                Syntax(attribute),
                "the value behind '\(attribute.withoutArguments)' is not visible to '@Table': mark '\(name)' '@Transient', or remove '\(attribute.withoutArguments)'"
            )
        case .isolated(let attribute):
            (
                Syntax(attribute),
                "a property isolated to '\(attribute.withoutArguments)' can't be saved from elsewhere: mark '\(name)' '@Transient', or remove '\(attribute.withoutArguments)'"
            )
        }
    }

    private mutating func checkConstant(_ property: ModelProperty) {
        guard property.isConstant else { return }
        let keyword = property.declaration.bindingSpecifier
        let fix = FixIt.replace(keyword, by: "var", "Replace 'let' by 'var'")
        if property.initialValue != nil {
            report(
                "constant",
                at: keyword,
                "a 'let' that has its value already can't be loaded: make '\(property.plainName)' a 'var', or mark it '@Transient'",
                fix: fix
            )
        } else if model.isPrimaryKey(property), property.isGeneratedKey {
            report(
                "constantKey",
                at: keyword,
                "the engine gives '\(property.plainName)' its value when the object is saved: make it a 'var'",
                fix: fix
            )
        }
    }

    private mutating func checkCompositeKey(_ property: ModelProperty) {
        guard let type = property.type, property.isGeneratedKey, model.isPrimaryKey(property),
            model.primaryKey.count > 1, let part = property.wrappedType?.trimmedDescription
        else { return }
        report(
            "generatedPart",
            at: type,
            "the engine makes no part of a key of several properties: declare '\(property.plainName)' as '\(part)'",
            fix: .replace(type, by: part, "Replace '\(type.trimmedDescription)' by '\(part)'")
        )
    }

    /// Nobody makes an optional key of other types than `Int64`, unless it is said who does.
    private mutating func checkOptionalKey(_ property: ModelProperty) {
        guard let type = property.type, property.isOptional, !property.isGeneratedKey, model.isPrimaryKey(property),
            model.primaryKey.count == 1, let wrapped = property.wrappedType, wrapped.isKeyOfCaller
        else { return }
        let part = wrapped.trimmedDescription
        let value = part == "UUID" ? ", with the value '= UUID()'" : ""
        report(
            "optionalKey",
            at: type,
            "nobody makes the key '\(property.plainName)': declare it as '\(part)'\(value), or say that the database makes it, by '@PrimaryKey(.database)'",
            fix: .replace(type, by: part, "Replace '\(type.trimmedDescription)' by '\(part)'")
        )
    }

    private mutating func checkArray(_ property: ModelProperty) {
        guard property.isArray, !property.isInverse else { return }
        for marker in property.markers where [.unique, .indexed].contains(marker.kind) {
            report(
                "arrayIndex",
                at: marker.attribute,
                "the array '\(property.plainName)' has a table of its own, not a column to index: remove '\(marker.spelling)'",
                fix: .remove(marker.attribute, "Remove '\(marker.spelling)'")
            )
        }
    }

    private mutating func checkObservers(_ property: ModelProperty) {
        guard model.isClass, property.observers.count > 1, let first = property.observers.first else { return }
        report(
            "observers",
            at: first.accessorSpecifier,
            "'@Table' needs one of the two observers of '\(property.plainName)' to see changes: do all in 'didSet', which knows the 'oldValue'"
        )
    }

    private mutating func checkDeclaredType(_ property: ModelProperty) {
        guard let type = property.wrappedType, let what = type.unstorableKind else { return }
        report(
            "unstorable",
            at: type,
            "\(what) can't be stored in a column: mark '\(property.plainName)' '@Transient', or give it another type"
        )
    }
}

extension TypeSyntax {
    /// Whether this is a type of keys that everyone knows.
    fileprivate var isKeyOfCaller: Bool {
        ["UUID", "Foundation.UUID", "String", "Int", "Int32", "Int16", "UInt32"].contains(trimmedDescription)
    }
}

extension AttributeSyntax {
    fileprivate var withoutArguments: String { "@" + attributeName.trimmedDescription }
}

extension IfConfigDeclSyntax {
    /// The condition as it is written, `#if DEBUG`.
    fileprivate var condition: String {
        "#if " + (clauses.first?.condition?.trimmedDescription ?? "")
    }
}

extension TypeSyntax {
    /// The kind of the type, in words, if no value of such a type can be stored.
    fileprivate var unstorableKind: String? {
        switch kind {
        case .functionType: "a closure"
        case .metatypeType: "a type"
        case .someOrAnyType: "a value of an unknown type"
        case .tupleType:
            switch self.as(TupleTypeSyntax.self)?.elements.count {
            case 1: self.as(TupleTypeSyntax.self)?.elements.first?.type.unstorableKind
            default: "a tuple"
            }
        case .attributedType: self.as(AttributedTypeSyntax.self)?.baseType.unstorableKind
        default:
            ["Any", "AnyObject"].contains(trimmedDescription) ? "a value of an unknown type" : nil
        }
    }
}

extension VariableDeclSyntax {
    /// A fix that gives each variable its own declaration, where they are plain names.
    fileprivate var separated: FixIt? {
        guard bindings.allSatisfy({ $0.pattern.is(IdentifierPatternSyntax.self) }) else { return nil }
        let indentation = leadingTrivia.pieces.reversed().prefix { !$0.isNewline }.reversed().map { $0 }
        let start = "\n" + Trivia(pieces: indentation.filter(\.isSpaceOrTab)).description + bindingSpecifier.text
        let changes = bindings.compactMap { binding -> FixIt.Change? in
            guard let comma = binding.trailingComma else { return nil }
            // `var a, b: Int` gives both the type that only the last one states.
            let isBare = binding.typeAnnotation == nil && binding.initializer == nil
            let type = isBare ? bindings[bindings.index(of: binding)!...].lazy.compactMap(\.typeAnnotation).first : nil
            let text = (type?.trimmedDescription ?? "") + start
            return .replace(
                oldNode: Syntax(comma),
                newNode: Syntax(TokenSyntax.identifier(text, trailingTrivia: .space))
            )
        }
        return FixIt(message: ModelFix("Declare each property by itself"), changes: changes)
    }
}
