// swift-format-ignore-file
import Holdfast
import Observation

@Table final class Fine { var id: Int64? }

@Table
@Observable  // expected-error: '@Observable' makes computed properties of stored ones
final class Observed {
    var id: Int64?
    var name = ""
}
