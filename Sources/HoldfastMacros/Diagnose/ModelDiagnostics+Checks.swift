import NearMisses
import SwiftSyntax

/// The `checks:` of `@Table`.
extension ModelDiagnostics {
    mutating func checkChecks(_ checks: ExprSyntax) {
        guard let array = checks.as(ArrayExprSyntax.self) else {
            report(
                "checks",
                at: checks,
                "the macro must see the checks: write them here, such as '[.check(\"dates\", \"starts_at <= ends_at\")]'"
            )
            return
        }
        for element in array.elements { checkCheck(element.expression) }
    }

    private mutating func checkCheck(_ expression: ExprSyntax) {
        guard let call = expression.as(FunctionCallExprSyntax.self),
            call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "exactlyOne"
        else { return }
        // Not `filter`: that of a syntax collection copies the tree, and an error on a copy has no line.
        let names = call.arguments.compactMap { $0.label == nil ? $0.expression : nil }
        if names.count < 2 {
            report("alternatives", at: expression, "one of several has a value: name two properties at least")
        }
        var seen: Set<String> = []
        for name in names {
            guard let text = name.constantString else {
                report(
                    "alternativeLiteral",
                    at: name,
                    "the macro must see the properties of a check: name them by string literals"
                )
                continue
            }
            if seen.insert(text).inserted {
                checkAlternative(text, at: name)
            } else {
                report("alternativeRepeats", at: name, "'\(text)' is in this check already: remove it")
            }
        }
    }

    private mutating func checkAlternative(_ name: String, at node: ExprSyntax) {
        if let property = model.properties.first(where: { $0.plainName == name }) {
            if !property.isPersisted || property.isInverse || property.isArray {
                report("alternativeName", at: node, "'\(name)' has no column, so no check can look at it: remove it")
            } else if !property.isOptional {
                report("alternativeValue", at: node, "'\(name)' always has a value: make it optional, or remove it")
            }
            return
        }
        reportUnknown(name, at: node, id: "alternativeName")
    }

    /// Reports a name of a property that the model does not have, with those that are like it.
    mutating func reportUnknown(_ name: String, at node: ExprSyntax, id: String) {
        // It may be inherited; the library looks when it makes the mapping.
        guard model.superclass == nil else { return }
        let candidates = nearMisses(of: name, among: model.persisted.map(\.plainName))
        let advice =
            candidates.isEmpty
            ? "write the name of a property as it is declared"
            : "did you mean \(candidates.map { "'\($0)'" }.joined(separator: " or "))?"
        report(
            id, at: node, "'\(model.plainName)' has no property '\(name)': \(advice)",
            fix: candidates.first.map { .replace(node, by: "\"\($0)\"", "Replace '\(name)' by '\($0)'") })
    }
}
