public import Foundation
public import Holdfast

@Table
public final class Shipment {
    public var id: Int64?
    public var order: Order?
    public var carrier: String
    public var trackingCode: String?
    public var sentAt: Date?
    public var weight: Double = 0

    public init(carrier: String) {
        self.carrier = carrier
    }
}
