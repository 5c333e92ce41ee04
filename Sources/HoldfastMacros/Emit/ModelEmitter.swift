import SwiftSyntax

/// Writes the code of a model that has no errors: the last of the three steps.
///
/// You could write its output by hand; the logic is in the library that the generated code calls.
///
/// Every variable states its type. To infer one, the compiler would read the closures of a mapping as soon as another
/// file asks whether the model is a table object; it then chooses among the overloads of `property` while that very
/// question is open for the model or for a related one, takes the answer for no, and finds only the overload that is
/// unavailable.
struct ModelEmitter {
    let model: ModelDeclaration
    /// The directive by which the compiler has errors of a line at a property; nil where the place is not known.
    var placing: (ModelProperty) -> String? = { _ in nil }

    /// The members of the type itself.
    ///
    /// The mapping is here, not in the extension: there it could not have the access of a public type in an internal
    /// one.
    var members: [String] {
        guard model.isClass else { return [mapping] }
        if model.isInHierarchy { return hierarchyMembers }
        var members = ["\(model.access)var _$changes: Holdfast.ChangeTracker = .init()", decodingInitializer]
        if model.losesInitializer { members.append("init() {}") }
        return members + [mapping]
    }

    /// The extension that makes `type` a table object; with its initializer if it is a struct, which would else lose
    /// the memberwise one.
    ///
    /// - Parameters:
    ///   - type: The model's name, with the types that it is nested in.
    ///   - protocols: The protocols that the type does not conform to yet.
    func tableExtension(of type: String, conformingTo protocols: [String]) -> String? {
        let conformances = protocols.isEmpty ? "" : ": " + protocols.joined(separator: ", ")
        guard !model.isClass else { return protocols.isEmpty ? nil : "extension \(type)\(conformances) {}" }
        return """
            extension \(type)\(conformances) {
                \(decodingInitializer.indented())
            }
            """
    }
}

// MARK: - After an error

extension ModelEmitter {
    /// The members of a type with errors, which prevent follow-up errors where it is tracked, created or used.
    var membersDespiteErrors: [String] {
        if model.mayForgetSuperclass { return [] }
        if model.isInHierarchy { return hierarchyMembersDespiteErrors }
        var members: [String] = []
        if model.isClass {
            members.append("var _$changes: Holdfast.ChangeTracker { get { fatalError() } set {} }")
            members.append("init(_$row row: borrowing Holdfast.Row) throws { fatalError() }")
            if model.losesInitializer { members.append("init() {}") }
        }
        if model.canConform {
            let type = "Holdfast.TableMapping<\(model.name.text)>"
            members.append("\(model.access)static var tableMapping: \(type) { fatalError() }")
        }
        return members
    }

    /// The conformance of a type with errors.
    func tableExtensionDespiteErrors(of type: String, conformingTo protocols: [String]) -> String? {
        guard model.canConform, !protocols.isEmpty else { return nil }
        let conformances = model.isInHierarchy ? protocols.joined(separator: ", ") : "Holdfast.TableObject"
        return "extension \(type): \(conformances) {}"
    }
}

extension ModelDeclaration {
    /// Whether Swift would take the conformance, whatever else is wrong; a subclass relies on that of its superclass.
    var canConform: Bool {
        if isInHierarchy { return !mayForgetSuperclass }
        return (kind == .finalClass || kind == .structure) && !isGeneric && !isIsolated && !isNoncopyable
            && !mayForgetSuperclass
    }
}

// MARK: - Parts

extension ModelEmitter {
    /// The properties with their positions, as code.
    ///
    /// - Parameter offset: The number of inherited properties, as code.
    func columns(after offset: String? = nil) -> [(index: String, property: ModelProperty)] {
        model.persisted.enumerated().map { index, property in
            (index: offset.map { "\($0) + \(index)" } ?? "\(index)", property: property)
        }
    }

    /// The statements that set the properties of a new object; of a class those that the row has, if the others are not
    /// needed.
    func decodings(of object: String, after offset: String? = nil) -> [String] {
        columns(after: offset).map { index, property in
            let name = "\(object).\(property.name.text)"
            let arguments = "(at: \(index)\(property.storageArgument))"
            let assignment = "\(name) = try row.decode\(arguments)"
            guard model.isClass else { return assignment }
            if property.isConstant { return assignment }  // it could not be set later
            if property.hasDefault { return "if row.contains(\(index)) { \(assignment) }" }
            if property.isOptional { return "\(name) = try row.contains(\(index)) ? row.decode\(arguments) : nil" }
            return assignment
        }
    }

    private var decodingInitializer: String {
        let lines = decodings(of: "self")
        return """
            init(_$row row: borrowing Holdfast.Row) throws {
                \(lines.joined(separator: "\n").indented())
            }
            """
    }

    private var mapping: String {
        let type = model.name.text
        var arguments = names
        arguments += [
            closure("describe", "table", descriptions),
            "decode: { row in try \(type)(_$row: row) }",
            closure("encode", "object, encoder", encodings()),
            closure("assign", "object, row", assignments()),
        ]
        if model.isClass { arguments.append("changes: { object, body in body(&object._$changes) }") }
        return """
            \(model.access)static let tableMapping: Holdfast.TableMapping<\(type)> = .init(
                \(arguments.joined(separator: ",\n").indented())
            )
            """
    }

    /// The arguments of a mapping that name things.
    var names: [String] {
        var arguments = ["type: \(model.plainName.quoted)"]
        if let schema = model.table.schema { arguments.append("schema: \(schema.trimmedDescription)") }
        if let table = model.table.name { arguments.append("table: \(table.trimmedDescription)") }
        if let names = model.table.formerNames { arguments.append("renamedFrom: \(names.trimmedDescription)") }
        if let naming = model.table.naming { arguments.append("naming: \(naming.trimmedDescription)") }
        if let readOnly = model.table.readOnly { arguments.append("readOnly: \(readOnly.trimmedDescription)") }
        if let log = model.table.log { arguments.append("log: \(log.trimmedDescription)") }
        if let indexes = model.table.indexes { arguments.append("indexes: \(indexes.trimmedDescription)") }
        if let checks = model.table.checks { arguments.append("checks: \(checks.trimmedDescription)") }
        if let search = model.table.search { arguments.append("search: \(search.trimmedDescription)") }
        if let scopes = model.table.scopes { arguments.append("scopes: \(scopes.trimmedDescription)") }
        if let superclass = model.superclass { arguments.append("inherits: \(superclass).self") }
        return arguments
    }

    private func closure(_ label: String, _ parameters: String, _ lines: [String]) -> String {
        guard !lines.isEmpty else { return "\(label): { _, _ in }" }
        return """
            \(label): { \(parameters) in
                \(lines.joined(separator: "\n").indented())
            }
            """
    }

    var descriptions: [String] { model.persisted.map(description) }

    private func description(of property: ModelProperty) -> String {
        let function = model.isPrimaryKey(property) ? "key" : "property"
        var arguments = [property.plainName.quoted, "\\.\(property.name.text)"]
        if let source = property.marker(.primaryKey)?.keySource {
            arguments.append("madeBy: \(source.trimmedDescription)")
        }
        arguments += property.markers.flatMap(options)
        if let storage = property.storage { arguments.append(".storage(\(storage))") }
        if model.isClass, property.isInitialized { arguments.append(".initialized") }
        if let value = property.constantDefault { arguments.append("default: \(value)") }
        let call = "table.\(function)(\(arguments.joined(separator: ", ")))"
        // A type that no column takes is an error of the compiler's, which is to be where the type is.
        guard !property.isOfKnownType, let place = placing(property) else { return call }
        return "\(place)\n\(call)\n#sourceLocation()"
    }

    private func options(_ marker: ColumnMarker) -> [String] {
        switch marker.kind {
        case .unique: [".unique"]
        case .indexed: [".indexed"]
        case .required: [".required"]
        case .version: [".version"]
        case .omitIfMissing: [".omitIfMissing"]
        case .expires: [".expires"]
        case .column:
            [
                option("column", marker.columnName), option("columns", marker.columnNames.map(ExprSyntax.init)),
                option("renamedFrom", marker.formerNames), option("check", marker.check),
                option("generated", marker.generated), option("loading", marker.loading),
            ].compactMap(\.self)
        case .timestamp: marker.timestampKind.map { [".timestamp(.\($0))"] } ?? []
        case .relation:
            [
                option("inverse", marker.inverse), option("through", marker.through),
                option("references", marker.references),
                option("deleteRule", marker.deleteRule),
                option("loading", marker.loading), option("joinTable", marker.joinTable),
                option("order", marker.order), option("orphans", marker.orphans),
                option("foreignKey", marker.foreignKey),
            ].compactMap(\.self)
        case .primaryKey, .transient: []
        }
    }

    private func option(_ name: String, _ argument: ExprSyntax?) -> String? {
        argument.map { ".\(name)(\($0.trimmedDescription))" }
    }

    func encodings(after offset: String? = nil) -> [String] {
        columns(after: offset).map { index, property in
            "try encoder.encode(object.\(property.name.text), at: \(index)\(property.storageArgument))"
        }
    }

    func assignments(after offset: String? = nil) -> [String] {
        columns(after: offset).filter { !$0.property.isConstant }.map { index, property in
            "if row.contains(\(index)) { object.\(property.name.text) = \(decodingCall(property, at: index)) }"
        }
    }

    private func decodingCall(_ property: ModelProperty, at index: String) -> String {
        "try row.decode(at: \(index)\(property.storageArgument))"
    }
}

extension ModelProperty {
    fileprivate var storage: String? { marker(.column)?.storage?.trimmedDescription }
    fileprivate var storageArgument: String { storage.map { ", storage: \($0)" } ?? "" }
}

extension String {
    /// This text with all lines but the first indented by four spaces, to stand after four spaces itself.
    func indented() -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
            .map { $0.offset == 0 || $0.element.isEmpty ? String($0.element) : "    " + $0.element }
            .joined(separator: "\n")
    }
}
