import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The macro `@JSONObject`: it writes down the names that the properties of a struct have in JSON.
///
/// They are taken from `CodingKeys`, whether the compiler makes it or the struct declares it: so a name that is not
/// there does not compile.
struct JSONObjectMacro: ExtensionMacro {
    static let formatMode: FormatMode = .disabled

    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            let message = "'@JSONObject' belongs on a struct: remove it here"
            context.diagnose(Diagnostic(node: node, message: ModelMessage(id: "document", message: message)))
            return []
        }
        let members = structure.memberBlock.members.map(\.decl)
        for case let function? in members.map({ $0.as(FunctionDeclSyntax.self) }) where function.isEncode {
            let message =
                "'\(structure.name.text)' encodes itself, so that nothing tells the names of its properties in JSON: let the compiler make 'encode(to:)', or remove '@JSONObject' and ask by paths"
            context.diagnose(Diagnostic(node: function.name, message: ModelMessage(id: "encodes", message: message)))
            return []
        }
        let keys = members.lazy.compactMap { $0.as(EnumDeclSyntax.self) }.first { $0.name.text == "CodingKeys" }?.cases
        let cases = members.compactMap { $0.as(VariableDeclSyntax.self) }
            .flatMap { ModelProperty.all(of: $0, under: nil) }
            .filter { $0.isInstanceStorage && (keys?.contains($0.plainName) ?? true) }
            .map { "        case \\Self.\($0.name.text): CodingKeys.\($0.name.text).stringValue\n" }
        let access: String
        switch structure.modifiers.lazy.compactMap(\.accessLevel).first {
        case .public: access = "public "
        case .package: access = "package "
        default: access = ""
        }
        let body = cases.isEmpty ? "nil" : "switch property {\n\(cases.joined())        default: nil\n        }"
        return [
            ExtensionDeclSyntax(
                text: """
                    extension \(type.trimmedDescription): Holdfast.JSONObjectType {
                        \(access)static func _jsonKey(of property: Swift.PartialKeyPath<Self>) -> Swift.String? {
                            \(body)
                        }
                    }
                    """)
        ]
    }
}

extension FunctionDeclSyntax {
    /// Whether it is `encode(to:)`.
    fileprivate var isEncode: Bool {
        name.text == "encode" && signature.parameterClause.parameters.first?.firstName.text == "to"
    }
}

extension EnumDeclSyntax {
    /// The names of its cases, without backticks.
    fileprivate var cases: [String] {
        memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
            .flatMap { $0.elements.map { $0.name.identifier?.name ?? $0.name.text } }
    }
}
