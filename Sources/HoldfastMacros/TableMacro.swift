import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The macro `@Table`: it parses the type, finds what is wrong with it, and emits its mapping.
struct TableMacro {
    /// The code is laid out as it is to be read; formatting it again would only take time.
    static let formatMode: FormatMode = .disabled
}

extension [Diagnostic] {
    fileprivate var haveNoErrors: Bool { !contains { $0.diagMessage.severity == .error } }
}

extension TableMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let model = ModelDeclaration(declaration, attribute: node, enclosing: context.lexicalContext)
        let problems = ModelDiagnostics.check(model)
        if !model.isReportedByExtension { problems.forEach(context.diagnose) }
        let emitter = ModelEmitter(model: model) { property in
            context.location(of: property.name, at: .afterLeadingTrivia, filePathMode: .filePath).map { place in
                "#sourceLocation(file: \(place.file.trimmedDescription), line: \(place.line.trimmedDescription))"
            }
        }
        return (problems.haveNoErrors ? emitter.members : emitter.membersDespiteErrors).map { DeclSyntax(text: $0) }
    }
}

extension TableMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard declaration.is(ClassDeclSyntax.self), let variable = member.as(VariableDeclSyntax.self),
            let property = ModelProperty.all(of: variable, under: nil).first, property.isTracked
        else { return [] }
        let model = ModelDeclaration(declaration, attribute: node, enclosing: [])
        guard let index = model.persisted.firstIndex(where: { $0.name.text == property.name.text }) else { return [] }
        let label = model.superclass == nil ? "" : "afterInherited: "
        return [AttributeSyntax(text: "@Holdfast._Tracked(\(label)\(index))")]
    }
}

extension TableMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        let model = ModelDeclaration(declaration, attribute: node, enclosing: context.lexicalContext)
        let emitter = ModelEmitter(model: model)
        let problems = ModelDiagnostics.check(model)
        if model.isReportedByExtension { problems.forEach(context.diagnose) }
        let name = type.trimmedDescription
        let code =
            problems.haveNoErrors
            ? emitter.tableExtension(of: name, conformingTo: model.conformances(among: protocols))
            : emitter.tableExtensionDespiteErrors(of: name, conformingTo: model.conformances(among: protocols))
        return code.map { [ExtensionDeclSyntax(text: $0)] } ?? []
    }
}

extension ModelDeclaration {
    /// Whether the macro's role as an extension reports the errors, which exactly one role must: Swift expands the
    /// members of an enum only if they are needed, and no extension of a local type.
    fileprivate var isReportedByExtension: Bool {
        if case .unsupported = kind { !isLocal } else { false }
    }

    /// The protocols that the model is to conform to, of those that it does not conform to yet.
    ///
    /// One with a hook conforms to the protocol of hooks: a hook that is declared is not to be passed over. A class
    /// that can have subclasses always does, or theirs could not be called; and the compiler doesn't survive that a
    /// subclass asks what became of a conformance that the macro announces and does not make.
    fileprivate func conformances(among protocols: [TypeSyntax]) -> [String] {
        let missing = protocols.map { $0.trimmedDescription.split(separator: ".").last ?? "" }
        guard superclass == nil else { return [] }
        let wanted = hooks.isEmpty && !isInHierarchy ? ["TableObject"] : ["TableObject", "TableHooks"]
        return wanted.filter { missing.contains(Substring($0)) }.map { "Holdfast.\($0)" }
    }
}
