// swift-format-ignore-file
import Foundation
import Holdfast

@propertyWrapper struct Clamped { var wrappedValue: Int }

@Table final class Fine {
    var id: Int64?
    var observed = 0 { didSet { print(oldValue) } }
    @Transient var both = 0 { willSet {} didSet {} }
    @Transient lazy var cache = 1
    @Transient weak var parent: Fine?
    @Transient @Clamped var clamped = 1
    @Transient @MainActor var title = ""
    @Transient let constant = 1
    static let a = 1, b = 2
    #if os(Linux) || os(macOS)
    var computed: Int { 1 }
    @Transient var conditional = 1
    func method() {}
    #endif
}

@Table final class Wrong {
    var id: Int64?
    lazy var a = 1  // expected-error: a lazy property can't be loaded: mark 'a' '@Transient', or remove 'lazy'
    weak var b: Fine?
    unowned var c: Fine  // expected-error: the object of 'unowned var c' may be gone when it is saved
    @Clamped var d = 1  // expected-error: the value behind '@Clamped' is not visible to '@Table'
    @MainActor var e = 1  // expected-error: a property isolated to '@MainActor' can't be saved from elsewhere
    var f = 1, g = 2  // expected-error: each property of a model needs a declaration of its own
    var (h, i) = (1, 2)  // expected-error: each property of a model needs a declaration of its own
    let j = 1  // expected-error: a 'let' that has its value already can't be loaded
    var k = 1 { willSet {} didSet {} }  // expected-error: needs one of the two observers of 'k' to see changes
    #if os(Linux) || os(macOS)
    var l = 1  // expected-error: a macro can't tell what '#if os(Linux) || os(macOS)' leaves: move 'l' out of it, or mark it '@Transient'
    #endif
    @Transient var m: Int  // expected-error: an object that is loaded has no value for 'm'
    var _$n = 1  // expected-error: '_$n' is a name that '@Table' may use

    init(c: Fine, m: Int) {
        self.c = c
        self.m = m
    }
}
