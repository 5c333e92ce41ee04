// swift-format-ignore-file
import Foundation
import Holdfast

@Table(inherits: Mammal.self) final class Whale: Mammal {
    let depth: Int
    var observed = 1 { didSet { print(oldValue) } }
    init(depth: Int) {
        self.depth = depth
        super.init(name: "whale")
    }
    override func afterCommit() {}
}

@Table(inherits: Animal.self) class Mammal: Animal {
    var legs = 4
    override var name: String { didSet { print(name) } }
}

@Table class Animal {
    var id: Int64?
    var name: String
    init(name: String) { self.name = name }
    convenience init() { self.init(name: "") }
}

@Table class Plain { var id: Int64? }
@Table(inherits: Plain.self) class Plainer: Plain { var x = 1 }

func use() {
    _ = [Mammal(name: "cat"), Mammal(), Animal(), Whale(depth: 1)]
    _ = [Plain(), Plainer()]
    _ = Whale(name: "")  // expected-error: no exact matches in call to initializer
}

class NoModel {}
@Table(inherits: NoModel.self) class OfNoModel: NoModel { var x = 1 }  // expected-error: cannot convert value of type 'NoModel.Type' to expected argument type 'any TableObject.Type'

@Table(inherits: Plain.self) struct Structure { var id: Int64? }  // expected-error: a struct inherits from nothing: make 'Structure' a class, or remove 'inherits:'

@Table(inherits: Plain.self) final class Alone { var x = 1 }  // expected-error: 'Alone' inherits from nothing: write 'class Alone: Plain', or remove 'inherits:'

@Table class Forgotten: Plain { var x = 1 }  // expected-error: 'Forgotten' has no primary key: write '@Table(inherits: Plain.self)' to inherit that of 'Plain', or add 'var id: Int64?'

@Table(inherits: Plain.self) class SecondKey: Plain {
    @PrimaryKey var code = ""  // expected-error: 'SecondKey' has the primary key of 'Plain': remove '@PrimaryKey'
}

@Table(inherits: Plain.self) class Shadowing: Plain {
    var id: Int64?  // expected-error: overriding declaration requires an 'override' keyword
}

@Table(inherits: Plain.self) class Observing: Plain {
    var x = 1 { didSet { print(x) } }  // expected-error: 'Observing' inherits its initializers, so that 'didSet' would run when 'x' is loaded: declare an 'init' in 'Observing'
}

@Table(inherits: Plain.self) class Uninitialized: Plain {  // expected-error: class 'Uninitialized' has no initializer, and 'x' has no value without one: add an 'init'
    var x: Int
}

@Table(inherits: Plain.self) class Hooked: Plain {
    func willSave() throws {}  // expected-error: overriding declaration requires an 'override' keyword
}

// An error of a superclass is none of its subclass.
@Table class Keyless { var x = 1 }  // expected-error: 'Keyless' has no primary key
@Table(inherits: Keyless.self) final class OfKeyless: Keyless {
    var y = 1
    override func willSave() throws { y += 1 }
}

@Table class Generic<Value> { var id: Int64? }  // expected-error: a model can't be generic
@Table(inherits: Generic<Int>.self) class OfGeneric: Generic<Int> { var y = 1 }

@MainActor @Table class OnMain { var id: Int64? }  // expected-error: can't be isolated to '@MainActor'
