// swift-format-ignore-file
import Holdfast

@Table final class Kept { var id: Int64?; var name = "" }
@Table struct Memberwise { var id: Int64?; var name: String }

@Table final class Decoded: Codable { var id: Int64?; var name: String }

@Table final class Lost {  // expected-error: class 'Lost' has no initializer, and 'name' has no value without one: add an 'init'
    var id: Int64?
    var name: String
}

@Table final class Conditional {
    var id: Int64?
    #if DEBUG
    init() {}  // expected-error: a macro can't tell whether '#if' leaves an initializer
    #endif
}

func use() {
    _ = Kept()
    _ = Memberwise(name: "")
    _ = Memberwise(id: 1, name: "")
    _ = Kept(name: "")  // expected-error: argument passed to call that takes no arguments
}
