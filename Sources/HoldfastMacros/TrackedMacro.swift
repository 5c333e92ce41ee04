import SwiftSyntax
import SwiftSyntaxMacros

/// The macro `@_Tracked`, which `@Table` puts on the stored properties of a class: it marks changes.
struct TrackedMacro: AccessorMacro {
    static let formatMode: FormatMode = .disabled

    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let variable = declaration.as(VariableDeclSyntax.self),
            let property = ModelProperty.all(of: variable, under: nil).first,
            let index = node.argument(labeled: nil)?.trimmedDescription
                ?? node.argument(labeled: "afterInherited").map({ "_$Table.offset + \($0.trimmedDescription)" })
        else { return [] }
        let name = "self.\(property.name.text)"
        // Two `didSet` don't compile.
        let isObserved = property.observers.contains { $0.accessorSpecifier.tokenKind == .keyword(.didSet) }
        let (old, new) = isObserved ? (name, "newValue") : ("oldValue", name)
        let mark =
            if property.weakKeyword != nil {
                "mark(\(index), fromWeak: \(old), to: \(new))"
            } else if property.isChangedInPlace, !isObserved {
                // A `didSet` that makes no use of `oldValue` keeps changes in place.
                "mark(\(index))"
            } else {
                "mark(\(index), from: \(old), to: \(new))"
            }
        return [AccessorDeclSyntax(text: "\(isObserved ? "willSet" : "didSet") { _$changes.\(mark) }")]
    }
}
