import SwiftDiagnostics
import SwiftSyntax

extension ModelDiagnostics {
    /// Finds what is wrong with `inherits:`, and with what a subclass adds to its superclass.
    mutating func checkHierarchy() {
        guard let inherits = model.table.inherits else { return }
        guard let type = model.table.inheritedType else {
            report(
                "inherits", at: inherits,
                "the macro must see the superclass: write its type here, such as 'Animal.self'")
            return
        }
        guard model.isClass else {
            report(
                "inheritsStruct",
                at: inherits,
                "a struct inherits from nothing: make '\(model.plainName)' a class, or remove 'inherits:'"
            )
            return
        }
        guard let superclass = model.superclass else {
            reportNoSuperclass(type)
            return
        }
        for property in model.properties {
            if let marker = property.marker(.primaryKey) { reportSecondKey(marker, superclass) }
            if !model.hasDesignatedInitializer { checkObserversOfInherited(property) }
        }
    }

    private mutating func reportNoSuperclass(_ type: String) {
        guard let first = model.firstInherited else {
            report(
                "noSuperclass",
                at: model.name,
                "'\(model.plainName)' inherits from nothing: write 'class \(model.name.text): \(type)', or remove 'inherits:'",
                fix: .insert(": \(type)", after: model.name, "Insert ': \(type)'")
            )
            return
        }
        report(
            "otherSuperclass",
            at: first,
            "'inherits:' names '\(type)', and '\(model.plainName)' does not inherit from that: write 'class \(model.name.text): \(type)', or name '\(first.trimmedDescription)'"
        )
    }

    private mutating func reportSecondKey(_ marker: ColumnMarker, _ superclass: String) {
        report(
            "inheritedKey",
            at: marker.attribute,
            "'\(model.plainName)' has the primary key of '\(superclass)': remove '@PrimaryKey'",
            fix: .remove(marker.attribute, "Remove '@PrimaryKey'")
        )
    }

    /// Without an initializer of its own a class inherits those of its superclass, and is loaded after one of them is
    /// done.
    private mutating func checkObserversOfInherited(_ property: ModelProperty) {
        guard property.isPersisted, property.observers.count == 1, let observer = property.observers.first else {
            return
        }
        report(
            "inheritedInitializer",
            at: observer.accessorSpecifier,
            "'\(model.plainName)' inherits its initializers, so that '\(observer.accessorSpecifier.text)' would run when '\(property.plainName)' is loaded: declare an 'init' in '\(model.plainName)'"
        )
    }
}
