import SwiftSyntax
import SwiftSyntaxBuilder
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
        // Two `didSet` don't compile, and a `didSet` that doesn't use `oldValue` keeps changes in place.
        let observed = property.observers.contains { $0.accessorSpecifier.tokenKind == .keyword(.didSet) }
        return ["\(raw: observed ? "willSet" : "didSet") { _$changes.mark(\(raw: index)) }"]
    }
}
