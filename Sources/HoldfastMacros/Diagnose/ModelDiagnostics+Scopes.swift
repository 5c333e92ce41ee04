import NearMisses
import SwiftSyntax

/// The `scopes:` of `@Table`.
extension ModelDiagnostics {
    mutating func checkScopes(_ scopes: ExprSyntax) {
        guard let array = scopes.as(ArrayExprSyntax.self) else {
            report(
                "scopes", at: scopes,
                "the macro must see the scopes: write them here, such as '[.scope(\"published\", where: \"publishedAt IS NOT NULL\")]'"
            )
            return
        }
        var seen: Set<String> = []
        for element in array.elements {
            guard let call = element.expression.as(FunctionCallExprSyntax.self) else { continue }
            for argument in call.arguments {
                let value = argument.expression
                guard let text = value.constantString else {
                    report(
                        "scopeLiteral", at: value,
                        "the macro must see the scopes: write names and conditions as string literals without interpolation"
                    )
                    continue
                }
                if argument.label?.text == "by" { checkScopedName(text, at: value) }
                if argument.label == nil, !seen.insert(text).inserted {
                    report("scopeRepeats", at: value, "there is a scope '\(text)' already: name each otherwise")
                }
                if text.allSatisfy(\.isWhitespace) {
                    report(
                        "emptyScope", at: value,
                        argument.label == nil ? "a scope needs a name" : "a scope needs a condition")
                }
            }
        }
    }

    private mutating func checkScopedName(_ name: String, at node: ExprSyntax) {
        if let property = model.properties.first(where: { $0.plainName == name }) {
            if !property.isPersisted || property.isInverse || property.isArray {
                report(
                    "scopedName", at: node, "'\(name)' has no column, so no scope can be by it: name another property")
            }
            return
        }
        reportUnknown(name, at: node, id: "scopedName")
    }
}
