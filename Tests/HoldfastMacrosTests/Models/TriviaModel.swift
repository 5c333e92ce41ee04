// swift-format-ignore-file
// What it would lay out anew is what is tested.
import Holdfast

/// Comments and newlines wherever Swift allows them.
@Table( // the name
    /* first */ "trivia" /* last */,
    // indexes
    indexes: [
        .index("a", /* and */ "b"), // one
        .unique("a"),
    ]
)
/// Documentation in between.
final /* really */ class /* named */ Trivia /* with a body */ { // here
    // the key
    var /* it */ id /* is */ : /* an */ Int64? // integer
    /* a */ @Column( /* its name */ "A" /* here */ ) // attribute
    var a /* inferred */ = /* from */ 5 // this
    @Unique /* no arguments */
    @Indexed
    private(set) var b: /* type */ String = /* value */ "x" /* end */ ; var c: [Int] = [ // first
        1, // one
        2,
    ]
    var text = """
        two "lines"
          and \\ more
        """
    var d: Int = 1 { // observed
        didSet /* by the user */ { /* nothing */ }
    }
}
