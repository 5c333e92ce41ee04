import SwiftSyntax

extension ModelProperty {
    /// The initial value as code, if it is the same whenever it is evaluated; a column can have it as its default.
    var constantDefault: String? {
        guard let initialValue, let code = initialValue.constantCode else { return nil }
        // `.now` of a date and `.zero` of an identifier look alike, so that members of such types are never taken.
        let isMember = initialValue.is(MemberAccessExprSyntax.self)
        if isMember, let type = wrappedType?.trimmedDescription, typesWithChangingMembers.contains(type) { return nil }
        return code
    }
}

/// Types with static members that differ from one evaluation to the next.
private let typesWithChangingMembers: Set = [
    "Date", "UUID", "Locale", "TimeZone", "Calendar", "Foundation.Date", "Foundation.UUID",
]

/// Names of static members that give another value each time.
private let changingMembers: Set = [
    "now", "today", "current", "autoupdatingCurrent", "random", "next", "new", "unique",
]

extension ExprSyntax {
    /// This expression on one line, if it is a literal or a static member; nil for whatever is computed.
    fileprivate var constantCode: String? {
        switch kind {
        case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr:
            return trimmedDescription
        case .stringLiteralExpr:
            return constantString.map(\.quoted)
        case .prefixOperatorExpr:
            guard let prefix = self.as(PrefixOperatorExprSyntax.self), ["-", "+"].contains(prefix.operator.text),
                [.integerLiteralExpr, .floatLiteralExpr].contains(prefix.expression.kind)
            else { return nil }
            return trimmedDescription
        case .arrayExpr:
            let elements = self.as(ArrayExprSyntax.self)?.elements.map(\.expression.constantCode) ?? []
            guard elements.allSatisfy({ $0 != nil }) else { return nil }
            return "[\(elements.compactMap(\.self).joined(separator: ", "))]"
        case .dictionaryExpr:
            guard case .colon = self.as(DictionaryExprSyntax.self)?.content else { return nil }
            return "[:]"
        case .memberAccessExpr:
            return self.as(MemberAccessExprSyntax.self)?.constantCode
        default:
            return nil
        }
    }
}

extension MemberAccessExprSyntax {
    /// `.planned` or `Status.planned`, but not `.now`, nor a member of a value.
    fileprivate var constantCode: String? {
        guard declName.argumentNames == nil, let name = declName.baseName.identifier?.name,
            !changingMembers.contains(name), base?.isConstantType ?? true
        else { return nil }
        return (base?.trimmedDescription ?? "") + "." + declName.baseName.text
    }
}

extension ExprSyntax {
    /// Whether this names a type whose static members one can rely on, by the custom of naming types in upper case.
    fileprivate var isConstantType: Bool {
        if let reference = self.as(DeclReferenceExprSyntax.self) {
            let name = reference.baseName.text
            return name != "Self" && !typesWithChangingMembers.contains(name) && (name.first?.isUppercase ?? false)
        }
        guard let member = self.as(MemberAccessExprSyntax.self), let base = member.base else { return false }
        let name = member.declName.baseName.text
        return base.isConstantType && !typesWithChangingMembers.contains(name) && (name.first?.isUppercase ?? false)
    }
}

extension String {
    /// This text as a string literal on one line.
    var quoted: String {
        var literal = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case "\0": literal += "\\0"
            case _ where scalar.properties.generalCategory == .control:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
