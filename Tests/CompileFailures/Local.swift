// swift-format-ignore-file
import Holdfast

enum Fine {
    @Table struct Nested { var id: Int64? }
}

func function() {
    // expected-error: a model can't be declared inside a function: move 'A' to file scope or into a type
    // expected-error: local type cannot have attached extension macro
    @Table struct A { var id: Int64? }
}

struct Type {
    var number: Int {
        // expected-error: local type cannot have attached extension macro
        @Table final class B { var id: Int64? }
        return 1
    }
}

let closure = { @Sendable in
    // expected-error: a model can't be declared inside a function: move 'C' to file scope or into a type
    // expected-error: local type cannot have attached extension macro
    @Table struct C { var id: Int64? }
}
