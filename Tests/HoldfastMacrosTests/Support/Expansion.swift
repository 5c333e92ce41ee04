import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

@testable import HoldfastMacros

/// The macros by their names in source.
private let macros: [String: any Macro.Type] = [
    "Table": TableMacro.self,
    "JSONObject": JSONObjectMacro.self,
    "_Tracked": TrackedMacro.self,
    "PrimaryKey": PrimaryKeyMacro.self,
    "Column": ColumnMacro.self,
    "Transient": TransientMacro.self,
    "Indexed": IndexedMacro.self,
    "Unique": UniqueMacro.self,
    "Required": RequiredMacro.self,
    "Timestamp": TimestampMacro.self,
    "Relation": RelationMacro.self,
    "Version": VersionMacro.self,
    "OmitIfMissing": OmitIfMissingMacro.self,
    "Expires": ExpiresMacro.self,
]

/// The source after all macros in it are expanded.
func expanded(_ source: String) -> String {
    let file = Parser.parse(source: source)
    let root = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
    let conformances: [TypeSyntax] = ["TableObject", "TableHooks"]
    let expanded = file.expand(
        macroSpecs: macros.mapValues { MacroSpec(type: $0, conformances: conformances) },
        contextGenerator: {
            BasicMacroExpansionContext(sharingWith: root, lexicalContext: $0.allMacroLexicalContexts())
        },
        indentationWidth: .spaces(4)
    )
    return expanded.description
}

/// Expects each error of a model exactly where `▸` stands in the source, in this order.
///
/// - Parameters:
///   - source: Types with `@Table`, with `▸` before the tokens that have errors.
///   - messages: The errors, whole.
///   - fixed: The source after all fix-its, if there are any.
func expectErrors(
    in source: String,
    _ messages: [String],
    fixed: String? = nil,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
    let parts = source.split(separator: "▸", omittingEmptySubsequences: false)
    let plain = parts.joined()
    var offset = 0
    let expected = zip(parts, messages).map { part, message in
        offset += part.utf8.count
        return Found(line: location(of: offset, in: plain), message: message)
    }
    #expect(messages.count == parts.count - 1, "one message for each mark", sourceLocation: sourceLocation)

    let context = RecordingContext()
    let file = Parser.parse(source: plain)
    #expect(!file.hasError, "the source must parse", sourceLocation: sourceLocation)
    MacroCaller(context: context).walk(file)
    let diagnostics = context.diagnostics.sorted { $0.position < $1.position }
    let found = diagnostics.map {
        Found(
            line: location(
                of: $0.node.positionAfterSkippingLeadingTrivia.utf8Offset,
                in: plain
            ),
            message: $0.message
        )
    }
    #expect(found == expected, sourceLocation: sourceLocation)

    let areInSource = diagnostics.allSatisfy { $0.node.root.id == Syntax(file).id }
    #expect(
        areInSource,
        "an error on a copy of the source has no line for the compiler",
        sourceLocation: sourceLocation
    )

    let edits = diagnostics.flatMap(\.fixIts).flatMap(\.edits)
    #expect(edits.isEmpty == (fixed == nil), "fix-its are pinned as well", sourceLocation: sourceLocation)
    if let fixed { #expect(apply(edits, to: plain) == fixed, sourceLocation: sourceLocation) }
}

/// Expects that the macros find nothing wrong.
func expectNoErrors(in source: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    expectErrors(in: source, [], sourceLocation: sourceLocation)
}

private struct Found: Equatable {
    let line: String
    let message: String
}

/// The line at `offset`, with a mark where it is.
private func location(of offset: Int, in source: String) -> String {
    let utf8 = Array(source.utf8)
    let start = utf8[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = utf8[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? utf8.count
    return String(decoding: utf8[start..<offset], as: UTF8.self) + "▸"
        + String(decoding: utf8[offset..<end], as: UTF8.self)
}

private func apply(_ edits: [SourceEdit], to source: String) -> String {
    var utf8 = Array(source.utf8)
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
        utf8.replaceSubrange(
            edit.range.lowerBound.utf8Offset..<edit.range.upperBound.utf8Offset,
            with: Array(edit.replacement.utf8)
        )
    }
    return String(decoding: utf8, as: UTF8.self)
}

/// Calls the macros on a source in place, as the compiler does, so that errors and fix-its keep their positions.
private final class MacroCaller: SyntaxAnyVisitor {
    let context: RecordingContext

    init(context: RecordingContext) {
        self.context = context
        super.init(viewMode: .sourceAccurate)
    }

    override func visitAny(_ node: Syntax) -> SyntaxVisitorContinueKind {
        guard let declaration = node.asProtocol((any WithAttributesSyntax).self) else { return .visitChildren }
        for attribute in declaration.attributes.compactMap({ $0.as(AttributeSyntax.self) }) {
            context.lexicalContext = node.allMacroLexicalContexts()
            let macro = macros[attribute.attributeName.trimmedDescription]
            if let group = node.asProtocol((any DeclGroupSyntax).self), macro == TableMacro.self {
                _ = try? TableMacro.expansion(
                    of: attribute,
                    providingMembersOf: group,
                    conformingTo: [],
                    in: context
                )
                _ = try? TableMacro.expansion(
                    of: attribute,
                    attachedTo: group,
                    providingExtensionsOf: TypeSyntax("Model"),
                    conformingTo: [],
                    in: context
                )
            } else if let marker = macro as? any PeerMacro.Type, let declaration = DeclSyntax(node) {
                _ = try? marker.expansion(of: attribute, providingPeersOf: declaration, in: context)
            }
        }
        return .visitChildren
    }
}

private final class RecordingContext: MacroExpansionContext {
    var lexicalContext: [Syntax] = []
    var diagnostics: [Diagnostic] = []

    func makeUniqueName(_ name: String) -> TokenSyntax { .identifier("__\(name)") }
    func diagnose(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }
    func location(
        of node: some SyntaxProtocol,
        at position: PositionInSyntaxNode,
        filePathMode: SourceLocationFilePathMode
    ) -> AbstractSourceLocation? { nil }
}
