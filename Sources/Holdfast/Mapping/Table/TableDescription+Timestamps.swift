import Foundation

extension TableDescription {
    /// The time of a save, encoded as each timestamp's column holds it.
    func timestamps() throws -> [Int: ParameterBuffer] {
        guard !masks.timestamps.isEmpty else { return [:] }
        let now = Date(microseconds: try Date().roundedToMicroseconds())
        var result: [Int: ParameterBuffer] = [:]
        for index in timestampIndices {
            var encoder = CellEncoder(width: 1)
            try now._encode(into: &encoder, properties[index].storage)
            result[index] = encoder.buffer
        }
        return result
    }
}
