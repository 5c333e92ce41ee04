import SwiftDiagnostics
import SwiftSyntax

/// An error in a model, or a warning where the macro does not see all: a sentence that says what to do.
struct ModelMessage: DiagnosticMessage {
    /// A stable name for the kind of error.
    let id: String
    let message: String
    var severity = DiagnosticSeverity.error

    var diagnosticID: MessageID { MessageID(domain: "Holdfast", id: id) }
}

/// A fix-it, named by a command: "Insert 'final'".
struct ModelFix: FixItMessage {
    let message: String

    init(_ message: String) { self.message = message }

    var fixItID: MessageID { MessageID(domain: "Holdfast", id: "fix") }
}

extension FixIt {
    /// Puts `text` in the place of `node`, keeping the trivia around it.
    static func replace(_ node: some SyntaxProtocol, by text: String, _ message: String) -> FixIt {
        let token = TokenSyntax.identifier(text, leadingTrivia: node.leadingTrivia, trailingTrivia: node.trailingTrivia)
        return FixIt(
            message: ModelFix(message),
            changes: [.replace(oldNode: Syntax(node), newNode: Syntax(token))]
        )
    }

    /// Takes `node` away, with the space after it.
    static func remove(_ node: some SyntaxProtocol, _ message: String) -> FixIt {
        let nothing = TokenSyntax.identifier("", leadingTrivia: node.leadingTrivia)
        return FixIt(
            message: ModelFix(message),
            changes: [.replace(oldNode: Syntax(node), newNode: Syntax(nothing))]
        )
    }

    /// Puts `text` after `node`.
    static func insert(_ text: String, after node: some SyntaxProtocol, _ message: String) -> FixIt {
        replace(node, by: node.trimmedDescription + text, message)
    }
}
