import Foundation
@_spi(Driver) import Holdfast
import SystemSQLite

extension ParameterBuffer {
    /// A list as an array of JSON, of texts.
    func json() throws -> String {
        let values = cells.indices.map { index in
            withRow(index) { row -> String? in
                switch row[0].kind {
                case .null: nil
                case .text, .decimal, .json: String(decoding: row[0].bytes, as: UTF8.self)
                case .blob, .uuid: PlainDialect().hexadecimal(row[0].bytes)
                default: PlainDialect().literal(row[0], type: .int64)
                }
            }
        }
        return String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
    }
}

extension PlainConnection {
    func registerFunctions() {
        let giveBytes: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = {
            guard let text = sqlite3_value_text($2?[0]) else { return }
            let nibbles = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes($2?[0])))
                .map { $0 < UInt8(ascii: "a") ? $0 & 15 : $0 - UInt8(ascii: "a") + 10 }
            let bytes = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
            sqlite3_result_blob(
                $0, bytes + [0], Int32(bytes.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
        sqlite3_create_function_v2(database, "plain_bytes", 1, SQLITE_UTF8, nil, giveBytes, nil, nil, nil)
    }
}
