import SwiftParser
import SwiftSyntax

/// The attribute `@Table` and its arguments.
struct TableAttribute {
    let node: AttributeSyntax

    init(_ node: AttributeSyntax) { self.node = node }

    /// The table's name, where it is given.
    var name: ExprSyntax? { node.argument(labeled: nil)?.unlessNil }

    /// The schema of the table, where it is given.
    var schema: ExprSyntax? { node.argument(labeled: "schema")?.unlessNil }

    /// The names that the type or its table had before.
    var formerNames: ExprSyntax? { node.argument(labeled: "renamedFrom") }

    var naming: ExprSyntax? { node.argument(labeled: "naming") }

    /// Whether objects are only read, where it is said.
    var readOnly: ExprSyntax? { node.argument(labeled: "readOnly") }
    var log: ExprSyntax? { node.argument(labeled: "log") }

    var indexes: ExprSyntax? { node.argument(labeled: "indexes") }

    /// The conditions that rows meet.
    var checks: ExprSyntax? { node.argument(labeled: "checks") }
    /// The properties of a full text search.
    var search: ExprSyntax? { node.argument(labeled: "search") }
    /// The conditions of what reads see.
    var scopes: ExprSyntax? { node.argument(labeled: "scopes") }

    /// The class that the model extends, as it is given: `Animal.self`.
    var inherits: ExprSyntax? { node.argument(labeled: "inherits")?.unlessNil }

    /// The class that the model extends, as code: `Animal`, or `Zoo.Animal`.
    var inheritedType: String? {
        guard let access = inherits?.as(MemberAccessExprSyntax.self), access.declName.baseName.text == "self" else {
            return nil
        }
        return access.base?.trimmedDescription
    }

    /// How a property's name becomes a column's, as far as it can be known from syntax.
    var columnName: ((String) -> String)? {
        guard let naming else { return \.snakeCased }
        switch naming.as(MemberAccessExprSyntax.self)?.declName.baseName.text {
        case "snakeCase": return \.snakeCased
        case "asDeclared": return { $0 }
        default: return nil
        }
    }
}

extension ExprSyntax {
    /// The text of a string literal without interpolation.
    var constantString: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
}
