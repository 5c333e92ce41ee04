import Holdfast

extension ColumnType {
    /// The type as which a column that another program declared is read; nil if the declaration says too little, as for
    /// a date, which can be stored in several forms.
    init?(declared name: String) {
        let name = name.uppercased()
        func has(_ words: String...) -> Bool { words.contains { name.contains($0) } }
        if has("BOOL") {
            self = .boolean
        } else if has("INT") {
            self = .int64
        } else if has("CHAR", "CLOB", "TEXT") {
            self = .text
        } else if has("BLOB") {
            self = .blob
        } else if has("REAL", "FLOA", "DOUB") {
            self = .double
        } else if has("DECIMAL", "NUMERIC") {
            self = .decimal
        } else if has("JSON") {
            self = .json
        } else {
            return nil
        }
    }
}
