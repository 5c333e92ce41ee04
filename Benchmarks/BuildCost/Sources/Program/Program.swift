import Foundation
import Holdfast
import HoldfastSQLite
import Models

/// Uses the models, as a program does.
@main
struct Program {
    static func main() async throws {
        try await Database.withDatabase(.sqlite(.inMemory)) { db in
            try await db.migrate(
                Address.self, Customer.self, Employee.self, Invoice.self, Order.self, OrderLine.self, Product.self,
                Shipment.self, Supplier.self, Warehouse.self)
            let customer = Customer(name: "Ann", email: "ann@example.org", joinedAt: .now)
            let order = Order(number: "1", placedAt: .now)
            order.customer = customer
            order.lines = [OrderLine()]
            try await db.save(order)
            print(try await db.fetch(Order.self).count)
        }
    }
}
