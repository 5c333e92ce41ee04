import SwiftDiagnostics
import SwiftSyntax

extension ModelDiagnostics {
    /// Computed and static variables are ignored, but not silently if somebody thinks they have columns.
    mutating func checkThatNothingMarks(_ property: ModelProperty) {
        for marker in property.markers {
            let what =
                switch property.form {
                case .shared(let keyword): keyword.text
                case .inherited: "inherited"
                default: "computed"
                }
            report(
                "noColumn",
                at: marker.attribute,
                "'\(property.plainName)' is \(what), so it has no column: remove '\(marker.spelling)'",
                fix: .remove(marker.attribute, "Remove '\(marker.spelling)'")
            )
        }
    }

    /// Finds attributes that exclude each other, and arguments that can't be read.
    mutating func checkMarkers(_ property: ModelProperty) {
        for (index, marker) in property.markers.enumerated() {
            for earlier in property.markers[..<index] {
                guard let reason = exclusion(earlier.kind, marker.kind) else { continue }
                reportExclusion(marker, reason)
                break
            }
            checkArguments(marker, of: property)
        }
        guard model.isPrimaryKey(property), property.marker(.primaryKey) == nil else { return }
        for marker in property.markers {
            guard let reason = exclusion(.primaryKey, marker.kind) else { continue }
            reportExclusion(marker, "'\(property.plainName)' is the primary key, and " + reason)
        }
    }

    private mutating func reportExclusion(_ marker: ColumnMarker, _ reason: String) {
        report(
            "exclusive",
            at: marker.attribute,
            "\(reason): remove '\(marker.spelling)'",
            fix: .remove(marker.attribute, "Remove '\(marker.spelling)'")
        )
    }

    /// Why two attributes can't be on one property; nil if they can.
    private func exclusion(_ first: ColumnMarker.Kind, _ second: ColumnMarker.Kind) -> String? {
        if first == second {
            return first == .timestamp
                ? "a property holds one time, of creation, of modification or of deletion"
                : "'@\(first.rawValue)' is there already"
        }
        let pair = Set([first, second])
        if pair.contains(.transient) { return "a '@Transient' property has no column" }
        if pair == [.primaryKey, .unique] { return "a primary key is unique as it is" }
        if pair == [.primaryKey, .timestamp] { return "a primary key never changes, and a timestamp does" }
        if pair == [.primaryKey, .version] { return "a primary key never changes, and a version does" }
        if pair == [.primaryKey, .omitIfMissing] { return "a primary key is always there" }
        if pair == [.timestamp, .version] { return "a version is a number, not a date" }
        if pair == [.relation, .version] { return "a version is a number, not an object" }
        if pair == [.version, .omitIfMissing] { return "a version is always there" }
        if pair == [.version, .unique] { return "objects are updated equally often" }
        if pair == [.primaryKey, .relation] { return "a primary key is made of values, not of objects" }
        if pair == [.primaryKey, .expires] { return "a primary key never changes, and when an object expires may" }
        if pair == [.timestamp, .expires] { return "a timestamp is the time of a save, when the object would expire" }
        if pair == [.version, .expires] { return "a version is a number, not a date" }
        if pair == [.relation, .expires] { return "when an object expires is a date, not an object" }
        if pair == [.timestamp, .relation] { return "a timestamp is a date, not an object" }
        return nil
    }

    private mutating func checkArguments(_ marker: ColumnMarker, of property: ModelProperty) {
        switch marker.kind {
        case .column: checkColumn(marker, of: property)
        case .timestamp: checkTimestamp(marker, of: property)
        case .relation: checkRelation(marker, of: property)
        case .version: checkVersion(marker, of: property)
        case .omitIfMissing: checkOmitIfMissing(marker, of: property)
        case .expires: checkExpires(marker, of: property)
        default: break
        }
    }

    private mutating func checkColumn(_ marker: ColumnMarker, of property: ModelProperty) {
        checkStorage(marker, of: property)
        checkGenerated(marker, of: property)
        checkCheck(marker, of: property)
        if let loading = marker.loading { checkColumnLoading(loading, of: property) }
        if let names = marker.columnNames {
            for element in names.elements { checkName(element.expression, of: "column") }
            guard property.isArray || property.isInverse || property.type?.isValue ?? true else { return }
            report(
                "columnsOfValue",
                at: names,
                "'\(property.plainName)' has no key of several columns, which only a reference has: name one column, or none"
            )
            return
        }
        guard let name = marker.columnName else {
            guard marker.storage == nil, marker.formerNames == nil, marker.generated == nil, marker.check == nil,
                marker.loading == nil
            else { return }
            report(
                "emptyColumn",
                at: marker.attribute,
                "'@Column' changes nothing by itself: give it a name or a storage, such as '@Column(\"name\")', or remove it",
                fix: .remove(marker.attribute, "Remove '@Column'")
            )
            return
        }
        checkName(name, of: "column")
    }

    /// Reports a column on demand that objects can't be without.
    private mutating func checkColumnLoading(_ loading: ExprSyntax, of property: ModelProperty) {
        guard isOnDemand(loading) else { return }
        if let type = property.type, !property.isOptional, property.initialValue == nil {
            report(
                "onDemandColumn", at: type,
                "'\(property.plainName)' has no value while it is not loaded: declare it as '\(type.trimmedDescription)?', or give it a value",
                fix: .insert("?", after: type, "Insert '?'"))
        }
    }

    /// Reports a storage that is not made for the property's type, where both can be seen.
    private mutating func checkStorage(_ marker: ColumnMarker, of property: ModelProperty) {
        if let storage = marker.storage, storage.storageName == "array" { return checkArrayStorage(storage, property) }
        guard let storage = marker.storage, let name = storage.storageName, let known = storageTypes[name],
            let type = property.elementType?.trimmedDescription, valueTypes.contains(type)
        else { return }
        if type == "Date", model.isPrimaryKey(property), known.contains(type), !keyStorages.contains(name) {
            report(
                "dateKey", at: storage,
                "'.\(name)' has no one form of an instant, so that the date can't be a key: use '.seconds', '.milliseconds' or no storage"
            )
        }
        if known.contains(type) { return }
        report(
            "storageType",
            at: storage,
            "no '\(type)' is stored as '.\(name)', which is for \(known.map { "'\($0)'" }.joined(separator: ", ")): choose another storage, or remove it"
        )
    }

    private mutating func checkArrayStorage(_ storage: ExprSyntax, _ property: ModelProperty) {
        guard let type = property.elementType?.trimmedDescription, valueTypes.contains(type) else { return }
        if !property.isArray {
            report(
                "storageType", at: storage,
                "'\(property.plainName)' is no array, as which '.array' stores it: choose another storage, or remove it"
            )
        } else if type == "Data" {
            report(
                "storageType", at: storage,
                "an array of '\(type)' can't be in one column: remove the storage, and it has a table of its own")
        }
    }

    private mutating func checkCheck(_ marker: ColumnMarker, of property: ModelProperty) {
        guard let check = marker.check else { return }
        let reason: String? =
            if property.isArray {
                "an array is no single value"
            } else if property.marker(.relation) != nil {
                "a relation is checked by its foreign key"
            } else if let generated = marker.generated, generated.is(BooleanLiteralExprSyntax.self) {
                "what the database computes is not checked"
            } else if let type = property.elementType?.trimmedDescription, valueTypes.contains(type) {
                "'\(type)' is no enum"
            } else {
                nil
            }
        guard let reason else { return }
        report("check", at: check, "\(reason): remove 'check'")
    }

    private mutating func checkGenerated(_ marker: ColumnMarker, of property: ModelProperty) {
        guard let generated = marker.generated else { return }
        guard generated.is(BooleanLiteralExprSyntax.self) else {
            report(
                "generatedLiteral", at: generated,
                "the macro must see whether the column is generated: write 'true' here"
            )
            return
        }
        let reason: String? =
            if model.isPrimaryKey(property) {
                "a primary key is found by, and so is known before it is saved"
            } else if property.marker(.timestamp) != nil {
                "a timestamp is set by a save"
            } else if property.marker(.version) != nil {
                "a version is counted up by a save"
            } else if property.isArray, marker.storage == nil {
                "an array has a table of its own"
            } else if property.marker(.relation) != nil {
                "a relation is a key that is saved"
            } else {
                nil
            }
        guard let reason else { return }
        report("generated", at: generated, "\(reason): remove 'generated: true'")
    }

    private mutating func checkVersion(_ marker: ColumnMarker, of property: ModelProperty) {
        if property.isConstant {
            report(
                "constantVersion", at: marker.attribute, "a version is counted up: make '\(property.plainName)' a 'var'"
            )
        }
        guard let type = property.type, property.isOptional else { return }
        report(
            "optionalVersion", at: type,
            "a version is never nil: declare '\(property.plainName)' as 'Int', with a value of 0")
    }

    private mutating func checkOmitIfMissing(_ marker: ColumnMarker, of property: ModelProperty) {
        guard let type = property.type, !property.isOptional, !property.isArray, type.isValue else { return }
        report(
            "omitIfMissing", at: type,
            "'\(property.plainName)' is always there: make it optional, or remove '@OmitIfMissing'",
            fix: .remove(marker.attribute, "Remove '@OmitIfMissing'")
        )
    }

    private mutating func checkTimestamp(_ marker: ColumnMarker, of property: ModelProperty) {
        if let kind = marker.unlabeledArgument, marker.timestampKind == nil {
            report(
                "timestampKind",
                at: kind,
                "the macro must see which time to keep: write '.created', '.modified' or '.deleted' here"
            )
        }
        checkDate("timestampType", property, "a timestamp is a date")
        guard marker.timestampKind == "deleted", let type = property.type, type.isDate, !property.isOptional else {
            return
        }
        report(
            "deletedType",
            at: type,
            "an object has a time of deletion only once it is deleted: declare '\(property.plainName)' as 'Date?'",
            fix: .replace(type, by: "Date?", "Replace 'Date' by 'Date?'")
        )
    }

    private mutating func checkExpires(_ marker: ColumnMarker, of property: ModelProperty) {
        checkDate("expiresType", property, "when an object expires is a date")
        guard let storage = property.marker(.column)?.storage, let name = storage.storageName,
            unorderedStorages.contains(name)
        else { return }
        report(
            "expiresStorage",
            at: storage,
            "the engine finds out by comparing numbers when '\(property.plainName)' has passed: choose '.seconds', '.milliseconds', or no storage"
        )
    }

    /// Reports a property that can't be a date, as far as can be seen.
    private mutating func checkDate(_ id: String, _ property: ModelProperty, _ reason: String) {
        guard let type = property.wrappedType, !type.isDate else { return }
        report(
            id,
            at: type,
            "\(reason): declare '\(property.plainName)' as 'Date?'",
            fix: .replace(
                property.type ?? type,
                by: "Date?",
                "Replace '\(property.type?.trimmedDescription ?? "")' by 'Date?'"
            )
        )
    }
}

/// The types that each storage is made for.
private let storageTypes: [String: [String]] = [
    "iso8601": ["Date"], "secondsSince1970": ["Date"], "secondsSince2001": ["Date"],
    "millisecondsSince1970": ["Date"], "exact": ["Date"], "seconds": ["Date"], "milliseconds": ["Date"],
    "julianDay": ["Date"], "text": ["Date", "UUID", "Decimal", "String"], "uppercaseText": ["UUID"], "words": ["Bool"],
    "scaled": ["Decimal"], "integer": ["Bool"],
]

/// The storages of a date whose values are not in the order of time for an engine.
private let unorderedStorages: Set = ["iso8601", "text", "julianDay"]

/// The storages of a date that is a key.
private let keyStorages: Set = ["seconds", "milliseconds", "native"]

/// The types of values that are known by their names; others may convert to one of them.
private let valueTypes: Set = [
    "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Float", "Double",
    "Decimal", "String", "Data", "Date", "UUID", "URL",
]

extension ExprSyntax {
    /// The name in `.name`, or in `.name(…)`.
    fileprivate var storageName: String? {
        let called = self.as(FunctionCallExprSyntax.self)?.calledExpression ?? self
        return called.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }
}

extension TypeSyntax {
    /// Whether this may be `Date`, which a type alias could also be called.
    fileprivate var isDate: Bool {
        if let type = self.as(IdentifierTypeSyntax.self) { return type.name.text == "Date" }
        if let type = self.as(MemberTypeSyntax.self) { return type.name.text == "Date" }
        return false
    }
}
