import Foundation
@_spi(Driver) import Holdfast
import HoldfastConformance
@_spi(Driver) import HoldfastSQLite

struct MyDriver: Driver {
    let path: String
    let configuration: DatabaseConfiguration
    let sharing = ConnectionSharing.any
    var dialect: any Dialect { SQLiteDialect() }

    func connect(_ role: ConnectionRole) async throws -> any DriverConnection {
        throw DatabaseError(.cannotConnect, "There is no engine at \(path).")
    }
}

struct MyProvision: ConformanceProvision {
    var unreachable: DatabaseConfiguration { .myEngine(path: "absent/database") }

    func makeDatabase() async throws -> any ConformanceDatabase { MyDatabase() }
}

struct MyDatabase: ConformanceDatabase {
    var configuration: DatabaseConfiguration { .myEngine(path: "scratch") }

    func destroy() async throws {}
}

let parameters = ParameterBuffer.none
let row = 0

func bind(_ cell: Cell, at position: Int) throws {}
