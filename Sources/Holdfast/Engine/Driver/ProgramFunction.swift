/// A function of the program's own, which an engine that runs in the program's process calls for values of each row.
///
/// It is made of a `DatabaseFunction`, which queries call, and is added to the configuration of the database:
///
/// ```swift
/// configuration.functions.append(initials.computed { (name: String) in name.split(separator: " ").count })
/// ```
public struct ProgramFunction: Sendable {
    /// The name of the function.
    public let name: String
    /// How many values it takes.
    public let argumentCount: Int
    /// Whether it gives the same result for the same values.
    public let isDeterministic: Bool
    /// Computes the result, one cell, of the values as the engine has them.
    @_spi(Driver) public let compute: @Sendable (UnsafeBufferPointer<Cell>) throws -> ParameterBuffer

    init(
        name: String, argumentCount: Int, isDeterministic: Bool,
        compute: @escaping @Sendable (UnsafeBufferPointer<Cell>) throws -> ParameterBuffer
    ) {
        self.name = name
        self.argumentCount = argumentCount
        self.isDeterministic = isDeterministic
        self.compute = compute
    }
}

extension ProgramFunction {
    /// Throws if functions can't be told apart by their names and the numbers of their values, or can't be called.
    @_spi(Driver) public static func check(_ functions: [ProgramFunction], mostArguments: Int) throws {
        var known: Set<[String]> = []
        for function in functions {
            let name = function.name
            guard isName(name) else { throw DatabaseError.invalidFunctionName(name) }
            if function.argumentCount > mostArguments {
                throw DatabaseError(
                    .invalidValue, "The function \"\(name)\" takes \(function.argumentCount) values, which is too many."
                )
            }
            if !known.insert([name.lowercased(), String(function.argumentCount)]).inserted {
                throw DatabaseError(
                    .invalidValue,
                    "The configuration has two functions \"\(name)\" with \(function.argumentCount) values. Leave one out."
                )
            }
        }
    }

    /// Whether a function can have the name: ASCII letters, digits and underscores, and no digit at first.
    static func isName(_ name: some StringProtocol) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return name.utf8.count < 64
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

extension DatabaseError {
    static func invalidFunctionName(_ name: String) -> DatabaseError {
        DatabaseError(
            .invalidValue,
            "\"\(name)\" is no name of a function: it has ASCII letters, digits and underscores, and no digit at first."
        )
    }
}
