import SwiftSyntax

// The compiler takes an expansion as text and parses it, so the macros do not parse their text first: each node below
// holds all of it in its first token. See decision 0070.

extension DeclSyntax {
    /// Creates a declaration from its text.
    init(text: String) { self.init(MissingDeclSyntax(placeholder: .identifier(text))) }
}

extension ExtensionDeclSyntax {
    /// Creates an extension from its text.
    init(text: String) {
        self.init(
            extensionKeyword: .identifier(text),
            extendedType: MissingTypeSyntax(placeholder: .identifier("", presence: .missing)),
            memberBlock: MemberBlockSyntax(
                leftBrace: .leftBraceToken(presence: .missing), members: [],
                rightBrace: .rightBraceToken(presence: .missing))
        )
    }
}

extension AccessorDeclSyntax {
    /// Creates an accessor from its text.
    init(text: String) { self.init(accessorSpecifier: .identifier(text)) }
}

extension AttributeSyntax {
    /// Creates an attribute from its text.
    init(text: String) {
        self.init(
            atSign: .identifier(text),
            attributeName: MissingTypeSyntax(placeholder: .identifier("", presence: .missing)))
    }
}
