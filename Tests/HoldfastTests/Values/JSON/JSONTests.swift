import Foundation
import Holdfast
import Testing

/// JSON by itself: which texts are accepted, and what they mean.
///
/// The texts are of the kinds that "Parsing JSON is a Minefield" (Nicolas Seriot, 2016) lists.
@Suite struct JSONTests {
    static let accepted = [
        "[]", "[ ]", "{}", "{ }", "[[]   ]", "[1\n]", "\t[1,\r\n2]", "[null,true,false]", " 1 ", "\"\"", "\" \"",
        "0", "-0", "-0.0", "0e1", "0e+1", "123.456e78", "1e-2", "1E22", "1E+2", "20e1", "-123", "0.4e-10",
        "1.7976931348623157e308", "5e-324", "18446744073709551615", "-9223372036854775808",
        "123456789012345678901234567890123456789", "[1,2,\"3\",{\"4\":[5]}]", "{\"a\":\"b\"}", "{\"\":0}",
        "{\"a\":[],\"b\":{}}", "{\"a.b\":1,\"a\":{\"b\":2}}", "{\"asd\":\"sdf\",\"dfg\":\"fgh\"}",
        #""\u0060\u012a\u12AB""#, #""\uD801\udc37""#, #""\ud83d\ude39\ud83d\udc8d""#, #""\"\\\/\b\f\n\r\t""#,
        #""\\u0000""#, #""\u0012""#, "\"\u{7F}\"", "\"\u{FFFF}\"", "\"\u{10FFFF}\"", #""\uFFFF""#, "\"π ⍂㈴⍂ é\"",
        #"{"foo\u0062ar":42}"#, #"{"min":-1.0e+28,"max":1.0e+28}"#,
        String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
    ]

    @Test(arguments: accepted) func `texts that are JSON`(_ text: String) throws {
        let json = try JSON(parsing: text)
        #expect(json == json)
        #expect(try JSONDecoder().decode(JSON.self, from: Data(text.utf8)).text.isEmpty == false)
    }

    static let refused = [
        "", " ", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1]]", "[1}", "[a]", "[\"a\"",
        "[\"\"],", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{1:1}", "{a:1}", "{'a':1}",
        "{\"a\" 1}", "{\"a\"::1}", "{\"a\":1 \"b\":2}", "{\"a\":1}}", "{\"a\":1}#", "{\"a\":/**/1}", "// x\n1",
        "tru", "true1", "nul", "fals", "True", "NULL", "NaN", "Infinity", "-Infinity", "undefined",
        "-", "+1", "01", "-01", "00", "1.", ".5", "-.5", "1e", "1e+", "1.e1", "0x1", "1_000", "1 000", "--1", "1e1.5",
        "١", "\"", "\"a", "'a'", "\"\n\"", "\"\t\"", "\"\u{1}\"", #""\x41""#, #""\u00""#, #""\u00g0""#, #""\U0041""#,
        #""\a""#, "\"\\", "\"\\u", "\u{FEFF}1", "\u{A0}1", "1\u{0}", "\"a\u{0}b\"",
        // Accepted by some, and understood differently.
        #""\u0000""#, #""\ud800""#, #""\udc00""#, #""\ud800\ud800""#, #""\ud800\n""#, #""\ud800\u0041""#, #""\ud834""#,
        #"{"a":1,"a":1}"#, #"{"a":1,"b":{"c":1,"c":2}}"#, #"{"a":1,"\u0061":2}"#, "[{\"\u{e9}\":1,\"e\u{301}\":2}]",
        "1e400", "-1e400", "1e-1000", "1.\(String(repeating: "7", count: 900))e-390",
        "0.\(String(repeating: "0", count: 1_010))", "1e99999999999999999999", String(repeating: "1", count: 400),
        String(repeating: "[", count: 202) + String(repeating: "]", count: 202), String(repeating: "[", count: 100_000),
        String(repeating: "{\"a\":", count: 100_000),
    ]

    @Test(arguments: refused) func `texts that are refused`(_ text: String) {
        let error = #expect(throws: DatabaseError.self) { try JSON(parsing: text) }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.contains("bytes") == true)
    }

    @Test func `an error says where`() {
        let error = #expect(throws: DatabaseError.self) { try JSON(parsing: #"{"name":"Ann","name":"Bob"}"#) }
        #expect(error?.message == "The text is no JSON: an object has a name twice, after 14 bytes.")
    }

    @Test func `values that mean the same are equal`() throws {
        let pairs = [
            ("{\"a\":1,\"b\":[2]}", " { \"b\" : [ 2.0 ] , \"a\" : 1e0 } "), ("100", "1e2"), ("0", "-0.0"),
            ("1.50", "15e-1"), (#""\u00e9\/""#, "\"é/\""), ("0.0001", "1E-4"), ("12e1", "120"),
        ]
        for (left, right) in pairs {
            #expect(try JSON(parsing: left) == JSON(parsing: right))
            #expect(try JSON(parsing: left).hashValue == JSON(parsing: right).hashValue)
        }
        let others = [
            ("1", "\"1\""), ("[]", "{}"), ("null", "false"), ("9007199254740993", "9007199254740992"), ("1", "-1"),
            ("[1,2]", "[2,1]"), ("{\"a\":null}", "{}"), ("0.1", "0.10000000000000001"), ("1e1", "1e2"),
        ]
        for (left, right) in others { #expect(try JSON(parsing: left) != JSON(parsing: right)) }
    }

    @Test func `what is inside`() throws {
        let json = try JSON(parsing: #"{"a":[1,-2.50,"t\n",true,null,1e3,9007199254740993],"b":{"c":{}}}"#)
        let array = try #require(json["a"]?.array)
        #expect(array.map(\.integer) == [1, nil, nil, nil, nil, 1000, 9_007_199_254_740_993])
        #expect(array.map(\.double) == [1, -2.5, nil, nil, nil, 1000, 9_007_199_254_740_992])
        #expect(
            array.map(\.decimal) == [1, Decimal(string: "-2.5"), nil, nil, nil, 1000, Decimal(9_007_199_254_740_993)])
        #expect(array.map(\.string) == [nil, nil, "t\n", nil, nil, nil, nil])
        #expect(array.map(\.boolean) == [nil, nil, nil, true, nil, nil, nil])
        #expect(array.map(\.isNull) == [false, false, false, false, true, false, false])
        #expect(json["b"]?["c"]?.object?.isEmpty == true)
        #expect(json["a"]?[7] == nil && json["a"]?["x"] == nil && json["x"] == nil && json[0] == nil)
        for (text, integer) in [("9223372036854775807", Int64.max), ("-9223372036854775808", .min), ("120e-1", 12)] {
            #expect(try JSON(parsing: text).integer == integer)
        }
        for text in ["9223372036854775808", "1e19", "0.5", "1e300"] { #expect(try JSON(parsing: text).integer == nil) }
    }

    @Test func `JSON that a program writes, and changes`() throws {
        var json: JSON = [
            "name": "Ann \"A\"", "age": 7, "ratio": 0.5, "open": true, "tags": ["x", .null], "none": [:],
        ]
        #expect(
            try json
                == JSON(parsing: #"{"age":7,"name":"Ann \"A\"","none":{},"open":true,"ratio":0.5,"tags":["x",null]}"#))
        json["age"] = 8
        json["name"] = nil
        json["tags"] = .null
        #expect(try json == JSON(parsing: #"{"age":8,"none":{},"open":true,"ratio":0.5,"tags":null}"#))
        #expect(JSON(UInt64.max).text == "18446744073709551615")
    }

    @Test func `JSON that no save will accept loses nothing of itself`() throws {
        var json: JSON = ["a": 1, "b": JSON(string: "NUL \0")]
        json["c"] = 2
        #expect(throws: DatabaseError.self) { try JSON(encoding: json) }
        #expect(throws: DatabaseError.self) { try JSON(encoding: ["extra": json]) }
        #expect(throws: DatabaseError.self) { try JSON(encoding: [JSON(Double.nan)]) }
        #expect(throws: DatabaseError.self) { try JSON(encoding: json.merging(["a": 2])) }
        #expect(!JSON(Double.nan).isNull && JSON(Double.nan).double?.isFinite != true)
        #expect(JSON(string: "\u{e9}") != JSON(string: "e\u{301}"))
    }

    @Test func `numbers that an engine writes without an exponent are read again`() throws {
        let digits = String(repeating: "7", count: 500)
        #expect(
            try JSON(parsing: "1.\(digits)e-390") == JSON(parsing: "0.\(String(repeating: "0", count: 389))1\(digits)"))
        let zeros = String(repeating: "0", count: 300)
        #expect(try JSON(parsing: "1e300") == JSON(parsing: "1\(zeros)"))
    }

    @Test func `JSON in a Codable type`() throws {
        struct Holder: Codable, Equatable {
            var extra: JSON
            var none: JSON?
        }
        let texts = [
            "{\"a\":[1,null,{\"b\":true}],\"c\":\"d\"}", "null", "12345678901234567890.125", "1e300", "[]", "\"\"",
        ]
        for text in texts {
            let holder = Holder(extra: try JSON(parsing: text))
            let json = try JSON(encoding: holder)
            #expect(json["extra"] == holder.extra)
            #expect(try json.decode(Holder.self).extra == holder.extra)
        }
    }

    @Test func `a part of a Codable type with more digits than a coder has is refused`() throws {
        struct Holder: Codable {
            var extra: JSON
        }
        // 38 digits, and what a Double has exactly.
        for text in [
            "12345678901234567890123456789012345678", "-0.12345678901234567890123456789012345678", "1e300", "1e-300",
            "18446744073709551615", "1.7976931348623157e308",
        ] {
            let extra = try JSON(parsing: text)
            #expect(try JSON(encoding: Holder(extra: extra))["extra"] == extra)
        }
        for text in [
            "1234567890123456789012345678901234567890123456789",
            "[{\"a\":0.1234567890123456789012345678901234567890123}]",
            "1.2345678901234567890123e200",
        ] {
            let extra = try JSON(parsing: text)
            let error = #expect(throws: DatabaseError.self) { try JSON(encoding: Holder(extra: extra)) }
            #expect(error?.code == .invalidValue)
            #expect(error?.message.contains("digits") == true)
            // By itself it has them all.
            #expect(try JSON(encoding: extra) == extra)
        }
    }
}
