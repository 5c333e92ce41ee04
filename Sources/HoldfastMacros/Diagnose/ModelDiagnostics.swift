import SwiftDiagnostics
import SwiftSyntax

/// Finds what is wrong with a model: the second of the three steps.
///
/// Each error sits on the token to change, and says in one sentence what to do.
struct ModelDiagnostics {
    let model: ModelDeclaration
    private(set) var found: [Diagnostic] = []

    /// The errors and warnings of `model`, in the order of the source; no errors if it can be emitted.
    static func check(_ model: ModelDeclaration) -> [Diagnostic] {
        var diagnostics = ModelDiagnostics(model: model)
        diagnostics.checkKind()
        guard diagnostics.found.isEmpty else { return diagnostics.found }
        diagnostics.checkType()
        diagnostics.checkHierarchy()
        diagnostics.checkPrimaryKey()
        for property in model.properties { diagnostics.check(property) }
        diagnostics.checkInitializers()
        diagnostics.checkHooks()
        diagnostics.checkTable()
        diagnostics.checkInverses()
        return diagnostics.found.sorted { $0.position < $1.position }
    }

    mutating func report(_ id: String, at node: some SyntaxProtocol, _ message: String, fix: FixIt? = nil) {
        report(ModelMessage(id: id, message: message), at: node, fix: fix)
    }

    mutating func report(_ message: ModelMessage, at node: some SyntaxProtocol, fix: FixIt? = nil) {
        found.append(Diagnostic(node: node, message: message, fixIts: fix.map { [$0] } ?? []))
    }
}

// MARK: - The type

extension ModelDiagnostics {
    /// Diagnoses errors that make further checks pointless.
    private mutating func checkKind() {
        if case .unsupported(let what) = model.kind {
            let advice =
                model.declaration.is(ExtensionDeclSyntax.self)
                ? "put it on the declaration of the type" : "make '\(model.plainName)' a final class or a struct"
            report(
                "kind",
                at: model.declaration.introducer,
                "'@Table' works on classes and structs, not on \(what): \(advice)"
            )
        }
        if model.isLocal {
            report(
                "local",
                at: model.name,
                "a model can't be declared inside a function: move '\(model.plainName)' to file scope or into a type"
            )
        }
    }

    private mutating func checkType() {
        for modifier in model.declaration.modifiers {
            guard let level = modifier.accessLevel, level == .private || level == .fileprivate else { continue }
            report(
                "private",
                at: modifier,
                "a model can't be '\(modifier.trimmedDescription)', since the mapping that the library gets is not: remove '\(modifier.trimmedDescription)'",
                fix: .remove(modifier, "Remove '\(modifier.trimmedDescription)'")
            )
        }
        for attribute in model.declaration.attributes.attributes {
            if attribute.isGlobalActor { reportIsolated(attribute) }
            if attribute.lastName == "Observable" { reportObservable(attribute) }
        }
        if let parameters = model.genericParameters {
            report(
                "generic",
                at: parameters,
                "a model can't be generic, since its table has one set of columns: remove '\(parameters.trimmedDescription)'"
            )
        }
        if let outer = model.genericScope?.asProtocol((any NamedDeclSyntax).self)?.name {
            report(
                "generic",
                at: model.name,
                "a model can't be generic, and '\(model.plainName)' is through '\(outer.text)': declare it outside"
            )
        }
        for inherited in model.declaration.inheritanceClause?.inheritedTypes ?? []
        where inherited.type.is(SuppressedTypeSyntax.self) {
            report(
                "noncopyable",
                at: inherited.type,
                "a model must be copyable: remove '\(inherited.type.trimmedDescription)'"
            )
        }
        if model.isClass, let inherited = model.inherited(["Sendable"]) {
            report(
                "sendable",
                at: inherited.type,
                "a class with '@Table' remembers what changes, and so can't be 'Sendable': make it a struct, or remove 'Sendable'"
            )
        }
    }

    private mutating func reportIsolated(_ attribute: AttributeSyntax) {
        let name = attribute.trimmedDescription
        report(
            "isolated",
            at: attribute,
            "a model can't be isolated to '\(name)', since the library reads it wherever it is saved: remove '\(name)', and isolate what holds '\(model.plainName)'",
            fix: .remove(attribute, "Remove '\(name)'")
        )
    }

    private mutating func reportObservable(_ attribute: AttributeSyntax) {
        report(
            "observable",
            at: attribute,
            "'@Observable' makes computed properties of stored ones, which leaves '@Table' nothing to store: remove it, and observe the object that holds '\(model.plainName)'",
            fix: .remove(attribute, "Remove '@Observable'")
        )
    }

    private mutating func checkPrimaryKey() {
        guard model.primaryKey.isEmpty, model.table.inherits == nil else { return }
        // A property that is to be the key, but can't be one, has an error of its own.
        guard !model.properties.contains(where: { $0.marker(.primaryKey) != nil }) else { return }
        if model.mayForgetSuperclass, let superclass = model.firstInherited?.trimmedDescription {
            report(
                "forgottenSuperclass",
                at: model.name,
                "'\(model.plainName)' has no primary key: write '@Table(inherits: \(superclass).self)' to inherit that of '\(superclass)', or add 'var id: Int64?'"
            )
            return
        }
        report(
            "noPrimaryKey",
            at: model.name,
            "'\(model.plainName)' has no primary key: add 'var id: Int64?', or mark the properties that identify it with '@PrimaryKey'",
            fix: .insert(
                "\n    \(model.access)var id: Int64?",
                after: model.declaration.memberBlock.leftBrace,
                "Insert 'var id: Int64?'"
            )
        )
    }
}

// MARK: - Initializers and hooks

extension ModelDiagnostics {
    private mutating func checkInitializers() {
        guard model.isClass else { return }
        if model.initializers.isEmpty {
            // Another macro may add an initializer, and so does Swift for what is decodable.
            let hasForeignMacro = model.declaration.attributes.attributes.contains {
                $0.isCustom && $0.nameInHoldfast != "Table"
            }
            guard let property = model.propertiesWithoutDefault.first, !hasForeignMacro,
                model.inherited(["Codable", "Decodable"]) == nil
            else { return }
            report(
                "noInitializer",
                at: model.name,
                "class '\(model.plainName)' has no initializer, and '\(property.plainName)' has no value without one: add an 'init'"
            )
        } else if model.initializers.allSatisfy({ $0.isConditional }) {
            report(
                "conditionalInitializer",
                at: model.initializers[0].initKeyword,
                "a macro can't tell whether '#if' leaves an initializer: add one outside '#if' to '\(model.plainName)'"
            )
        }
    }

    private mutating func checkHooks() {
        for hook in model.hooks where !hook.isCallable {
            let signature = hook.kind.signature(mutating: model.kind == .structure)
            report(
                "hook",
                at: hook.declaration.name,
                "'\(hook.kind.rawValue)' is a hook that would never be called as it is declared here: write '\(model.access)\(signature)'"
            )
        }
    }
}

extension InitializerDeclSyntax {
    fileprivate var isConditional: Bool {
        var node = parent
        while let current = node, !current.is(MemberBlockSyntax.self) {
            if current.is(IfConfigDeclSyntax.self) { return true }
            node = current.parent
        }
        return false
    }
}
