import SwiftSyntax

/// A method of the model that the library calls while it saves, deletes or fetches.
struct HookMethod {
    enum Kind: String, CaseIterable {
        case willSave, didSave, willDelete, didDelete, didFetch, afterCommit

        /// How the hook is declared.
        func signature(mutating: Bool, transaction: String = "Transaction") -> String {
            switch self {
            case .willSave: "\(mutating ? "mutating " : "")func willSave() throws"
            case .didFetch: "\(mutating ? "mutating " : "")func didFetch() throws"
            case .didSave, .willDelete, .didDelete:
                "func \(rawValue)(in transaction: \(transaction)) async throws"
            case .afterCommit: "func afterCommit()"
            }
        }

        var takesTransaction: Bool { self == .didSave || self == .willDelete || self == .didDelete }
        var mayThrow: Bool { self != .afterCommit }
    }

    let kind: Kind
    let declaration: FunctionDeclSyntax

    /// Takes a method for a hook if it has the name of one, and either no parameters or the one that hooks have.
    init?(_ declaration: FunctionDeclSyntax) {
        guard let kind = Kind(rawValue: declaration.name.identifier?.name ?? "") else { return nil }
        let labels = declaration.signature.parameterClause.parameters.map(\.firstName.text)
        guard labels.isEmpty || labels == ["in"] else { return nil }
        self.kind = kind
        self.declaration = declaration
    }

    /// Whether the library would call it: Swift takes a method with other effects or modifiers for another method.
    var isCallable: Bool {
        let signature = declaration.signature
        let effects = signature.effectSpecifiers
        let hasTransaction = !signature.parameterClause.parameters.isEmpty
        let isHidden = declaration.modifiers.contains {
            switch $0.name.tokenKind {
            case .keyword(.static), .keyword(.class), .keyword(.private), .keyword(.fileprivate): true
            case .keyword(.mutating): kind != .willSave && kind != .didFetch
            default: false
            }
        }
        return hasTransaction == kind.takesTransaction
            && (effects?.asyncSpecifier == nil || kind.takesTransaction)
            && (effects?.throwsClause == nil || kind.mayThrow)
            && signature.returnClause == nil
            && declaration.genericParameterClause == nil
            && !isHidden
            && !declaration.attributes.attributes.contains(where: \.isGlobalActor)
    }
}
