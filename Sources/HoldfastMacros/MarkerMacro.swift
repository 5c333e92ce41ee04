import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A macro such as `@Unique`: it expands to nothing, since `@Table` reads it.
protocol MarkerMacro: PeerMacro {}

extension MarkerMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let name = "'@\(node.lastName)'"
        if !declaration.is(VariableDeclSyntax.self) {
            context.diagnose(node, "\(name) belongs on a property: remove it here")
        } else if !isInModel(context.lexicalContext) {
            context.diagnose(
                node,
                "\(name) does nothing outside a model: mark the type with '@Table', or remove \(name)"
            )
        }
        return []
    }

    private static func isInModel(_ scopes: [Syntax]) -> Bool {
        guard let type = scopes.first?.asProtocol((any DeclGroupSyntax).self) else { return false }
        return type.attributes.attributes.contains { $0.nameInHoldfast == "Table" }
    }
}

extension MacroExpansionContext {
    fileprivate func diagnose(_ node: AttributeSyntax, _ message: String) {
        let fix = FixIt.remove(node, "Remove '@\(node.lastName)'")
        diagnose(Diagnostic(node: node, message: ModelMessage(id: "marker", message: message), fixIts: [fix]))
    }
}

enum PrimaryKeyMacro: MarkerMacro {}
enum ColumnMacro: MarkerMacro {}
enum TransientMacro: MarkerMacro {}
enum IndexedMacro: MarkerMacro {}
enum UniqueMacro: MarkerMacro {}
enum RequiredMacro: MarkerMacro {}
enum TimestampMacro: MarkerMacro {}
enum RelationMacro: MarkerMacro {}
enum VersionMacro: MarkerMacro {}
enum OmitIfMissingMacro: MarkerMacro {}
enum ExpiresMacro: MarkerMacro {}
